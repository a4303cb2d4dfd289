//! Order in which commands are read while others wait for the end of a search.

use std::rc::Rc;

use chuhe::engine::event::{Command, Dialect, Fault};

use super::{Phase, Said, State};
use crate::search::{Search, Stage};

impl State {
    /// Whether commands wait for the end of a search as in UCI, where some are executed at once.
    pub(super) fn queues(&self) -> bool {
        self.dialect == Dialect::Uci && !self.options.batch
    }

    /// Returns the states after the first command that UCI executes during a search, ahead of queued ones.
    pub(super) fn read_word(&self, search: &Search, said: &[Said]) -> Vec<Self> {
        let is_word = |said: &Said| match said {
            Said::Command(command) => matches!(
                **command,
                Command::Stop
                    | Command::PonderHit { .. }
                    | Command::Quit
                    | Command::IsReady
                    | Command::Probe(_)
                    | Command::Debug(_)
            ),
            Said::Fault(fault) => !matches!(fault, Fault::BadPosition(_) | Fault::InPart(_)),
            Said::EndOfInput => search.stage == Stage::Pondering || !search.is_bounded,
        };
        let unread: Vec<usize> = (self.read..said.len()).filter(|at| !self.ahead.contains(at)).collect();
        let is_go = |at: usize| begins_search(&said[at]);
        let first_go = unread.iter().copied().find(|&at| is_go(at)).unwrap_or(said.len());
        let last_go = unread.iter().copied().rfind(|&at| is_go(at)).unwrap_or(0);
        // A `stop` after another `go` belongs to that `go` if it was deferred while the previous search ended, and to the
        // current search if it was read while this was running.
        let is_for_another = |at: usize| at > first_go && ends_search(&said[at]);
        let words = || unread.iter().copied().filter(|&at| is_word(&said[at]));
        let mut ats: Vec<usize> = words().find(|&at| !is_for_another(at)).into_iter().collect();
        ats.extend(words().find(|&at| is_for_another(at)));
        ats.extend(words().find(|&at| is_for_another(at) && at > last_go));
        ats.dedup();
        ats.into_iter().flat_map(|at| self.after_word(search, at, &said[at])).collect()
    }

    /// Returns the states after a command that the search receives ahead of queued ones.
    fn after_word(&self, search: &Search, at: usize, said: &Said) -> Vec<Self> {
        let mut next = self.clone();
        next.ahead.push(at);
        match said {
            Said::Command(command) if **command == Command::Quit => {
                vec![Self { phase: Phase::Busy(Rc::new(search.at(Stage::LastWords))), ..next }]
            }
            Said::Command(command) => next.obey(command),
            Said::Fault(fault) => vec![next.overlook(fault)],
            // Commands before the end of the input are still executed in order.
            Said::EndOfInput => self.clone().obey(&Command::Stop),
        }
    }

    /// Returns the state after a `quit` that overtakes queued commands in UCI.
    ///
    /// The search is answered first. After its answer, commands that wait for its workers are no longer executed.
    pub(super) fn read_quit_early(&self, said: &[Said]) -> Option<Self> {
        if !self.queues() {
            return None;
        }
        let quits = |said: &Said| matches!(said, Said::Command(command) if **command == Command::Quit);
        let at = (self.read..said.len()).find(|&at| quits(&said[at]) && !self.ahead.contains(&at))?;
        let mut next = self.clone();
        next.ahead.push(at);
        match &self.phase {
            Phase::Busy(search) if search.stage != Stage::LastWords && search.may_answer() => {
                next.phase = Phase::Busy(Rc::new(search.at(Stage::LastWords)));
                Some(next)
            }
            Phase::Idle if self.has_answered => Some(next.over()),
            _ => None,
        }
    }

    /// Returns the states after the first command that ends a search which does not end by itself, in batch mode.
    pub(super) fn read_awaited(&self, search: &Search, said: &[Said]) -> Vec<Self> {
        let is_awaited = |said: &Said| match said {
            Said::Command(command) => match **command {
                Command::Stop | Command::Quit => true,
                Command::PonderHit { .. } => search.stage == Stage::Pondering,
                _ => false,
            },
            Said::Fault(_) => false,
            Said::EndOfInput => true,
        };
        let unread = (self.read..said.len()).filter(|at| !self.ahead.contains(at));
        let Some(at) = unread.into_iter().find(|&at| is_awaited(&said[at])) else { return vec![] };
        let mut next = self.clone();
        next.ahead.push(at);
        match &said[at] {
            Said::Command(command) if **command == Command::Quit => vec![next.over()],
            Said::Command(command) => next.obey(command),
            // Commands before the end of the input are still executed in order.
            Said::Fault(_) | Said::EndOfInput => self.clone().obey(&Command::Stop),
        }
    }
}

fn begins_search(said: &Said) -> bool {
    matches!(said, Said::Command(command) if matches!(**command, Command::Go(_) | Command::Perft { .. }))
}

fn ends_search(said: &Said) -> bool {
    matches!(said, Said::Command(command) if matches!(**command, Command::Stop | Command::PonderHit { .. }))
}
