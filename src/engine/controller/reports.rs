//! What the workers report, and what the user hears of it.

use std::time::Instant;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::event::{Dialect, Reached, Reply};
use crate::engine::ongoing::{Audience, Choice, Ongoing};
use crate::search::{Iteration, ScoreBound, SearchId};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// What worker 0 has found so far, for the user and for the clock.
    pub(super) fn report(&mut self, search: &mut Ongoing, lines: Vec<(Iteration, Reached)>) {
        for (line, reached) in lines {
            search.learn_from(&line, reached);
            let line = match line.bound {
                ScoreBound::Exact => line,
                _ if !self.audience(search, reached.at).bounds => continue,
                _ => search.tell_bound(line),
            };
            self.say(&Reply::Info(search.info(line, reached, &self.options)));
        }
    }

    /// Returns what the user hears of a search that has come so far: clients of UCCI know no bounds.
    fn audience(&self, search: &Ongoing, at: Instant) -> Audience {
        let is_uci = self.dialect == Dialect::Uci;
        Audience { bounds: is_uci && search.tells_bounds(at), every_answer: is_uci }
    }

    /// Says what a search lets through of what its workers report on the way.
    pub(super) fn relay(&mut self, id: SearchId, reply: impl FnOnce(&mut Ongoing, Instant) -> Option<Reply>) {
        let now = self.clock.now();
        let search = self.phase.search_asked_for().filter(|search| search.id() == id);
        if let Some(reply) = search.and_then(|search| reply(search, now)) {
            self.say(&reply);
        }
    }

    /// A worker has failed.
    pub(super) fn regret(&mut self, id: SearchId) {
        tracing::error!(search = ?id, "a worker has failed");
        self.message("a search thread has failed, the game goes on without its opinion".to_owned());
    }

    /// Worker 0 ends the search for all; from then on the others have little time left.
    pub(super) fn await_the_others(&mut self, mut search: Ongoing) -> Ongoing {
        if search.is_ending()
            && let Some(until) = search.fall_due(self.clock.now())
            && !search.is_over()
        {
            self.clock.arm(&search.context().stop, until);
        }
        search
    }

    /// All workers have ended: the answer goes out, or waits for a word of the user.
    pub(super) fn answer_or_hold(&mut self, search: Ongoing) -> Phase {
        let choice = self.choose(&search);
        let is_due = search.is_released() || search.is_bounded() || self.is_found(&choice);
        if is_due {
            self.note_lateness(&search);
        }
        // It holds the table, which the next search wants for itself.
        drop(search);
        if is_due { self.answer(Some(choice)) } else { self.hold(choice, false) }
    }

    /// A search without limits ends by itself in UCCI alone, and only when it has found a mate.
    pub(super) fn is_found(&self, choice: &Choice) -> bool {
        self.dialect == Dialect::Ucci && choice.is_decisive()
    }

    /// The answer waits for a word of the user, who hears now how it was found.
    pub(super) fn hold(&mut self, choice: Choice, hit_is_enough: bool) -> Phase {
        self.say_last_words();
        Phase::Holding { choice: Some(choice), hit_is_enough }
    }

    /// What the search has decided on. How it was found is said together with the answer.
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
