//! ICCS coordinates: `H2-E2`.

use crate::board::{Move, MoveList, Position};

pub(super) fn write(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Returns the legal moves that `text` may mean, at most one; `None` if it is not a move at all.
pub(super) fn candidates(position: &Position, text: &str) -> Option<MoveList> {
    let mv: Move = text.parse().ok()?;
    Some([mv].into_iter().filter(|&mv| position.is_legal(mv)).collect())
}
