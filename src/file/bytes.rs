//! The bytes of a file: in owned memory, in a mapped file, or embedded in the program. Independent of any format.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use super::map::Map;

/// Bytes aligned for words of eight bytes.
pub(crate) enum Bytes {
    Mapped(Map),
    Copied { words: Vec<u64>, bytes: usize },
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Reads a regular file, or maps one of more than `largest_copy` bytes, whose later changes remain visible.
    /// Truncating a mapped file while it is in use kills the process.
    pub(crate) fn of_file(file: File, largest_copy: usize) -> io::Result<Self> {
        match usize::try_from(file.metadata()?.len()) {
            Ok(bytes) if bytes <= largest_copy => Self::read(file, bytes),
            _ => Map::of(&file).map(Self::Mapped),
        }
    }

    /// Reads `bytes` bytes, and no more if the file grows meanwhile.
    fn read(mut file: File, bytes: usize) -> io::Result<Self> {
        let length = bytes.div_ceil(size_of::<u64>());
        let mut words = vec![];
        // A failed allocation is an error, not a reason to end the process.
        words.try_reserve_exact(length)?;
        words.resize(length, 0_u64);
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..bytes])?;
        Ok(Self::Copied { words, bytes })
    }

    /// Whether the bytes are mapped, so that a scan of all of them reads the whole file.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }

    /// Copies `bytes` into memory aligned for words.
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
