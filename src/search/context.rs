//! What one search shares among its workers: the table, the stop flag, the limits and the root.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

use super::preferences::Preferences;
use crate::board::{Move, Position};
use crate::rules::Rules;
use crate::table::Table;

/// Names one search, so that a late alarm or report cannot touch the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// The search was told to stop; every recursion level passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Raised by the controller and by its alarm; the workers look at it in every node. Clones are one flag: who may raise it
/// need not hold the search, and with it the table.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Tells the workers to stop.
    pub fn raise(&self) {
        // Relaxed: nothing is published through the flag, results travel by channel.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the two are one flag.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the workers shall stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

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

/// Nodes searched so far, one counter per worker on a cache line of its own.
#[derive(Debug)]
pub struct NodeCounters(Box<[CachePadded<AtomicU64>]>);

impl NodeCounters {
    /// Counters at zero for this many workers.
    pub fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| CachePadded::new(AtomicU64::new(0))).collect())
    }

    /// Publishes what `worker` has searched since the search began.
    pub fn publish(&self, worker: usize, nodes: u64) {
        self.0[worker].store(nodes, Ordering::Relaxed);
    }

    /// The published nodes of all workers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }

    /// The published nodes of all workers but one.
    pub(crate) fn total_without(&self, worker: usize) -> u64 {
        self.total() - self.0[worker].load(Ordering::Relaxed)
    }

    /// How many workers count here.
    pub fn workers(&self) -> usize {
        self.0.len()
    }
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
    /// By which rules repetitions are judged.
    pub rules: Rules,
    /// What the user wants besides.
    pub preferences: Preferences,
}

#[cfg(test)]
impl SearchContext {
    /// A search without limits of the end of a game, with a table of its own.
    pub(super) fn of_game(history: Vec<Position>, rules: Rules) -> Self {
        Self {
            id: SearchId(1),
            table: Arc::new(Table::new(1).unwrap()),
            stop: StopFlag::default(),
            limits: Limits::default(),
            counters: NodeCounters::new(1),
            root_moves: history[history.len() - 1].legal_moves().to_vec(),
            history,
            rules,
            preferences: Preferences::default(),
        }
    }
}

impl SearchContext {
    /// The position to search.
    pub fn root(&self) -> &Position {
        self.history.last().expect("a search has a position")
    }
}
