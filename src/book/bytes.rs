//! Where a book's bytes lie: in our own memory, in a mapped file, or in the program.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use super::map::Map;
use crate::file;

/// In bytes. Larger files are mapped: whoever cuts one of those while it is in use ends the process, so all that can be
/// read while nobody notices is read. These are four million moves, more than a book of games that were played holds.
const LARGEST_COPY: usize = 64 << 20;

/// Bytes that begin where a record may begin.
pub(super) enum Bytes {
    Mapped(Map),
    Copied { words: Vec<u64>, bytes: usize },
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Those of a file as it is now, or of a large one as it will be.
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let file = file::open(path)?;
        match usize::try_from(file.metadata()?.len()) {
            Ok(bytes) if bytes <= LARGEST_COPY => Self::read(file, bytes),
            _ => Map::of(&file).map(Self::Mapped),
        }
    }

    /// So many, and no more if the file grows meanwhile.
    fn read(mut file: File, bytes: usize) -> io::Result<Self> {
        let length = bytes.div_ceil(size_of::<u64>());
        let mut words = vec![];
        // A book is no reason to end the process, whatever the memory is needed for.
        words.try_reserve_exact(length)?;
        words.resize(length, 0_u64);
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..bytes])?;
        Ok(Self::Copied { words, bytes })
    }

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
