//! A book's file in memory, read whole: in the place of `map.rs` where files cannot be mapped, under miri.

use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file.
pub(super) struct Map(Vec<u8>);

impl Map {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        std::fs::read(path).map(Self)
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
