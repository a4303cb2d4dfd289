//! Reading the file of a book, in either format.

use std::io;
use std::path::Path;

use crate::file::{self, Bytes};

/// Largest file that is read into memory, in bytes; larger ones are mapped. Truncating a mapped file kills the process,
/// so all files are read that load without a noticeable delay. The limit is four million moves, more than a book of
/// played games contains.
const LARGEST_COPY: usize = 64 << 20;

/// The bytes of a book's file.
pub(super) fn bytes_of(path: &Path) -> io::Result<Bytes> {
    Bytes::of_file(file::open(path)?, LARGEST_COPY)
}
