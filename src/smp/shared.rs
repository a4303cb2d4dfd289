//! Shared state of the workers of one search, beside the table: stop flag and node counters.

use std::sync::atomic::{self, AtomicU64};

use crossbeam::utils::CachePadded;

use crate::sync::{Arc, AtomicBool, Ordering};

/// Error of a search that was stopped; every recursion level passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Stop flag, which the workers check at every node.
///
/// Raised by the side that began the search: in the engine, the controller and its time manager. Clones share one
/// flag, so that raising it requires neither the search nor its table.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Tells the workers to stop.
    pub fn raise(&self) {
        // Relaxed: nothing is published through the flag, results travel by channel.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether both are clones of one flag.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the workers should stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Nodes searched so far by each worker, and endgame-tablebase hits.
///
/// Each worker has a cache line of its own.
#[derive(Debug)]
pub struct NodeCounters(Box<[CachePadded<Counter>]>);

#[derive(Debug, Default)]
struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl NodeCounters {
    /// Creates counters at zero for this many workers.
    pub fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| CachePadded::default()).collect())
    }

    /// Publishes the nodes of `worker` since the search began, and its tablebase hits.
    pub fn publish(&self, worker: usize, nodes: u64, tb_hits: u64) {
        self.0[worker].nodes.store(nodes, atomic::Ordering::Relaxed);
        self.0[worker].tb_hits.store(tb_hits, atomic::Ordering::Relaxed);
    }

    /// Returns the published nodes of all workers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.nodes.load(atomic::Ordering::Relaxed)).sum()
    }

    /// Returns the published looked-up nodes of all workers.
    pub fn tb_hits(&self) -> u64 {
        self.0.iter().map(|counter| counter.tb_hits.load(atomic::Ordering::Relaxed)).sum()
    }

    /// Returns the published nodes of all workers but one.
    pub(crate) fn total_without(&self, worker: usize) -> u64 {
        self.total() - self.0[worker].nodes.load(atomic::Ordering::Relaxed)
    }

    /// Returns the number of workers.
    pub fn workers(&self) -> usize {
        self.0.len()
    }
}
