//! A file read into memory: replaces `map.rs` under miri, where files cannot be mapped.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// The bytes of a file, aligned for words as mapped ones are.
pub(crate) struct Map {
    words: Vec<u64>,
    bytes: usize,
}

impl Map {
    pub(super) fn of(mut file: &File) -> io::Result<Self> {
        let mut read = vec![];
        file.read_to_end(&mut read)?;
        let mut words = vec![0_u64; read.len().div_ceil(size_of::<u64>())];
        bytemuck::cast_slice_mut(&mut words)[..read.len()].copy_from_slice(&read);
        Ok(Self { words, bytes: read.len() })
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.bytes]
    }
}
