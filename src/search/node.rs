//! A node: which kind it is, what is known of it before its moves are searched, and what they have brought.

use super::path::Returns;
use super::reductions::TableMove;
use crate::board::{Move, MoveList};
use crate::score::Score;
use crate::smp::table::Entry;

/// Kinds of nodes as types, so that each is compiled without the others' cases.
pub(super) trait Node {
    /// Searched with an open window: its exact value and line are wanted.
    const PV: bool;
    /// The position that was asked about: the line of a move is wanted even where it is too good to be searched exactly.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node on the expected line.
pub(super) struct Pv;
/// A node asked only whether it is above or below one score.
pub(super) struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before its moves are searched.
pub(super) struct Facts {
    /// Plies to search.
    pub(super) depth: i32,
    /// It is expected to fail high.
    pub(super) cut: bool,
    /// What the table says.
    pub(super) known: Option<Entry>,
    /// The move to try first.
    pub(super) table_move: Option<Move>,
    /// Of which kind that is.
    pub(super) table_move_kind: TableMove,
    /// The position is, or once was, on a principal variation.
    pub(super) was_pv: bool,
    /// The static value before any correction; like the next one, none in check.
    pub(super) raw_eval: Option<Score>,
    /// The static value, corrected, and bettered by the table's score where that is on the right side of it.
    pub(super) eval: Option<Score>,
    /// By how many centipawns the static value had to be corrected.
    pub(super) doubt: i32,
    /// The mover stands better than two plies ago.
    pub(super) improving: bool,
    /// Moves that repeat a position, where a draw would be welcome: they are looked for once it is clear that moves are
    /// searched.
    pub(super) returns: Returns,
}

/// What the loop over the moves has found so far.
pub(super) struct Findings {
    pub(super) best: Score,
    /// The last one that has raised alpha.
    pub(super) best_move: Option<Move>,
    /// The moves searched.
    pub(super) searched: MoveList,
}

impl Findings {
    pub(super) fn none() -> Self {
        Self { best: -Score::INFINITE, best_move: None, searched: MoveList::new() }
    }

    /// A move that is left out might have been worth so much: less is not proven of the node.
    pub(super) fn hope_for(&mut self, hope: Score) {
        if !self.best.is_decisive() && !hope.is_decisive() {
            self.best = self.best.max(hope);
        }
    }

    /// All moves searched so far lose by force, so that nothing may be left out.
    pub(super) fn are_losing(&self) -> bool {
        self.best.is_lost()
    }
}
