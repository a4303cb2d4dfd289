//! Move generation: the candidates of a position.

use crate::board::{Board, Kind};
use crate::cell::{Cell, CellSet};

/// Obligation of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Duty {
    /// No obligation.
    None,
    /// The opponent threatens a straight four or two fours: stop them, or make a four.
    Three,
    /// The opponent threatens five: stop it.
    Four,
}

/// Returns the obligation of the side to move and the moves that may meet it, including banned ones.
pub(super) fn candidates(board: &mut Board) -> (Duty, CellSet) {
    let (side, other) = (board.side(), board.side().other());
    let fives = board.set(other, Kind::Five);
    if !fives.is_empty() {
        return (Duty::Four, *fives);
    }
    let wins = *board.set(other, Kind::Win);
    if wins.iter().any(|cell| !board.is_banned(other, cell)) {
        // Every stone that stops a straight four takes one of its cells, where the opponent could make a four.
        return (Duty::Three, board.set(other, Kind::Four).or(board.set(side, Kind::Four)));
    }
    if board.moves().is_empty() {
        return (Duty::None, [Cell::CENTRE].into_iter().collect());
    }
    if let [first] = board.moves() {
        // A more distant answer leaves the opponent ahead.
        let beside = Cell::all().filter(|cell| cell.distance(*first) == 1);
        return (Duty::None, beside.collect());
    }
    let near = *board.vicinity();
    let anywhere = || Cell::all().filter(|&cell| board.stone(cell).is_none()).collect();
    (Duty::None, if near.is_empty() { anywhere() } else { near })
}
