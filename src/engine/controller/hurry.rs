//! Instant moves: answers that leave no time to wake a worker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::endings::Kept;
use crate::engine::event::Go;
use crate::engine::ongoing::Ongoing;
use crate::search::{Limits, Outcome, SearchContext};
use crate::smp::time::{Budget, Timekeeper};

/// Nodes that the controller may search per millisecond. They take about half of it: a thread that uses little of the processor
/// gets its next time slice at once.
const NODES_A_MILLISECOND: u64 = 800;
/// Node limit of the search in place of workers that had no time slice.
const NODES: u64 = NODES_A_MILLISECOND;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Answers after a short search on the controller's own thread. On a busy machine a worker that has used up its time slice
    /// may wait many milliseconds for the next one; the controller has just received one.
    pub(super) fn answer_at_once(
        &mut self,
        go: &Go,
        choices: Kept,
        budget: Budget,
        read_at: Instant,
        late: Duration,
    ) -> Phase {
        let affordable = nodes_within(budget.hard());
        let nodes = go.limits.nodes.map_or(affordable, |nodes| nodes.min(affordable));
        let limits = Limits { nodes: Some(nodes), ..go.limits };
        let hits = choices.hits;
        let context = self.context(1, limits, self.game.history().to_vec(), choices, true);
        let begun = self.clock.now();
        let outcome = self.resources.think(&context);
        let mut search = Ongoing::new(Arc::new(context), read_at);
        search.begin_late(late, begun);
        search.add_table_hits(hits);
        let due_at = begun + budget.hard();
        search.ask(Some(budget), read_at, go.draw);
        search.fall_due(due_at);
        match outcome {
            Some(outcome) => search.finished(0, outcome),
            None => search.died(),
        }
        let choice = self.choose(&search);
        self.note_lateness(&search);
        drop(search);
        self.answer(Some(choice))
    }

    /// Searches a position whose time is up without any result; none if that fails.
    pub(super) fn glance(&mut self, search: &SearchContext) -> Option<Outcome> {
        let context = SearchContext {
            id: search.id,
            limits: Limits { nodes: Some(NODES), ..Limits::default() },
            root_moves: search.root_moves.clone(),
            known: search.known,
            rules: search.rules,
            plan: search.plan.clone(),
            ..SearchContext::new(Arc::clone(&search.table), search.history.clone())
        };
        self.resources.think(&context)
    }
}

/// Returns the number of nodes that fit into this time, at least one.
fn nodes_within(time: Duration) -> u64 {
    let nodes = time.as_micros().saturating_mul(u128::from(NODES_A_MILLISECOND)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
