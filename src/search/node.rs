//! A node: its kind, its data before its moves are searched, and the result of its moves.

use super::path::Returns;
use super::reductions::TableMove;
use crate::board::{Move, MoveList};
use crate::score::Score;
use crate::smp::table::Entry;

/// Node types, so that each is compiled without the cases of the others.
pub(super) trait Node {
    /// Whether this is a PV node: searched with an open window for its exact value and line.
    const PV: bool;
    /// Whether this is the root, where the line of a move is wanted even if the move fails high.
    const ROOT: bool;
}

/// Root node.
pub(super) struct Root;
/// PV node: a node on the principal variation.
pub(super) struct Pv;
/// Non-PV node, searched with a zero window: is its value above or below one score?
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

/// Data of a node before its moves are searched.
pub(super) struct Facts {
    /// Remaining depth, in plies.
    pub(super) depth: i32,
    /// Whether the node is expected to fail high (cut node).
    pub(super) cut: bool,
    /// TT entry of the position (TT hit).
    pub(super) known: Option<Entry>,
    /// Move to try first: the TT move (hash move), at the root the best move of the last iteration.
    pub(super) table_move: Option<Move>,
    /// Kind of `table_move`.
    pub(super) table_move_kind: TableMove,
    /// Whether the position is, or once was, on a principal variation (TT PV).
    pub(super) was_pv: bool,
    /// Static evaluation before correction; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// Static evaluation, corrected, and replaced by the TT score where its bound is tighter; `None` in check.
    pub(super) eval: Option<Score>,
    /// Complexity: absolute correction of the static evaluation, in centipawns.
    pub(super) doubt: i32,
    /// Whether the mover stands better than two plies ago.
    pub(super) improving: bool,
    /// Upcoming repetitions, where a draw would be welcome. Collected only once moves are to be searched.
    pub(super) returns: Returns,
}

/// Result of the move loop so far.
pub(super) struct Findings {
    pub(super) best: Score,
    /// Last move that has raised alpha.
    pub(super) best_move: Option<Move>,
    /// Moves searched so far.
    pub(super) searched: MoveList,
}

impl Findings {
    pub(super) fn none() -> Self {
        Self { best: -Score::INFINITE, best_move: None, searched: MoveList::new() }
    }

    /// Raises the best score to the value that a pruned move might have: nothing below it is proven.
    pub(super) fn hope_for(&mut self, hope: Score) {
        if !self.best.is_decisive() && !hope.is_decisive() {
            self.best = self.best.max(hope);
        }
    }

    /// Whether all moves searched so far lose by force, so that no move may be pruned.
    pub(super) fn are_losing(&self) -> bool {
        self.best.is_lost()
    }
}
