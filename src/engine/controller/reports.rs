//! What the workers report, and what follows from it.

use std::mem;
use std::time::Instant;

use super::{Controller, Phase, Surroundings};
use crate::engine::event::{Dialect, Reply};
use crate::engine::ongoing::{Choice, Ongoing};
use crate::search::{Iteration, Outcome, ScoreBound, SearchId};
use crate::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// What worker 0 has found so far, for the user and for the clock.
    pub(super) fn iteration(&mut self, id: SearchId, iteration: Iteration) {
        let now = self.clock.now();
        let search = match &mut self.phase {
            Phase::Thinking(search) | Phase::Pondering(search) => search,
            Phase::Musing(search) => {
                if search.id() == id {
                    search.learn_from(&iteration);
                }
                return;
            }
            Phase::Boot | Phase::Idle | Phase::Holding { .. } => return,
        };
        if search.id() != id {
            return;
        }
        search.learn_from(&iteration);
        let between_iterations = iteration.bound == ScoreBound::Exact && iteration.rank == 1;
        let info = search.info(iteration, now, &self.options);
        self.say(&Reply::Info(info));
        self.phase = match mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(search) if search.is_ending() => Phase::Thinking(search),
            Phase::Thinking(search) if between_iterations && search.has_thought_enough(now) => self.end(search, now),
            Phase::Thinking(search) => {
                self.start_clock(&search);
                Phase::Thinking(search)
            }
            phase => phase,
        };
    }

    /// Says what a search lets through of what its workers report on the way.
    pub(super) fn relay(&mut self, id: SearchId, reply: impl FnOnce(&mut Ongoing, Instant) -> Option<Reply>) {
        let now = self.clock.now();
        let said = match &mut self.phase {
            Phase::Thinking(search) | Phase::Pondering(search) if search.id() == id => reply(search, now),
            _ => None,
        };
        if let Some(reply) = said {
            self.say(&reply);
        }
    }

    pub(super) fn finished(&mut self, id: SearchId, worker: usize, outcome: Outcome) {
        let Some(search) = self.searched(id) else { return };
        search.finished(worker, outcome);
        self.go_on_after_an_end();
    }

    /// A worker has come to the end of some search.
    fn go_on_after_an_end(&mut self) {
        self.departing.retain(|search| !search.is_over());
        self.await_the_others();
        self.conclude();
    }

    /// Worker 0 ends the search for all; from then on the others have little time left.
    fn await_the_others(&mut self) {
        if let Phase::Thinking(search) = &mut self.phase
            && search.is_ending()
            && let Some(until) = search.fall_due(self.clock.now())
            && !search.is_over()
        {
            self.clock.arm(&search.context().stop, until);
        }
    }

    pub(super) fn died(&mut self, id: SearchId) {
        let Some(search) = self.searched(id) else { return };
        search.died();
        tracing::error!(search = ?id, "a worker has failed");
        self.message("a search thread has failed, the game goes on without its opinion".to_owned());
        self.go_on_after_an_end();
    }

    /// Answers, or holds the answer, once all workers have ended.
    pub(super) fn conclude(&mut self) {
        self.phase = match mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(search) if search.is_over() => {
                let choice = self.choose(&search);
                // A search without limits ends by itself in UCCI alone, and only when it has found a mate.
                let is_found = self.dialect == Dialect::Ucci && choice.is_decisive();
                let is_due = search.is_released() || search.is_bounded() || is_found;
                if is_due {
                    self.note_lateness(&search);
                }
                // It holds the table, which the next search wants for itself.
                drop(search);
                if is_due {
                    self.answer(Some(choice))
                } else {
                    Phase::Holding { choice: Some(choice), pondering: false }
                }
            }
            Phase::Pondering(search) if search.is_over() => {
                Phase::Holding { choice: Some(self.choose(&search)), pondering: true }
            }
            phase => phase,
        };
    }

    pub(super) fn choose(&mut self, search: &Ongoing) -> Choice {
        self.clock.disarm();
        let now = self.clock.now();
        let (choice, unseen) = search.choose();
        if let Some(iteration) = unseen {
            self.say(&Reply::Info(search.info(iteration, now, &self.options)));
        }
        self.say(&Reply::Effort(search.effort(now)));
        choice
    }
}
