//! Games in files.

use std::path::PathBuf;

use chuhe_games::files::{self, Format};
use chuhe_games::game::{self, Outcome};
use pyo3::prelude::*;

use crate::fault::error;
use crate::position::{Position, side_name};

/// A game from a file.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Game(game::Game);

#[pymethods]
impl Game {
    /// FEN of the position before the first move.
    #[getter]
    fn start_fen(&self) -> String {
        self.0.start.to_fen()
    }

    /// Moves, in coordinates.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves.iter().map(ToString::to_string).collect()
    }

    /// `"red"` or `"black"` for the winner, `"draw"`, or None if unknown.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.result.map(|outcome| match outcome {
            Outcome::Won(side) => side_name(side),
            Outcome::Drawn => "draw",
        })
    }

    /// Ratings of Red and Black; 0 if unknown.
    #[getter]
    fn ratings(&self) -> (u16, u16) {
        (self.0.ratings[0], self.0.ratings[1])
    }

    /// Variations: the plies before each, and its moves.
    #[getter]
    fn variations(&self) -> Vec<(usize, Vec<String>)> {
        let text = |variation: &game::Variation| variation.moves.iter().map(ToString::to_string).collect();
        self.0.variations.iter().map(|variation| (variation.ply, text(variation))).collect()
    }

    /// The position after the last move, with its moves.
    fn position(&self) -> Position {
        Position::new_at(self.0.start, self.0.moves.iter().copied())
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __repr__(&self) -> String {
        format!("<Game of {} plies, result {}>", self.0.moves.len(), self.result().unwrap_or("unknown"))
    }
}

/// Reads the games of a file: PGN, XQF, DhtmlXQ, a list of moves or a journal of the arena, told by content and name.
///
/// With `skip_faulty` games that do not replay are left out; else the first one raises `Error`.
#[pyfunction]
#[pyo3(signature = (path, *, skip_faulty=false))]
pub(crate) fn read_games(py: Python<'_>, path: PathBuf, skip_faulty: bool) -> PyResult<Vec<Game>> {
    let read = py.detach(|| {
        let bytes = chuhe::file::read(&path)?;
        let format = Format::of(&path, &bytes);
        Ok::<_, std::io::Error>(files::read(format, bytes).map_err(|fault| fault.to_string()))
    })?;
    let mut games = vec![];
    for game in read.map_err(error)? {
        match game {
            Ok(game) => games.push(Game(game)),
            Err(_) if skip_faulty => {}
            Err(fault) => return Err(error(fault)),
        }
    }
    Ok(games)
}
