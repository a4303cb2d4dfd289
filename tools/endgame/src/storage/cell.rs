//! Entries of one or two bytes that several threads change.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// Entry that several threads change.
pub(crate) trait Cell: Send + Sync + 'static {
    /// Contents.
    type Value: Copy + Send + Sync;
    /// Length in bytes.
    const BYTES: usize;

    fn new(value: Self::Value) -> Self;
    fn load(&self) -> Self::Value;
    fn store(&self, value: Self::Value);
    /// Replaces the value by that of `change`, and returns the old one: `Err` if `change` returned `None`.
    fn update(&self, change: impl FnMut(Self::Value) -> Option<Self::Value>) -> Result<Self::Value, Self::Value>;
    fn from_bytes(bytes: &[u8]) -> Self;
    fn append_to(&self, bytes: &mut Vec<u8>);
}

macro_rules! impl_cell {
    ($cell:ty, $value:ty) => {
        impl Cell for $cell {
            type Value = $value;
            const BYTES: usize = size_of::<$value>();

            fn new(value: $value) -> Self {
                <$cell>::new(value)
            }

            fn load(&self) -> $value {
                self.load(Ordering::Relaxed)
            }

            fn store(&self, value: $value) {
                self.store(value, Ordering::Relaxed);
            }

            fn update(&self, change: impl FnMut($value) -> Option<$value>) -> Result<$value, $value> {
                self.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change)
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                Self::new(bytes.try_into().map_or(0, <$value>::from_le_bytes))
            }

            fn append_to(&self, bytes: &mut Vec<u8>) {
                bytes.extend(Cell::load(self).to_le_bytes());
            }
        }
    };
}

impl_cell!(AtomicU8, u8);
impl_cell!(AtomicU16, u16);
