//! Search context: the data that all workers of one search share (table, stop flag, limits, root).

use std::sync::Arc;

use super::plan::Plan;
use super::report::Attendant;
use crate::board::{Move, Position};
use crate::endgame::Outcome;
use crate::rules::Rules;
use crate::smp::counters::NodeCounters;
use crate::smp::stop::StopFlag;
use crate::smp::table::Table;

/// Number of a search, so that a late alarm or report cannot affect the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Search limits that need no clock: within them, a search with one worker is reproducible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum depth of an iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum nodes of all workers together.
    pub nodes: Option<u64>,
    /// Mate limit: the search ends once the side to move is known to mate within this number of its moves.
    pub mate: Option<u32>,
}

/// One search. The workers drop it before they report, so that an idle controller is the sole owner of the table.
#[derive(Debug)]
pub struct SearchContext {
    /// Number of this search.
    pub id: SearchId,
    /// Shared transposition table.
    pub table: Arc<Table>,
    /// Flag that is raised to end the search.
    pub stop: StopFlag,
    /// Depth, node and mate limits.
    pub limits: Limits,
    /// Nodes searched by each worker.
    pub counters: NodeCounters,
    /// The game so far, oldest position first; the last position is the one to search.
    pub history: Vec<Position>,
    /// Root moves that may be played: legal, not banned, and among `searchmoves` if given. Never empty.
    pub root_moves: Vec<Move>,
    /// Best outcome that the side to move can reach, if known; the root moves are those that reach it.
    pub known: Option<Outcome>,
    /// Rules by which repetitions are judged.
    pub rules: Rules,
    /// Search plan: the user's options for this search.
    pub plan: Plan,
    /// Observer that the workers call while they search.
    pub attendant: Option<Arc<dyn Attendant>>,
}

impl SearchContext {
    /// Creates a search of the last position of `history` for one worker.
    ///
    /// Searches all legal moves under the default rules and plan, without limits.
    ///
    /// # Panics
    /// If `history` is empty.
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

    /// Creates a search under these rules, with a small table of its own.
    #[cfg(test)]
    pub(super) fn of_game(history: Vec<Position>, rules: Rules) -> Self {
        Self { rules, ..Self::new(Arc::new(Table::new(1).unwrap()), history) }
    }

    /// Returns the position to search.
    pub fn root(&self) -> &Position {
        self.history.last().expect("a search has a position")
    }
}
