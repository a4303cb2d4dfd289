//! The end of a search: when it is told to stop, how long its workers are waited for, and how late its answer is.

use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::event::SearchId;
use crate::engine::ongoing::Ongoing;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Tells the workers to stop, which was due at `due`, and sets how long they are waited for: one that gets no turn from
    /// the system may come too late. If we are that late ourselves, the answer waits for nobody.
    pub(super) fn end(&mut self, mut search: Ongoing, due: Instant) -> Phase {
        search.end();
        match search.fall_due(due) {
            Some(until) if until <= self.clock.now() => return self.answer_early(search),
            Some(until) => self.clock.arm(&search.context().stop, until),
            None => {}
        }
        Phase::Thinking(search)
    }

    /// Answers with what is known, whatever the workers are doing. If none of them has had its turn at all, the
    /// controller looks at the position itself.
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

    /// Takes leave of a search: its workers may take their time to end, and begin the next one when they have.
    pub(super) fn leave(&mut self, mut search: Ongoing) {
        if !search.is_over() {
            search.end();
            self.departing.push(search);
        }
    }

    /// The search by this name that some worker has not ended yet, wanted or not.
    pub(super) fn searched(&mut self, id: SearchId) -> Option<&mut Ongoing> {
        self.phase.search().into_iter().chain(&mut self.departing).find(|search| search.id() == id)
    }

    /// How late a word that starts our clock is obeyed, which was read at `read_at`, and how late it was read: the thread that
    /// reads has to wait for its turn as well, where nobody can watch the clock, and is believed to have waited as long. Work
    /// of our own is no fault of the machine's.
    pub(super) fn heard_late(&self, read_at: Instant) -> Duration {
        let own = |&[begun, done]: &[Instant; 2]| done.saturating_duration_since(begun.max(read_at));
        let waited = self.clock.now().saturating_duration_since(read_at);
        2 * waited.saturating_sub(self.long_works.iter().map(own).sum())
    }

    /// Remembers how late the answer is that goes out now.
    pub(super) fn note_lateness(&mut self, search: &Ongoing) {
        self.lateness.observe(search.lateness(self.clock.now()));
    }
}
