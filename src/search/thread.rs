//! Thread context of a worker during a search: node counts, stop check and observer.

use super::shared::{CurrentLine, Observer, SearchContext};
use super::stack::Stack;
use crate::smp::shared::Stopped;

/// Interval at which a worker publishes its nodes, in nodes.
const PUBLISH_INTERVAL: u64 = 256;

/// Interval at which a worker reports its current line, in nodes; a multiple of [`PUBLISH_INTERVAL`].
const LINE_INTERVAL: u64 = 1 << 20;

/// Thread context of one worker in one search.
pub(super) struct ThreadContext<'a> {
    pub(super) context: &'a SearchContext,
    /// Number of the worker, from 0.
    pub(super) worker: usize,
    /// Nodes of this worker since the search began.
    pub(super) nodes: u64,
    /// Number of endgame tablebase hits.
    pub(super) tb_hits: u64,
    /// Number of nodes of all workers at which the search ends.
    node_limit: Option<u64>,
    /// Whether the stop flag ends the search.
    ///
    /// Worker 0 finishes the first iteration, which takes a fraction of a millisecond, unless a node limit ends it, so
    /// that there is a searched move.
    may_stop: bool,
    observer: Option<&'a mut dyn Observer>,
    /// Whether results are not reported: the search is one beside that of the plan.
    pub(super) is_silent: bool,
}

impl<'a> ThreadContext<'a> {
    pub(super) fn new(context: &'a SearchContext, worker: usize) -> Self {
        let node_limit = context.max_nodes();
        Self {
            context,
            worker,
            nodes: 0,
            tb_hits: 0,
            node_limit,
            may_stop: worker > 0,
            observer: None,
            is_silent: false,
        }
    }

    /// Reports to `observer` from now on.
    pub(super) fn observe(&mut self, observer: &'a mut dyn Observer) {
        self.observer = Some(observer);
    }

    /// Stop check on entry to the node at the end of `stack`.
    pub(super) fn check_stop(&mut self, stack: &Stack) -> Result<(), Stopped> {
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            self.poll(stack);
        }
        let spent = self.node_limit.is_some_and(|most| self.nodes + self.nodes_of_others() >= most);
        if spent || self.may_stop && self.context.stop.is_raised() { Err(Stopped) } else { Ok(()) }
    }

    /// Makes the stop flag end the search from now on.
    pub(super) fn allow_stop(&mut self) {
        self.may_stop = true;
    }

    /// Ends the search after as many further nodes of all workers as there have been, at least `least` per worker.
    pub(super) fn end_after_as_many_again(&mut self, least: u64) {
        let nodes = self.nodes + self.nodes_of_others();
        let again = nodes.max(least * self.context.counters.workers() as u64);
        self.node_limit = self.context.max_nodes().into_iter().chain([nodes + again]).min();
    }

    /// Publishes the node counts of the worker.
    pub(super) fn publish(&self) {
        self.context.counters.publish(self.worker, self.nodes, self.tb_hits);
    }

    /// Reports a result, if this is worker 0.
    pub(super) fn report(&mut self, report: impl FnOnce(&mut dyn Observer)) {
        if let Some(observer) = self.observer.as_deref_mut().filter(|_| self.worker == 0 && !self.is_silent) {
            report(observer);
        }
    }

    fn nodes_of_others(&self) -> u64 {
        if self.context.counters.workers() > 1 { self.context.counters.total_without(self.worker) } else { 0 }
    }

    /// Publishes the node counts and calls the observer.
    #[cold] // once in a few hundred nodes
    fn poll(&mut self, stack: &Stack) {
        self.publish();
        let Some(observer) = &mut self.observer else { return };
        if self.context.plan.shows_current_line && self.nodes.is_multiple_of(LINE_INTERVAL) {
            observer.current_line(CurrentLine { worker: self.worker + 1, line: stack.line().collect() });
        }
        observer.pause();
    }
}
