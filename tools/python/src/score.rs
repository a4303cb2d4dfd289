//! Scores as Python sees them.

use chuhe::score;
use pyo3::prelude::*;

/// The value of a position for the side to move.
#[pyclass(module = "chuhe", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Score {
    /// Centipawns; None for a mate or a loss by the rules of repetition.
    cp: Option<i32>,
    /// Full moves to mate, negative if the side to move is mated; None if no mate is seen.
    mate: Option<i32>,
    /// Plies to a win (positive) or loss (negative) by the rules of repetition; None without one.
    ban: Option<i32>,
}

impl From<score::Score> for Score {
    fn from(score: score::Score) -> Self {
        let sign = score.raw().signum();
        let plies = score.plies_to_end().map(|plies| i32::try_from(plies).expect("lines are short"));
        let mate = plies.filter(|_| score.is_mate()).map(|plies| sign * ((plies + 1) / 2));
        let ban = plies.filter(|_| score.is_ban()).map(|plies| sign * plies);
        Self { cp: plies.is_none().then(|| score.raw()), mate, ban }
    }
}

impl Score {
    /// The score as a message shows it.
    pub(crate) fn text(&self) -> String {
        self.__repr__()
    }
}

#[pymethods]
impl Score {
    fn __repr__(&self) -> String {
        match (self.cp, self.mate, self.ban) {
            (Some(cp), ..) => format!("Score(cp={cp})"),
            (_, Some(mate), _) => format!("Score(mate={mate})"),
            (.., ban) => format!("Score(ban={})", ban.unwrap_or_default()),
        }
    }
}
