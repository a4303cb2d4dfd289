//! One file of either format, and what it answers.

use std::path::Path;

use super::choice::Candidate;
use super::eleeye::EleEyeBook;
use super::error::Fault;
use super::format::Header;
use super::native::NativeBook;
use super::reading::bytes_of;
use crate::board::{Move, Position};

/// One file.
pub enum Source {
    /// In our own format.
    Native(NativeBook),
    /// In ElephantEye's.
    EleEye(EleEyeBook),
}

impl Source {
    /// Opens a book of either format. One of 64 MiB or less is read into memory and checked as a whole, so that nothing that
    /// happens to the file matters any more. A larger one is mapped, which takes the same time whatever its size: of it the
    /// header and the length are checked, or some records of a `BOOK.DAT`.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let bytes = bytes_of(path)?;
        if Header::is_ours(&bytes) {
            NativeBook::checked(bytes).map(Self::Native)
        } else if bytes.starts_with(b"SQLite format 3") {
            Err(Fault::Database)
        } else {
            EleEyeBook::checked(bytes).map(Self::EleEye)
        }
    }

    /// The legal moves that the file knows, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        match self {
            Self::Native(book) => book.candidates(position),
            Self::EleEye(book) => book.candidates(position),
        }
    }

    /// The moves that the file says are never to be played, legal or not.
    pub fn forbidden(&self, position: &Position) -> Vec<Move> {
        match self {
            Self::Native(book) => book.forbidden(position),
            // Its format knows nothing of the kind.
            Self::EleEye(_) => vec![],
        }
    }

    /// How many moves it holds.
    pub fn len(&self) -> usize {
        match self {
            Self::Native(book) => book.records().len(),
            Self::EleEye(book) => book.records().len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
