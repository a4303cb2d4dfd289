//! Where a book's bytes lie: in a mapped file, in our own memory, or in the program.

use std::ops::Deref;

use super::map::Map;

/// Bytes that begin where a record may begin.
pub(super) enum Bytes {
    Mapped(Map),
    Copied { words: Vec<u64>, bytes: usize },
    Embedded(&'static [u8]),
}

impl Bytes {
    /// A copy of `bytes`, aligned for records.
    pub(super) fn copied(bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; bytes.len().div_ceil(size_of::<u64>())];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self::Copied { words, bytes: bytes.len() }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Embedded(bytes) => bytes,
            Self::Copied { words, bytes } => &bytemuck::cast_slice(words)[..*bytes],
        }
    }
}
