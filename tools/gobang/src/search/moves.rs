//! Move generation and move ordering.

use super::{MAX_PLY, Worker};
use crate::board::{Board, Kind};
use crate::cell::{Cell, CellSet};

/// Weight of the opponent's patterns in move ordering, in percent of the mover's own.
const DENIED_PERCENT: i32 = 70;
const TABLE_MOVE: i32 = 1 << 24;
const KILLER: i32 = 120;
/// Bound of the history values.
const MOST_HISTORY: i32 = 1 << 12;
/// Divisor that turns history values into hundredths of an open two.
const HISTORY_UNIT: i32 = 16;

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

impl Worker<'_> {
    /// Sorts these moves, the most promising first, without the banned ones.
    pub(super) fn ordered(&mut self, cells: &CellSet, table_move: Option<Cell>, ply: usize) -> Vec<Cell> {
        let side = self.board.side();
        let mut scored: Vec<(i32, Cell)> = Vec::with_capacity(64);
        for cell in cells.iter() {
            if self.board.is_banned(side, cell) {
                continue;
            }
            let own = self.board.value(side, cell);
            let denied = self.board.value(side.other(), cell) * DENIED_PERCENT / 100;
            let history = self.memory.history[side.index()][cell.index()] / HISTORY_UNIT;
            let killer = if self.killers[ply].contains(&Some(cell)) { KILLER } else { 0 };
            let known = if table_move == Some(cell) { TABLE_MOVE } else { 0 };
            scored.push((own + denied + history + killer + known, cell));
        }
        scored.sort_by_key(|&(score, cell)| (-score, cell));
        scored.into_iter().map(|(_, cell)| cell).collect()
    }

    /// Updates history and killer moves after a beta cutoff.
    pub(super) fn reward(&mut self, best: Cell, tried: &[Cell], depth: i32, ply: usize) {
        let history = &mut self.memory.history[self.board.side().index()];
        let bonus = (depth * depth).min(MOST_HISTORY / 8);
        let mut change = |cell: Cell, by: i32| {
            let entry = &mut history[cell.index()];
            *entry += by - *entry * by.abs() / MOST_HISTORY;
        };
        change(best, bonus);
        tried.iter().filter(|&&cell| cell != best).for_each(|&cell| change(cell, -bonus));
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }
}
