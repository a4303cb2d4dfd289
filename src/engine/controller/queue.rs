//! The order of events: input may have to wait for the end of a search, events of workers and clock never do.

use std::mem;

use super::backlog::Waiting;
use super::state::{Controller, Surroundings};
use crate::engine::event::{Command, Event};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Returns the next event that is due.
    pub(super) fn next_event(&mut self) -> Event {
        loop {
            if let Some(event) = self.next_waiting() {
                return event;
            }
            let event = match self.overheard.pop_front() {
                Some(event) => event,
                None => self.clock.wait(&self.queue, Event::TimeUp).expect("the resources hold a sender"),
            };
            if let Some(event) = self.unless_early(event) {
                return event;
            }
        }
    }

    /// Takes the oldest queued input, if it is due.
    pub(super) fn next_waiting(&mut self) -> Option<Event> {
        if let Some(word) = self.awaited_word() {
            return Some(word);
        }
        if self.input_waits() || self.waits_for_workers(&self.backlog.front()?.event) {
            return None;
        }
        let Waiting { event, for_its_turn } = self.backlog.pop_front()?;
        Some(if for_its_turn { self.restamped(event) } else { event })
    }

    /// Takes the first immediate event in the queue that is due before the others.
    fn awaited_word(&mut self) -> Option<Event> {
        let mut backlog = mem::take(&mut self.backlog);
        let word = backlog.take_word(!self.options.batch, |event| self.is_awaited(event));
        self.backlog = backlog;
        Some(self.charged_to_the_search(word?))
    }

    /// Charges a command to the running search from when it was read, but not from before the search began: in a batch it may
    /// have been read during earlier searches.
    fn charged_to_the_search(&mut self, word: Event) -> Event {
        match (word, self.phase.search()) {
            (Event::Command { command, read_at }, Some(search)) => {
                Event::Command { command, read_at: read_at.max(search.asked_at()) }
            }
            (word, _) => word,
        }
    }

    /// Passes an event on if it is due, and queues it otherwise.
    pub(super) fn unless_early(&mut self, event: Event) -> Option<Event> {
        let quits = matches!(event, Event::Command { command: Command::Quit, .. });
        if quits && self.is_for_person {
            return Some(event);
        }
        let is_input = matches!(event, Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput);
        let is_due = !self.input_waits() || self.is_meant_for_the_search(&event);
        if !is_input || self.is_heard_at_once(&event) {
            return Some(event);
        }
        if self.backlog.refuses(&event) {
            return None;
        }
        if is_due && self.backlog.is_empty() && !self.waits_for_workers(&event) {
            return Some(event);
        }
        self.put_off(event);
        None
    }

    /// Queues input until it is due.
    fn put_off(&mut self, event: Event) {
        let for_its_turn = self.waits_for_its_turn() || self.backlog.back().is_some_and(|last| last.for_its_turn);
        if let Some(message) = self.backlog.push_back(Waiting { event, for_its_turn }) {
            self.message(message);
        }
    }

    /// Charges a command that has waited from now on.
    fn restamped(&self, event: Event) -> Event {
        match event {
            Event::Command { command, .. } => Event::Command { command, read_at: self.clock.now() },
            event => event,
        }
    }
}
