//! Opening books.

use std::ffi::OsString;

use chuhe::book::{self, EMBEDDED};
use pyo3::prelude::*;

use crate::fault::error;
use crate::position::Position;
use crate::score::Score;

/// One or more opening books, of which the first that has moves for a position counts.
///
/// `Book()` is the one inside the program, `Book("a.book;b.dat")` opens files.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Book(book::Book);

/// A move of a book.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct BookMove {
    /// The move, in coordinates.
    #[pyo3(name = "move")]
    mv: String,
    /// Weight: how often the move is played, relative to the others.
    weight: u16,
    /// Score for the side to move, if an engine has analysed it.
    score: Option<Score>,
    /// Depth of that analysis, in plies.
    depth: Option<u8>,
}

#[pymethods]
impl BookMove {
    fn __repr__(&self) -> String {
        format!("BookMove({:?}, weight={})", self.mv, self.weight)
    }
}

#[pymethods]
impl Book {
    /// Opens books: paths separated by semicolons.
    #[new]
    #[pyo3(signature = (paths=None))]
    fn new(paths: Option<OsString>) -> PyResult<Self> {
        let (book, errors) = book::Book::open(&paths.unwrap_or_else(|| EMBEDDED.into()));
        errors.first().map_or(Ok(Self(book)), |fault| Err(error(fault)))
    }

    /// The moves for a position, the heaviest first.
    fn moves(&self, position: PyRef<'_, Position>) -> Vec<BookMove> {
        let of = |candidate: book::Candidate| BookMove {
            mv: candidate.mv.to_string(),
            weight: candidate.weight,
            score: candidate.score().map(Score::from),
            depth: candidate.eval.map(|(_, depth)| depth),
        };
        self.0.candidates(position.last()).into_iter().map(of).collect()
    }

    /// Number of moves in all files.
    fn __len__(&self) -> usize {
        self.0.sources().iter().map(book::Source::len).sum()
    }
}
