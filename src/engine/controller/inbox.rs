//! The event queue as the controller reads it: each event when it is due.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use super::backlog::{Backlog, Waiting};
use super::phase::Phase;
use super::turn::{QueuePolicy, Turn, is_input, is_stop};
use crate::engine::event::Event;
use crate::smp::time::{AlarmClock, Timekeeper};

/// The event queue, and the input that waits.
pub(super) struct Inbox {
    queue: Receiver<Event>,
    /// Events received while a view was shown, oldest first; older than all events in the queue.
    buffered: VecDeque<Event>,
    /// Input that waits for the end of the search.
    pub(super) backlog: Backlog,
}

impl Inbox {
    pub(super) fn new(queue: Receiver<Event>) -> Self {
        Self { queue, buffered: VecDeque::new(), backlog: Backlog::default() }
    }

    /// Waits for the next event, or for the alarm of the clock.
    pub(super) fn receive<T: Timekeeper>(&mut self, clock: &AlarmClock<T>) -> Event {
        match self.buffered.pop_front() {
            Some(event) => event,
            None => clock.wait(&self.queue, Event::TimeUp).expect("the resources hold a sender"),
        }
    }

    /// Receives events without handling them; whether one of them `ends` what is going on.
    pub(super) fn receives_any(&mut self, ends: impl Fn(&Event) -> bool) -> bool {
        self.buffered.extend(self.queue.try_iter());
        self.buffered.iter().any(ends)
    }

    /// Drops a `stop` that has ended a view.
    pub(super) fn drop_stop_of_view(&mut self) {
        if self.buffered.front().is_some_and(is_stop) {
            self.buffered.pop_front();
        }
    }

    /// Returns the input that has waited longest, or that overtakes the rest, if it is due.
    pub(super) fn next_waiting(&mut self, policy: QueuePolicy, phase: &mut Phase, now: Instant) -> Option<Event> {
        let is_idle = matches!(phase, Phase::Boot | Phase::Idle | Phase::AutoPonder(_));
        // Between searches, what has waited is handled in its order.
        let overtakes = |event: &Event| !is_idle && policy.turn(phase, event) == Turn::Now;
        if let Some(event) = self.backlog.take_immediate(!policy.batch, overtakes) {
            return Some(charged_to_the_search(event, phase));
        }
        let waits = matches!(phase, Phase::Thinking(search) if search.is_ending() || policy.queues());
        if waits || policy.turn(phase, &self.backlog.front()?.event) == Turn::Waits {
            return None;
        }
        let Waiting { event, for_its_turn } = self.backlog.pop_front()?;
        Some(match event {
            // A command that has waited for its turn is charged from now on.
            Event::Command { command, .. } if for_its_turn => Event::Command { command, read_at: now },
            event => event,
        })
    }

    /// Returns an event that is due, and queues another.
    ///
    /// # Errors
    /// With a message if there is no room for the event.
    pub(super) fn unless_early(
        &mut self,
        policy: QueuePolicy,
        phase: &Phase,
        event: Event,
    ) -> Result<Option<Event>, String> {
        let turn = policy.turn(phase, &event);
        // In batch mode it goes through the backlog, so that its clock does not start before the search.
        if turn == Turn::Now && (!policy.batch || !is_input(&event)) {
            return Ok(Some(event));
        }
        if self.backlog.refuses(&event) {
            return Ok(None);
        }
        if turn == Turn::InOrder && self.backlog.is_empty() {
            return Ok(Some(event));
        }
        let for_its_turn = policy.is_ahead(phase) || self.backlog.back().is_some_and(|last| last.for_its_turn);
        self.backlog.push_back(Waiting { event, for_its_turn }).map_or(Ok(None), Err)
    }
}

/// Charges a command for the active search from when it was read, but not from before the search began: in a batch it may have
/// been read while others were searched.
fn charged_to_the_search(event: Event, phase: &mut Phase) -> Event {
    match (event, phase.search()) {
        (Event::Command { command, read_at }, Some(search)) => {
            Event::Command { command, read_at: read_at.max(search.request.asked_at) }
        }
        (event, _) => event,
    }
}
