//! The end of a search: its stop, the grace period of its workers, and the lateness of its answer.

use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::event::SearchId;
use crate::engine::ongoing::Ongoing;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Stops the workers, which was due at `due`, and sets their grace period: one that gets no time slice may be too late. If
    /// that period is already over, the answer goes out at once.
    pub(super) fn end(&mut self, mut search: Ongoing, due: Instant) -> Phase {
        search.end();
        match search.fall_due(due) {
            Some(until) if until <= self.clock.now() => return self.answer_early(search),
            Some(until) => self.clock.arm(&search.context().stop, until),
            None => {}
        }
        Phase::Thinking(search)
    }

    /// Answers with the result so far, whatever the workers are doing. If none of them has had a time slice, the controller
    /// searches the position itself.
    pub(super) fn answer_early(&mut self, mut search: Ongoing) -> Phase {
        tracing::debug!(search = ?search.id(), "answered without waiting for the workers");
        if !search.knows_something()
            && let Some(glance) = self.glance(search.context())
        {
            search.add(glance);
        }
        let choice = self.choose(&search);
        self.note_lateness(&search);
        self.leave(search);
        self.answer(Some(choice))
    }

    /// Detaches a search: its workers may take their time to end, and begin the next one afterwards.
    pub(super) fn leave(&mut self, mut search: Ongoing) {
        if !search.is_over() {
            search.end();
            self.departing.push(search);
        }
    }

    /// Returns the search with this id that some worker has not ended yet, active or detached.
    pub(super) fn searched(&mut self, id: SearchId) -> Option<&mut Ongoing> {
        self.phase.search().into_iter().chain(&mut self.departing).find(|search| search.id() == id)
    }

    /// Returns the delay after which a command that starts our clock, read at `read_at`, is carried out.
    ///
    /// It is twice the time since then: the reader has to wait for its time slice as well, before any clock can be read, and is
    /// assumed to have waited as long. The engine's own work is not counted.
    pub(super) fn heard_late(&self, read_at: Instant) -> Duration {
        let own = |&[begun, done]: &[Instant; 2]| done.saturating_duration_since(begun.max(read_at));
        let waited = self.clock.now().saturating_duration_since(read_at);
        2 * waited.saturating_sub(self.long_works.iter().map(own).sum())
    }

    /// Records the lateness of the answer that goes out now.
    pub(super) fn note_lateness(&mut self, search: &Ongoing) {
        self.lateness.observe(search.lateness(self.clock.now()));
    }
}
