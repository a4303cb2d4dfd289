//! What ends a search: its stop flag, its limits, and the nodes that count against them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam::utils::CachePadded;

/// The search was told to stop; every recursion level passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Raised by whoever began the search, in the engine the controller and its time manager; the workers look at it in every node. Clones are one flag: who may raise it
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

/// Nodes searched so far, and those of them that tables of endgames knew, by worker; each has a cache line of its own.
#[derive(Debug)]
pub struct NodeCounters(Box<[CachePadded<Counter>]>);

#[derive(Debug, Default)]
struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl NodeCounters {
    /// Counters at zero for this many workers.
    pub fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| CachePadded::default()).collect())
    }

    /// Publishes what `worker` has searched since the search began, and in how many of these nodes tables of endgames have
    /// helped.
    pub fn publish(&self, worker: usize, nodes: u64, table_hits: u64) {
        self.0[worker].nodes.store(nodes, Ordering::Relaxed);
        self.0[worker].table_hits.store(table_hits, Ordering::Relaxed);
    }

    /// The published nodes of all workers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.nodes.load(Ordering::Relaxed)).sum()
    }

    /// The published nodes of all workers that tables of endgames knew.
    pub fn table_hits(&self) -> u64 {
        self.0.iter().map(|counter| counter.table_hits.load(Ordering::Relaxed)).sum()
    }

    /// The published nodes of all workers but one.
    pub(crate) fn total_without(&self, worker: usize) -> u64 {
        self.total() - self.0[worker].nodes.load(Ordering::Relaxed)
    }

    /// How many workers count here.
    pub fn workers(&self) -> usize {
        self.0.len()
    }
}
