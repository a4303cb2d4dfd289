//! Where a file's bytes lie: in our own memory, in a mapped file, or in the program. Knows no format.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use super::map::Map;

/// Bytes that begin where a word of eight bytes may begin.
pub(crate) enum Bytes {
    Mapped(Map),
    Copied { words: Vec<u64>, bytes: usize },
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Those of a regular file as it is now, or of one of more than `largest_copy` bytes as it will be: that one is mapped.
    /// Whoever cuts a mapped file while it is in use ends the process.
    pub(crate) fn of_file(file: File, largest_copy: usize) -> io::Result<Self> {
        match usize::try_from(file.metadata()?.len()) {
            Ok(bytes) if bytes <= largest_copy => Self::read(file, bytes),
            _ => Map::of(&file).map(Self::Mapped),
        }
    }

    /// So many, and no more if the file grows meanwhile.
    fn read(mut file: File, bytes: usize) -> io::Result<Self> {
        let length = bytes.div_ceil(size_of::<u64>());
        let mut words = vec![];
        // No file is a reason to end the process, whatever the memory is needed for.
        words.try_reserve_exact(length)?;
        words.resize(length, 0_u64);
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..bytes])?;
        Ok(Self::Copied { words, bytes })
    }

    /// Whether they stay in the file, so that looking at all of them reads all of it.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }

    /// A copy of `bytes`, aligned for words.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
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
