//! Features for users at a terminal. Programs use the bench alone, and receive the board as a reply.

use std::cell::RefCell;
use std::mem;

use super::phase::Phase;
use super::state::{Controller, Scene, Surroundings};
use crate::board::Side;
use crate::engine::event::{Command, Event, Reply, View};
use crate::engine::options::Options;
use crate::search::Limits;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Serves a user at a terminal: no handshake is needed, and input that is not understood is reported.
    #[must_use]
    pub fn without_handshake(self) -> Self {
        let options = Options { debug: true, ..self.options };
        Self { phase: Phase::Idle, is_for_person: true, options, ..self }
    }

    /// Shows a view, and meanwhile reads the events, one of which may end it. Input of a program does not: all of it, even
    /// `quit`, may have been sent before the first line is shown.
    pub(super) fn show(&mut self, view: View) -> Phase {
        let ends = if self.is_for_person { ends_what_a_person_is_shown } else { is_interruption };
        let plan = self.plan(Side::Red, &Limits::default(), false);
        let overheard = RefCell::new(mem::take(&mut self.overheard));
        let is_wanted = || {
            let mut overheard = overheard.borrow_mut();
            overheard.extend(self.queue.try_iter());
            !overheard.iter().any(ends)
        };
        let scene = Scene {
            history: self.game.as_given(),
            opponent: self.playing.as_ref().map(|playing| playing.side),
            dialect: self.dialect,
            base: self.game.rank_base(),
            rules: &self.rules_in_force(),
            network: plan.network_in_use(),
        };
        self.surroundings.show(view, &scene, &is_wanted);
        self.overheard = overheard.into_inner();
        // The `stop` was meant for the view that has just ended.
        if self.overheard.front().is_some_and(is_stop) {
            self.overheard.pop_front();
        }
        Phase::Idle
    }

    /// Describes the position to a program, which may have lost track of it or want to check its own.
    pub(super) fn describe_board(&mut self, phase: Phase) -> Phase {
        match self.game.position() {
            None => self.message("there is no position, the last one given was wrong".to_owned()),
            Some(position) => {
                let checkers = position.checkers().into_iter().collect();
                self.say(&Reply::Board { fen: position.to_fen(), key: position.key().0, checkers });
            }
        }
        phase
    }

    /// Refuses to show a view during a search, and says how to end it: the user may not know that one is running.
    pub(super) fn put_a_person_off(&mut self, phase: Phase) -> Phase {
        self.message("not during a search, which ends with the word stop".to_owned());
        phase
    }

    pub(super) fn flip(&mut self) -> Phase {
        self.game.flip();
        if let Some(playing) = &mut self.playing {
            playing.side = !playing.side;
        }
        self.show(View::Board(None))
    }
}

/// Whether the event ends a view that a user at a terminal sees.
fn ends_what_a_person_is_shown(event: &Event) -> bool {
    let quits = matches!(event, Event::Command { command: Command::Quit, .. });
    quits || is_stop(event) || matches!(event, Event::EndOfInput) || is_interruption(event)
}

/// Whether the system requests the end of the process.
fn is_interruption(event: &Event) -> bool {
    matches!(event, Event::Interrupted)
}

fn is_stop(event: &Event) -> bool {
    matches!(event, Event::Command { command: Command::Stop, .. })
}
