//! What is there for people at a terminal alone.

use std::sync::Arc;

use super::{Controller, Phase, Surroundings};
use crate::board::{Position, RankBase, Side};
use crate::engine::event::View;
use crate::eval::nnue::Network;
use crate::rules::Rules;
use crate::search::Limits;
use crate::time::Timekeeper;

/// What a person may want to see something of.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The game so far, oldest position first; empty if the last one given was wrong.
    pub history: &'a [Position],
    /// From where the ranks of moves are counted.
    pub base: RankBase,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The network that values positions, if one does.
    pub network: Option<&'a Arc<Network>>,
}

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Talks to a person, who need not ask for a protocol first.
    #[must_use]
    pub fn without_handshake(self) -> Self {
        Self { phase: Phase::Idle, ..self }
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
