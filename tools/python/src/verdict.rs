//! Verdicts on games: mate, repetition with its reason, move limit.

use chuhe::board::{self, Move};
use chuhe::referee::explain;
use chuhe::rules::{self, Ending, RuleSet, Rules};
use pyo3::prelude::*;

use crate::fault::error;
use crate::position::{Position, side_name};

/// The end of a game, and the reason.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct Verdict {
    /// The side that has lost, `"red"` or `"black"`; None for a draw.
    loser: Option<&'static str>,
    /// The reason in a few words, such as `"perpetual check"`.
    reason: &'static str,
    /// The moves of the loop that decides, in coordinates; empty if it is not a repetition.
    #[pyo3(name = "loop")]
    cycle: Vec<String>,
    /// The verdict in one line.
    text: String,
}

#[pymethods]
impl Verdict {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Verdict({:?})", self.text)
    }
}

/// Looks up a rule set.
pub(crate) fn rules_named(name: &str) -> PyResult<Rules> {
    name.parse::<RuleSet>().map(RuleSet::rules).map_err(error)
}

/// Judges a game.
pub(crate) fn verdict_on(positions: &[board::Position], moves: &[Move], rules: &Rules) -> Option<Verdict> {
    let verdict = rules::judge(positions, rules)?;
    let plies = match verdict.ending {
        Ending::Repetition(judged) => judged.plies,
        _ => 0,
    };
    Some(Verdict {
        loser: verdict.loser.map(side_name),
        reason: verdict.ending.name(),
        cycle: moves[moves.len() - plies..].iter().map(ToString::to_string).collect(),
        text: explain(positions, moves, &verdict),
    })
}

/// Judges a game given as a FEN and its moves: a verdict, or None while it goes on.
#[pyfunction]
#[pyo3(signature = (fen, moves=vec![], rules="asian"))]
pub(crate) fn judge(fen: &str, moves: Vec<String>, rules: &str) -> PyResult<Option<Verdict>> {
    let rules = rules_named(rules)?;
    let position = Position::played_from(fen, &moves)?;
    Ok(verdict_on(position.positions(), position.played(), &rules))
}
