//! Normal search beside one without pruning: pruned in full, so that it looks far ahead for a mate.
//!
//! A mate that a pruned search announces is no less certain: where a side is lost, none of its moves is left out.
//! The search has its own root moves and its own part of the transposition table; the histories are shared.

use std::mem::swap;

use super::deepening::MAX_DEPTH;
use super::mating::is_mate_for_us;
use super::plan::{MateSearch, Pruning};
use super::shared::Outcome;
use super::worker::Worker;
use crate::smp::shared::Stopped;
use crate::smp::table::Bound;

/// Nodes granted to the normal search before any others, and its factor to those of the search without pruning.
///
/// The iterations of the latter grow tenfold from ply to ply, and the normal search waits for them.
const FIRST_NODES: u64 = 20_000;
const FACTOR: u64 = 16;

impl Worker<'_> {
    /// Whether the normal search runs beside that of the plan: if the plan prunes less and looks for mates first.
    ///
    /// A search to a given depth is without it: it would take many times as long, and the user wants that depth of the plan's
    /// own search.
    pub(super) fn has_normal_search(&self) -> bool {
        let is_to_depth = self.thread.context.limits.depth.is_some();
        self.plan.mates == MateSearch::First && self.plan.pruning < Pruning::default() && !is_to_depth
    }

    /// Continues the normal search for a mate, up to `part` of the `parts` of its share. Worker 0 does this for all.
    ///
    /// Returns whether a mate was found in this call.
    pub(super) fn search_normally(&mut self, part: u64, parts: u64) -> Result<bool, Stopped> {
        if self.thread.worker > 0 || !self.has_normal_search() || self.mate.is_some() {
            return Ok(false);
        }
        let share = (FIRST_NODES + FACTOR * self.own_nodes()) * part / parts;
        let begun = self.thread.nodes;
        let allowed = share.saturating_sub(self.normal.nodes);
        let depth_before = self.nominal_depth;
        self.swap_searches();
        let mut stopped = Ok(());
        while stopped.is_ok()
            && self.thread.nodes - begun < allowed
            && self.normal.depth < MAX_DEPTH
            && self.mate.is_none()
        {
            stopped = self.deepen_normally();
        }
        self.swap_searches();
        self.nominal_depth = depth_before;
        self.normal.nodes += self.thread.nodes - begun;
        if let Some(&[first, ..]) = self.mate.as_deref() {
            self.root.record_win(first);
        }
        stopped.map(|()| self.mate.is_some())
    }

    /// Runs one iteration of the normal search, and keeps the mate that it announces.
    fn deepen_normally(&mut self) -> Result<(), Stopped> {
        let (depth, last) = (self.normal.depth + 1, self.normal.score);
        let mut outcome = Outcome {
            depth: 0,
            selective_depth: 0,
            score: last,
            bound: Bound::Exact,
            score_depth: 0,
            pv: vec![self.root.fallback()],
            nodes: 0,
        };
        let score = self.iterate(depth, 1, last, &mut outcome)?;
        let line = self.pv.line(0).to_vec();
        self.root.expected = line.first().copied().or(self.root.expected);
        (self.normal.depth, self.normal.score) = (depth, score);
        if is_mate_for_us(score) && score.plies_to_end() == Some(line.len()) {
            self.mate = Some(line);
        }
        Ok(())
    }

    /// Exchanges the state of the search with that of the normal one.
    fn swap_searches(&mut self) {
        swap(&mut self.root, &mut self.normal.root);
        swap(&mut self.table, &mut self.normal.table);
        swap(&mut self.pruning, &mut self.normal.pruning);
        self.thread.is_silent = !self.thread.is_silent;
    }

    /// Whether the normal search beside that of the plan is running.
    pub(super) fn is_aside(&self) -> bool {
        self.thread.is_silent
    }

    /// Returns the nodes spent on the search of the plan.
    pub(super) fn own_nodes(&self) -> u64 {
        self.thread.nodes - self.mate_nodes - self.normal.nodes
    }
}
