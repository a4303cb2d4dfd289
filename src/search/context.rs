//! What one search shares among its workers: the table, the stop flag, the limits and the root.

use std::sync::Arc;

use super::plan::Plan;
use super::report::Attendant;
use crate::board::{Move, Position};
use crate::endgame::Outcome;
use crate::rules::Rules;
use crate::smp::counters::NodeCounters;
use crate::smp::stop::StopFlag;
use crate::smp::table::Table;

/// Names one search, so that a late alarm or report cannot touch the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Bounds that need no clock, so that a search within them is reproducible with one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes of all workers together.
    pub nodes: Option<u64>,
    /// End once the mover is known to mate within so many of its moves.
    pub mate: Option<u32>,
}

/// One search. The workers drop it before they report, so that an idle controller owns the table alone.
#[derive(Debug)]
pub struct SearchContext {
    /// Which search this is.
    pub id: SearchId,
    /// The shared table.
    pub table: Arc<Table>,
    /// Raised when the search shall end.
    pub stop: StopFlag,
    /// Depth and node bounds.
    pub limits: Limits,
    /// Nodes searched by each worker.
    pub counters: NodeCounters,
    /// The game so far, oldest first; the last position is the one to search.
    pub history: Vec<Position>,
    /// The moves that may be played: legal, not banned, among `searchmoves` if given. Never empty.
    pub root_moves: Vec<Move>,
    /// What the side to move can reach at best, if that is known; the root moves are those that reach it.
    pub known: Option<Outcome>,
    /// By which rules repetitions are judged.
    pub rules: Rules,
    /// What the user wants besides.
    pub plan: Plan,
    /// Whom the workers talk to on the way.
    pub attendant: Option<Arc<dyn Attendant>>,
}

impl SearchContext {
    /// A search of the end of `history` for one worker: of every legal move, by the rules and the plan that are the default,
    /// without limits.
    ///
    /// # Panics
    /// If there is no position.
    pub fn new(table: Arc<Table>, history: Vec<Position>) -> Self {
        Self {
            id: SearchId(0),
            table,
            stop: StopFlag::default(),
            limits: Limits::default(),
            counters: NodeCounters::new(1),
            root_moves: history.last().expect("a search has a position").legal_moves().to_vec(),
            history,
            known: None,
            rules: Rules::default(),
            plan: Plan::default(),
            attendant: None,
        }
    }

    /// The same with these rules and a small table of its own.
    #[cfg(test)]
    pub(super) fn of_game(history: Vec<Position>, rules: Rules) -> Self {
        Self { rules, ..Self::new(Arc::new(Table::new(1).unwrap()), history) }
    }

    /// The position to search.
    pub fn root(&self) -> &Position {
        self.history.last().expect("a search has a position")
    }
}
