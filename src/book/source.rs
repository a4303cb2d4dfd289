//! A book file of either format, and its lookups.

use std::path::Path;

use super::choice::Candidate;
use super::eleeye::EleEyeBook;
use super::error::Fault;
use super::format::Header;
use super::native::NativeBook;
use crate::board::{Move, Position};
use crate::file::{self, Bytes};

/// Largest file that is read into memory, in bytes; larger ones are mapped. Truncating a mapped file kills the process,
/// so all files are read that load without a noticeable delay. The limit is four million moves, more than a book of
/// played games contains.
const LARGEST_COPY: usize = 64 << 20;

/// A book file.
pub enum Source {
    /// A book in our own format.
    Native(NativeBook),
    /// A book in ElephantEye's format.
    EleEye(EleEyeBook),
}

impl Source {
    /// Opens a book of either format.
    ///
    /// A file of at most 64 MiB is read into memory and checked as a whole, so that later changes of the file do not
    /// matter. A larger one is mapped, which takes the same time whatever its size: only its header and its length are
    /// checked, or some records of a `BOOK.DAT`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let bytes = Bytes::of_file(file::open(path)?, LARGEST_COPY)?;
        if Header::is_ours(&bytes) {
            NativeBook::checked(bytes).map(Self::Native)
        } else if bytes.starts_with(b"SQLite format 3") {
            Err(Fault::Database)
        } else {
            EleEyeBook::checked(bytes).map(Self::EleEye)
        }
    }

    /// The legal moves that the file contains, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        match self {
            Self::Native(book) => book.candidates(position),
            Self::EleEye(book) => book.candidates(position),
        }
    }

    /// The moves that the file forbids, legal or not.
    pub fn forbidden(&self, position: &Position) -> Vec<Move> {
        match self {
            Self::Native(book) => book.forbidden(position),
            // This format cannot forbid moves.
            Self::EleEye(_) => vec![],
        }
    }

    /// The number of moves in the file.
    pub fn len(&self) -> usize {
        match self {
            Self::Native(book) => book.records().len(),
            Self::EleEye(book) => book.records().len(),
        }
    }

    /// Whether the file contains no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
