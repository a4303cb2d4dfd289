//! A file in memory, read whole: in the place of `map.rs` where files cannot be mapped, under miri.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use super::bytes::Bytes;

/// The bytes of a file, as aligned as mapped ones.
pub(crate) struct Map(Box<Bytes>);

impl Map {
    pub(super) fn of(mut file: &File) -> io::Result<Self> {
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        Ok(Self(Box::new(Bytes::copied(&bytes))))
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
