//! A book file of any format, and its lookups.

use std::io::Read;
use std::path::Path;

use super::binghe::{self, BingheBook};
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
    /// A database of a Chinese interface, `.obk` or `.pfBook`.
    Binghe(BingheBook),
}

impl Source {
    /// Opens a book of any format.
    ///
    /// A file of at most 64 MiB is read into memory and checked as a whole, so that later changes of the file do not
    /// matter. A larger one is mapped, which takes the same time whatever its size: only its header and its length are
    /// checked, or some records of a `BOOK.DAT`. Of a database all rows are read, up to four million.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        if is_database(path)? {
            return BingheBook::open(path).map(Self::Binghe);
        }
        let bytes = Bytes::of_file(file::open(path)?, LARGEST_COPY)?;
        if Header::is_ours(&bytes) {
            NativeBook::checked(bytes).map(Self::Native)
        } else {
            EleEyeBook::checked(bytes).map(Self::EleEye)
        }
    }

    /// The legal moves that the file contains, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        match self {
            Self::Native(book) => book.candidates(position),
            Self::EleEye(book) => book.candidates(position),
            Self::Binghe(book) => book.candidates(position),
        }
    }

    /// The moves that the file forbids, legal or not.
    pub fn forbidden(&self, position: &Position) -> Vec<Move> {
        match self {
            Self::Native(book) => book.forbidden(position),
            // This format cannot forbid moves.
            Self::EleEye(_) => vec![],
            Self::Binghe(book) => book.forbidden(position),
        }
    }

    /// The number of moves in the file.
    pub fn len(&self) -> usize {
        match self {
            Self::Native(book) => book.records().len(),
            Self::EleEye(book) => book.records().len(),
            Self::Binghe(book) => book.len(),
        }
    }

    /// Whether the file contains no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether a file begins like a SQLite database.
fn is_database(path: &Path) -> Result<bool, Fault> {
    let mut start = vec![];
    file::open(path)?.take(binghe::MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == binghe::MAGIC)
}
