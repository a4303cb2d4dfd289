//! One file of either format, and what it answers.

use std::path::Path;

use super::eleeye::EleEyeBook;
use super::error::Fault;
use super::format::Header;
use super::native::NativeBook;
use crate::board::{Move, Position};
use crate::file::Bytes;
use crate::score::Score;

/// A move that a book knows in a position, and that is legal there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// On the board as the caller sees it.
    pub mv: Move,
    /// How often it is to be chosen, relative to the others.
    pub weight: u16,
    /// Score for the mover and depth in plies, if an engine has looked.
    pub eval: Option<(Score, u8)>,
}

impl Candidate {
    /// For the mover, if an engine has looked.
    pub fn score(&self) -> Option<Score> {
        self.eval.map(|(score, _)| score)
    }

    /// The heaviest first; among equals the order of the moves decides, so that every format gives the same.
    pub(super) fn order(&self) -> (u16, u16) {
        (!self.weight, self.mv.bits())
    }
}

/// In bytes. Larger files are mapped, but whoever cuts one of those while it is in use ends the process, so all that can be
/// read while nobody notices is read. These are four million moves, more than a book of games that were played holds.
pub(super) const LARGEST_COPY: usize = 64 << 20;

/// One file.
pub enum Source {
    /// In our own format.
    Native(NativeBook),
    /// In ElephantEye's.
    EleEye(EleEyeBook),
}

impl Source {
    /// Opens a book of either format. One of 64 MiB or less is read into memory, so that nothing that happens to the file
    /// matters any more; a larger one is mapped, which takes the same time whatever its size.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let bytes = Bytes::of_file(path, LARGEST_COPY)?;
        if Header::is_ours(&bytes) {
            NativeBook::read(bytes).map(Self::Native)
        } else if bytes.starts_with(b"SQLite format 3") {
            Err(Fault::Database)
        } else {
            EleEyeBook::read(bytes).map(Self::EleEye)
        }
    }

    /// The legal moves that the file knows, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        match self {
            Self::Native(book) => book.candidates(position),
            Self::EleEye(book) => book.candidates(position),
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
