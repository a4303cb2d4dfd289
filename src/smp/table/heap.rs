//! Substitute for `memory.rs` under miri and loom, which cannot map memory.
//!
//! Clusters are built one by one, which is slow, so there are fewer of them.

use std::io;
use std::ops::Deref;

use super::cluster::Cluster;

/// Clusters on the heap.
pub(super) struct Clusters(Vec<Cluster>);

/// Number of clusters in a mapped table for each cluster here.
const SCALE: usize = 64;

impl Clusters {
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(len / SCALE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        clusters.resize_with(len / SCALE, Cluster::empty);
        Ok(Self(clusters))
    }

    pub(super) fn touch(&mut self, _threads: usize) {}

    pub(super) fn clear(&mut self, _threads: usize) {
        self.0.fill_with(Cluster::empty);
    }
}

impl Deref for Clusters {
    type Target = [Cluster];

    fn deref(&self) -> &[Cluster] {
        &self.0
    }
}

pub(super) fn prefetch(_: &Cluster) {}
