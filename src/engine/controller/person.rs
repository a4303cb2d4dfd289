//! What is there for people at a terminal alone.

use super::phase::Phase;
use super::state::{Controller, Scene, Surroundings};
use crate::board::Side;
use crate::engine::event::View;
use crate::search::Limits;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Talks to a person, who need not ask for a protocol first.
    #[must_use]
    pub fn without_handshake(self) -> Self {
        Self { phase: Phase::Idle, is_for_person: true, ..self }
    }

    pub(super) fn show(&mut self, view: View) -> Phase {
        let plan = self.plan(Side::Red, &Limits::default());
        let scene = Scene {
            history: self.game.history(),
            base: self.game.rank_base(),
            rules: &self.options.rules(),
            network: plan.network_in_use(),
        };
        self.surroundings.show(view, &scene);
        Phase::Idle
    }

    pub(super) fn flip(&mut self) -> Phase {
        self.game.flip();
        self.show(View::Board(None))
    }
}
