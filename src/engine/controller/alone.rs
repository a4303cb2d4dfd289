//! Fallback without threads: if the system has refused all worker threads, the controller searches itself. Meanwhile it reacts
//! to its alarm alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::endings::Kept;
use crate::engine::event::Go;
use crate::engine::ongoing::Ongoing;
use crate::smp::time::{Budget, Timekeeper};

/// Time limit of a search without a clock, since no command could stop it.
const LONGEST: Duration = Duration::from_secs(1);

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Searches on the controller's own thread until a limit is reached or the alarm raises the stop flag, then answers. The
    /// answer is held if it has to wait for `ponderhit` or `stop`.
    pub(super) fn go_alone(&mut self, go: &Go, choices: Kept, budget: Option<Budget>, read_at: Instant) -> Phase {
        let saves_time = self.game.position().is_some_and(|position| go.saves_time(position.side()));
        let hits = choices.hits;
        let context = Arc::new(self.context(1, go.limits, self.game.history().to_vec(), choices, saves_time));
        let mut search = Ongoing::new(Arc::clone(&context), read_at);
        search.add_table_hits(hits);
        let now = self.clock.now();
        // The deadline cannot move during the search, so it is the soft limit.
        let end = budget.as_ref().map_or(now + LONGEST, |budget| read_at + budget.soft());
        search.ask(budget, read_at, go.draw);
        self.clock.arm(&context.stop, end);
        match self.resources.think(&context) {
            Some(outcome) => search.finished(0, outcome),
            None => search.died(),
        }
        drop(context);
        let choice = self.choose(&search);
        drop(search);
        let hit_is_enough = go.ponder && (!go.infinite || self.is_found(&choice));
        if go.ponder || !go.is_bounded() { self.hold(choice, hit_is_enough) } else { self.answer(Some(choice)) }
    }
}
