//! Reports of the workers, and what the user sees of them.

use std::time::Instant;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::event::{Dialect, Reached, Reply};
use crate::engine::ongoing::{Audience, Choice, Ongoing};
use crate::search::{Bound, Iteration, SearchId};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Reports the lines of worker 0 to the user, and updates the clock with them.
    pub(super) fn report(&mut self, search: &mut Ongoing, lines: Vec<(Iteration, Reached)>) {
        for (line, reached) in lines {
            search.learn_from(&line, reached);
            let line = match line.bound {
                Bound::Exact => line,
                _ if !self.audience(search, reached.at).bounds => continue,
                _ => search.tell_bound(line),
            };
            self.say(&Reply::Info(search.info(line, reached, &self.options)));
        }
    }

    /// Returns what the user sees of a search at this time: clients of UCCI know no bounds.
    fn audience(&self, search: &Ongoing, at: Instant) -> Audience {
        let is_uci = self.dialect == Dialect::Uci;
        Audience { bounds: is_uci && search.tells_bounds(at), every_answer: is_uci }
    }

    /// Prints intermediate reports of the workers, as far as their search lets them through.
    pub(super) fn relay(&mut self, id: SearchId, reply: impl FnOnce(&mut Ongoing, Instant) -> Option<Reply>) {
        let now = self.clock.now();
        let search = self.phase.search_asked_for().filter(|search| search.id() == id);
        if let Some(reply) = search.and_then(|search| reply(search, now)) {
            self.say(&reply);
        }
    }

    /// Reports that a worker has failed.
    pub(super) fn regret(&mut self, id: SearchId) {
        tracing::error!(search = ?id, "a worker has failed");
        self.message("a search thread has failed, the game goes on without its opinion".to_owned());
    }

    /// Sets the alarm for the remaining workers after worker 0 has ended the search for all.
    pub(super) fn await_the_others(&mut self, mut search: Ongoing) -> Ongoing {
        if search.is_ending()
            && let Some(until) = search.fall_due(self.clock.now())
            && !search.is_over()
        {
            self.clock.arm(&search.context().stop, until);
        }
        search
    }

    /// Answers after all workers have ended, or holds the answer until a command of the user.
    pub(super) fn answer_or_hold(&mut self, search: Ongoing) -> Phase {
        let choice = self.choose(&search);
        let is_due = search.is_released() || search.is_bounded() || self.is_found(&choice);
        if is_due {
            self.note_lateness(&search);
        }
        // The search holds the table, which the next one needs for itself alone.
        drop(search);
        if is_due { self.answer(Some(choice)) } else { self.hold(choice, false) }
    }

    /// Whether the result ends a search without limits: only a mate does, and only in UCCI.
    pub(super) fn is_found(&self, choice: &Choice) -> bool {
        self.dialect == Dialect::Ucci && choice.is_decisive()
    }

    /// Holds the answer until a command of the user, and prints the final reports now.
    pub(super) fn hold(&mut self, choice: Choice, hit_is_enough: bool) -> Phase {
        self.say_last_words();
        Phase::Holding { choice: Some(choice), hit_is_enough }
    }

    /// Returns the decision of the search. Its final reports are printed together with the answer.
    pub(super) fn choose(&mut self, search: &Ongoing) -> Choice {
        self.clock.disarm();
        let now = self.clock.now();
        let (choice, unseen) = search.choose(self.audience(search, now));
        if let Some(iteration) = unseen {
            self.last_words.push(Reply::Info(search.info(iteration, search.reached(now), &self.options)));
        }
        self.last_words.push(Reply::Effort(search.effort(now)));
        choice
    }
}
