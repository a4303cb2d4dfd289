//! The end of a search: when it is told to stop, how long its workers are waited for, and how late its answer is.

use std::mem;
use std::time::{Duration, Instant};

use super::{Controller, Phase, Surroundings};
use crate::engine::event::AlarmId;
use crate::engine::ongoing::Ongoing;
use crate::time::Timekeeper;

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

    pub(super) fn time_is_up(&mut self, alarm: AlarmId) {
        let Some(due) = self.clock.hear(alarm) else { return };
        let due = due.min(self.clock.now());
        self.phase = match mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(search) if search.is_due() => self.answer_early(search),
            Phase::Thinking(search) => self.end(search, due),
            // Only a search under way has its alarm set.
            phase => phase,
        };
    }

    /// Answers with what is known; the workers are still on their way out. If none of them has had its turn at all, the
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
        self.say_move(&choice);
        Phase::Unwinding(search)
    }

    /// How late a line is obeyed that was read at `read_at`, and how late it was read: the thread that reads has to wait for
    /// its turn as well, where nobody can watch the clock, and is believed to have waited as long.
    pub(super) fn heard_late(&self, read_at: Instant) -> Duration {
        2 * self.clock.now().saturating_duration_since(read_at)
    }

    /// Remembers how late the answer is that goes out now.
    pub(super) fn note_lateness(&mut self, search: &Ongoing) {
        self.lateness.observe(search.lateness(self.clock.now()));
    }
}
