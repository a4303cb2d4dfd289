//! Opening books: moves that are stored for positions. Depends on files and positions only; the search never uses it.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::book::{Book, Choice, choose};
//! let (book, errors) = Book::open("no such file.bin; nor this.dat".as_ref());
//! assert_eq!(errors.len(), 2);
//! let candidates = book.candidates(&Position::start());
//! assert_eq!(choose(&candidates, Choice::Weighted, 0), None);
//! ```

mod binghe;
mod choice;
mod eleeye;
mod error;
mod format;
mod key;
mod native;
mod source;
mod writer;

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::board::Position;
use crate::file;

pub use binghe::{
    BINGHE_RED_TO_MOVE, BINGHE_WORDS, BingheBook, BingheRow, FULL_WEIGHT, binghe_index, binghe_key, binghe_weights,
    binghe_words, scaled_weight, weight_by_gap,
};
pub use choice::{Candidate, Choice, choose};
pub use eleeye::{EleEyeBook, EleEyeRecord, Locks, byte_square, square_byte};
pub use error::{BookError, Fault};
pub use format::{About, HEADER_BYTES, Header, Layout, RECORD_BYTES, Record};
pub use key::{Frame, KEY_SEED, KeysAfter, Symmetry, canonical};
pub use native::NativeBook;
pub use source::Source;
pub use writer::{WriteError, Writer};

/// The name that stands for the embedded book in a list of files.
pub const EMBEDDED: &str = "<embedded>";

/// Most files in a list: a line of a user may hold hundreds of thousands of names, each of a large file.
const MOST_FILES: usize = 64;

/// A book of several files, of which the first one with moves for a position is used.
#[derive(Default)]
pub struct Book {
    sources: Vec<Source>,
}

impl Book {
    /// A book without files.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Opens the files of a semicolon-separated list, 64 at most. Files that cannot be used are left out and reported.
    ///
    /// Relative paths are looked for beside the program, then in the working directory; [`EMBEDDED`] stands for the
    /// embedded book.
    pub fn open(paths: &OsStr) -> (Self, Vec<BookError>) {
        Self::open_in(paths, &file::folders())
    }

    /// Opens the files of a list, with relative paths looked for in these folders.
    pub fn open_in(paths: &OsStr, folders: &[PathBuf]) -> (Self, Vec<BookError>) {
        let mut book = Self::empty();
        let mut errors = vec![];
        for (number, path) in file::names(paths).enumerate() {
            if number == MOST_FILES {
                errors.push(BookError { path: path.to_owned(), fault: Fault::TooMany(MOST_FILES) });
                break;
            }
            let opened = if path == Path::new(EMBEDDED) { embedded(path) } else { open_one(path, folders) };
            match opened {
                Ok(source) => book.sources.push(source),
                Err(error) => errors.push(error),
            }
        }
        (book, errors)
    }

    /// Adds a file that is used where the others have no moves.
    pub fn push(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// The files that could be opened, in their order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether no file could be opened, or none contains a move.
    pub fn is_empty(&self) -> bool {
        self.sources.iter().all(Source::is_empty)
    }

    /// The legal moves of the first file that has one, heaviest first, without those that an earlier file forbids.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        let mut forbidden = vec![];
        for source in &self.sources {
            let mut found = source.candidates(position);
            found.retain(|candidate| !forbidden.contains(&candidate.mv));
            if !found.is_empty() {
                return found;
            }
            forbidden.extend(source.forbidden(position));
        }
        vec![]
    }

    /// Whether some line of the book continues for `plies` moves from `position`.
    ///
    /// Meant for leaving a book early: `book.continues(&position.play(mv), n)`. Visits a few thousand positions at
    /// most; if they do not suffice, the line is long enough for any purpose.
    pub fn continues(&self, position: &Position, plies: usize) -> bool {
        self.continues_within(position, plies, &mut 4096)
    }

    fn continues_within(&self, position: &Position, plies: usize, visits: &mut u32) -> bool {
        if plies == 0 || *visits == 0 {
            return true;
        }
        *visits -= 1;
        let candidates = self.candidates(position);
        candidates.iter().any(|candidate| self.continues_within(&position.play(candidate.mv), plies - 1, visits))
    }
}

fn embedded(name: &Path) -> Result<Source, BookError> {
    NativeBook::embedded().map(Source::Native).map_err(|fault| BookError { path: name.to_owned(), fault })
}

fn open_one(path: &Path, folders: &[PathBuf]) -> Result<Source, BookError> {
    let places: Vec<PathBuf> = if path.is_absolute() {
        vec![path.to_owned()]
    } else {
        folders.iter().map(|folder| folder.join(path)).collect()
    };
    for place in places {
        match Source::open(&place) {
            Err(Fault::Unreadable(error)) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened.map_err(|fault| BookError { path: place, fault }),
        }
    }
    Err(BookError { path: path.to_owned(), fault: Fault::Missing })
}

#[cfg(test)]
mod tests;
