//! Node counters of the workers.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam::utils::CachePadded;

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
        self.0[worker].nodes.store(nodes, Ordering::Relaxed);
        self.0[worker].tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    /// Returns the published nodes of all workers.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Returns the published looked-up nodes of all workers.
    pub fn tb_hits(&self) -> u64 {
        self.0.iter().map(|counter| counter.tb_hits.load(Ordering::Relaxed)).sum()
    }

    /// Returns the published nodes of all workers but one.
    pub(crate) fn total_without(&self, worker: usize) -> u64 {
        self.total() - self.0[worker].nodes.load(Ordering::Relaxed)
    }

    /// Returns the number of workers.
    pub fn workers(&self) -> usize {
        self.0.len()
    }
}
