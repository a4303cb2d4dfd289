//! The values that the search passes around: the node, one of its moves, and the result of searching them.

use super::stack::Repetitions;
use super::window::Window;
use crate::board::{Kind, Move, MoveList};
use crate::score::Score;
use crate::smp::table::Entry;

/// Node types, known at compile time.
pub(super) trait NodeType {
    /// The window is open: exact value and principal variation are wanted.
    const PV: bool;
    /// The root: the line of a move is wanted even where it fails high.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a null window, off the principal variation.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// A node before its moves are searched. All pruning and reduction rules read it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Plies to search.
    pub(super) depth: i32,
    /// The window at the start; alpha may rise while the moves are searched.
    pub(super) window: Window,
    pub(super) pv: bool,
    /// The node is expected to fail high.
    pub(super) cut_node: bool,
    /// The transposition table's entry.
    pub(super) tt_hit: Option<Entry>,
    /// The entry's move, if it is legal here.
    pub(super) tt_move: Option<Move>,
    /// The entry's move captures.
    pub(super) tt_capture: bool,
    /// The position is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// Static evaluation before correction; none in check.
    pub(super) raw_eval: Option<Score>,
    /// Static evaluation after correction, replaced by the entry's score where that is a better bound; none in check.
    pub(super) eval: Option<Score>,
    /// Absolute correction of the static evaluation, in centipawns.
    pub(super) complexity: i32,
    /// The static evaluation is higher than two plies ago, or well above beta.
    pub(super) improving: bool,
    /// Few men are left in a search for mates beside another: most moves only wait, and reductions are larger.
    pub(super) few_men: bool,
    /// Moves that repeat a position, listed only where a draw would raise alpha.
    pub(super) repetitions: Repetitions,
}

/// One move of a node, before it is searched.
#[derive(Clone, Debug)]
pub(super) struct MoveInfo {
    pub(super) mv: Move,
    pub(super) captured: Option<Kind>,
    pub(super) gives_check: bool,
    pub(super) is_killer: bool,
    /// The result of SEE against 0, if the move picker has computed it.
    pub(super) see_holds: Option<bool>,
    /// Moves of this node searched before.
    pub(super) move_count: usize,
    pub(super) history: i32,
    /// The part of `history` from continuation history; 0 for captures.
    pub(super) continuation: i32,
    /// Plies added.
    pub(super) extension: i32,
    /// Plies taken off the first search.
    pub(super) reduction: i32,
}

impl MoveInfo {
    pub(super) fn is_capture(&self) -> bool {
        self.captured.is_some()
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.captured.is_none() && !self.gives_check
    }
}

/// The result of searching a node's moves.
#[derive(Clone, Debug)]
pub(super) struct NodeResult {
    pub(super) best: Score,
    /// The last move that raised alpha.
    pub(super) best_move: Option<Move>,
    /// The moves searched, in order.
    pub(super) searched: MoveList,
}

impl NodeResult {
    pub(super) fn new() -> Self {
        Self { best: -Score::INFINITE, best_move: None, searched: MoveList::new() }
    }

    /// Raises the best score to the futility value of a pruned move: less is not proven.
    pub(super) fn raise_to(&mut self, futility_value: Score) {
        if !self.best.is_decisive() && !futility_value.is_decisive() {
            self.best = self.best.max(futility_value);
        }
    }

    /// Every move searched so far loses by force, so no move may be pruned.
    pub(super) fn is_lost(&self) -> bool {
        self.best.is_lost()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A node off the principal variation with a null window below `beta`, all in centipawns.
    pub(in crate::search) fn node(depth: i32, eval: i32, beta: i32) -> Node {
        let (eval, beta) = (Score::from_eval(eval), Score::from_eval(beta));
        Node {
            depth,
            window: Window { alpha: beta - 1, beta },
            pv: false,
            cut_node: false,
            tt_hit: None,
            tt_move: None,
            tt_capture: false,
            tt_pv: false,
            raw_eval: Some(eval),
            eval: Some(eval),
            complexity: 0,
            improving: false,
            few_men: false,
            repetitions: Repetitions::new(),
        }
    }

    /// The first move of a node: quiet and without history.
    pub(in crate::search) fn move_info() -> MoveInfo {
        MoveInfo {
            mv: "h2e2".parse().unwrap(),
            captured: None,
            gives_check: false,
            is_killer: false,
            see_holds: None,
            move_count: 0,
            history: 0,
            continuation: 0,
            extension: 0,
            reduction: 0,
        }
    }
}
