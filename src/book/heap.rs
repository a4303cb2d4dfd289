//! A book's file in memory, read whole: in the place of `map.rs` where files cannot be mapped, under miri.

use std::io;
use std::ops::Deref;
use std::path::Path;

use super::bytes::Bytes;

/// The bytes of a file, as aligned as mapped ones.
pub(super) struct Map(Box<Bytes>);

impl Map {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        std::fs::read(path).map(|bytes| Self(Box::new(Bytes::copied(&bytes))))
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
