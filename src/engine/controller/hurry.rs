//! Answers that leave no time to wake anybody.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::endings::Kept;
use crate::engine::event::Go;
use crate::engine::ongoing::Ongoing;
use crate::search::{Limits, Outcome, SearchContext};
use crate::smp::time::{Budget, Timekeeper};

/// What the controller may search itself in a millisecond: it takes some half of it, so that the system sees a thread that
/// asks for little and gives it its turn at once.
const NODES_A_MILLISECOND: u64 = 800;
/// What it may search where a worker has had no turn.
const NODES: u64 = NODES_A_MILLISECOND;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Searches a little on the controller's own thread. On a busy machine a worker may have to wait many milliseconds
    /// for its turn, because it has used up the last one; the controller has just been given one.
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

    /// Looks at the position of a search that has nothing to show, although its time is up; none if that fails.
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

/// What may be searched in that time, at least one node.
fn nodes_within(time: Duration) -> u64 {
    let nodes = time.as_micros().saturating_mul(u128::from(NODES_A_MILLISECOND)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
