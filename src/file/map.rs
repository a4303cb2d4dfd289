//! A large file in memory: mapped, so that opening takes the same time whatever its size. Independent of any format.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, as they are on disk.
pub(crate) struct Map(Mmap);

impl Map {
    /// Maps the file; pages are read on first access.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the map is read-only, and `Deref` lends it only as long as `self` lives. The remaining risk is
        // another process that writes to the file or truncates it. Bytes that change are read as plain numbers, each of
        // which is checked where it is used (index, key, move), so they do no harm. Truncating the file while it is
        // mapped ends the process, which no reader can prevent, and the manual says so. Our tools never write into a
        // book or a table: they replace it by renaming another file, and a map keeps the old one.
        let map = unsafe { Mmap::map(file) }?;
        lookups_are_scattered(&map);
        Ok(Self(map))
    }
}

#[cfg(unix)]
fn lookups_are_scattered(map: &Mmap) {
    // Hint: without it the system also reads neighbouring pages, which are not needed.
    let _ = map.advise(memmap2::Advice::Random);
}

#[cfg(not(unix))]
fn lookups_are_scattered(_: &Mmap) {}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
