//! How the file of a book is read, in either format.

use std::io;
use std::path::Path;

use crate::file::{self, Bytes};

/// In bytes. Larger files are mapped, but whoever cuts one of those while it is in use ends the process, so all that can be
/// read while nobody notices is read. These are four million moves, more than a book of games that were played holds.
const LARGEST_COPY: usize = 64 << 20;

/// The bytes of a book's file.
pub(super) fn bytes_of(path: &Path) -> io::Result<Bytes> {
    Bytes::of_file(file::open(path)?, LARGEST_COPY)
}
