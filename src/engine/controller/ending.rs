//! The end of a search: when it is told to stop, how long its workers are waited for, and how late its answer is.

use std::mem;
use std::time::{Duration, Instant};

use super::{Controller, Phase, Surroundings};
use crate::engine::event::{AlarmId, Command, Event, SearchId};
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
        let current = match &mut self.phase {
            Phase::Thinking(search) | Phase::Pondering(search) | Phase::Musing(search) => Some(search),
            Phase::Boot | Phase::Idle | Phase::Holding { .. } => None,
        };
        current.into_iter().chain(&mut self.departing).find(|search| search.id() == id)
    }

    /// Whether the event is a command to an idle engine that may change the table or the workers themselves. It waits for
    /// those on their way out of earlier searches; the next search does not.
    pub(super) fn waits_for_workers(&self, event: &Event) -> bool {
        let Event::Command { command, .. } = event else { return false };
        let is_idle = matches!(self.phase, Phase::Idle) && !self.departing.is_empty();
        is_idle && matches!(command, Command::SetOption { .. } | Command::IsReady)
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
