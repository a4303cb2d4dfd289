//! Endgame tablebases.

use std::ffi::OsString;
use std::sync::Arc;

use chuhe::endgame::{Outcome, Tables};
use pyo3::prelude::*;

use crate::fault::error;
use crate::position::Position;

/// Endgame tablebases: the ones inside the program, and those of folders, which come first.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Tablebase(Arc<Tables>);

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
        Outcome::Open => "open",
    }
}

#[pymethods]
impl Tablebase {
    /// Opens the tables of folders separated by semicolons.
    #[new]
    #[pyo3(signature = (folders=None))]
    fn new(folders: Option<OsString>) -> PyResult<Self> {
        let Some(folders) = folders else { return Ok(Self(Arc::clone(Tables::embedded()))) };
        let (tables, errors) = Tables::open(&folders);
        errors.first().map_or(Ok(Self(Arc::new(tables))), |fault| Err(error(fault)))
    }

    /// Materials of the tables, `KR-KA` and the like.
    #[getter]
    fn materials(&self) -> Vec<String> {
        self.0.materials().iter().map(ToString::to_string).collect()
    }

    /// Outcome for the side to move: `"win"`, `"draw"`, `"loss"`, `"open"` if it depends on the rules of repetition, or None
    /// if no table has the position.
    fn outcome(&self, position: PyRef<'_, Position>) -> Option<&'static str> {
        self.0.outcome(position.last()).map(name)
    }

    /// Plies to the end of the game or the next capture; None if unknown or if neither side wins.
    fn distance(&self, position: PyRef<'_, Position>) -> Option<u16> {
        self.0.plies_to_conversion(position.last())
    }

    /// The legal moves that keep the outcome, shortest wins and longest defences first; empty if no table has the position.
    fn best_moves(&self, position: PyRef<'_, Position>) -> Vec<String> {
        self.0.best_moves(position.last()).iter().map(ToString::to_string).collect()
    }
}
