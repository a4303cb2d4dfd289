//! Whose turn it is: input may have to wait for the end of a search, workers and clock never.

use super::phase::Waiting;
use super::state::{Controller, Surroundings};
use crate::engine::event::{Command, Event};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// The next event that is due.
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

    /// The input that has waited longest, if it is due.
    pub(super) fn next_waiting(&mut self) -> Option<Event> {
        if let Some(word) = self.awaited_word() {
            return Some(word);
        }
        if self.input_waits() || self.waits_for_workers(&self.waiting.front()?.event) {
            return None;
        }
        let Waiting { event, for_its_turn } = self.waiting.pop_front()?;
        Some(if for_its_turn { self.restamped(event) } else { event })
    }

    /// The first word in what waits that ends what would never end without it.
    fn awaited_word(&mut self) -> Option<Event> {
        let at = self.waiting.iter().position(|waiting| self.is_awaited(&waiting.event))?;
        let word = self.waiting.remove(at)?.event;
        Some(self.charged_to_the_search(word))
    }

    /// A word to the search under way is charged from when it was read, but not from before the search began: in a batch it may
    /// have been read while others were searched.
    fn charged_to_the_search(&mut self, word: Event) -> Event {
        match (word, self.phase.search()) {
            (Event::Command { command, read_at }, Some(search)) => {
                Event::Command { command, read_at: read_at.max(search.asked_at()) }
            }
            (word, _) => word,
        }
    }

    /// Passes an event on if it is due, and keeps it otherwise.
    pub(super) fn unless_early(&mut self, event: Event) -> Option<Event> {
        let quits = matches!(event, Event::Command { command: Command::Quit, .. });
        if quits && self.is_for_person {
            return Some(event);
        }
        let is_input = matches!(event, Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput);
        let is_due = !self.input_waits() || self.is_meant_for_the_search(&event);
        if !is_input || is_due && self.waiting.is_empty() && !self.waits_for_workers(&event) {
            return Some(event);
        }
        self.put_off(event);
        None
    }

    /// Keeps input until it is due.
    fn put_off(&mut self, event: Event) {
        let for_its_turn = self.waits_for_its_turn() || self.waiting.back().is_some_and(|last| last.for_its_turn);
        self.waiting.push_back(Waiting { event, for_its_turn });
    }

    /// A command that has waited is charged from now on.
    fn restamped(&self, event: Event) -> Event {
        match event {
            Event::Command { command, .. } => Event::Command { command, read_at: self.clock.now() },
            event => event,
        }
    }
}
