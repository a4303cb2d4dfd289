//! Answers to `go`: the move, with a draw offer or a resignation.

use std::iter;
use std::time::Instant;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::etiquette::Answer;
use crate::engine::event::{Closing, Dialect, Go, Reply};
use crate::engine::ongoing::Choice;
use crate::score::Score;
use crate::search::static_value;
use crate::smp::time::Timekeeper;

/// Distance to the move limit, in plies, within which an even game may as well be drawn.
const NEAR_LIMIT: u16 = 20;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Answers `go`, then ponders on the expected reply if the option `autoponder` is set.
    pub(super) fn answer(&mut self, choice: Option<Choice>) -> Phase {
        if self.thinks_for_a_person() {
            return self.answer_a_person(choice);
        }
        let Some(choice) = choice else {
            self.say(&Reply::NoBestMove);
            return Phase::Idle;
        };
        match self.say_move(&choice) {
            Some(_) => Phase::Idle,
            None => self.muse(&choice),
        }
    }

    /// Answers a `ponderhit`, read at `read_at`, with a result that is known already.
    pub(super) fn answer_hit(&mut self, choice: Option<Choice>, read_at: Instant, draw_offered: bool) -> Phase {
        self.lateness.observe(self.heard_late(read_at));
        self.answer(choice.map(|choice| choice.with_offer(draw_offered)))
    }

    /// Answers a `go` without a position, without legal moves, or with all of them forbidden.
    pub(super) fn nothing_to_choose(&mut self, go: &Go) -> Phase {
        let endless = self.dialect == Dialect::Uci && !go.is_bounded();
        if self.dialect == Dialect::Uci {
            let value = match self.game.position() {
                None => Score::DRAW,
                Some(position) if position.legal_moves().is_empty() => Score::mated_in(0),
                Some(position) => static_value(position, &self.plan(position.side(), &go.limits, false)),
            };
            self.say(&Reply::StaticValue(value));
        }
        let hit_is_enough = go.ponder && !(self.dialect == Dialect::Uci && go.infinite);
        if go.ponder || endless { Phase::Holding { choice: None, hit_is_enough } } else { self.answer(None) }
    }

    /// Sends the move, with a draw offer or a resignation if one is due, and returns that.
    pub(super) fn say_move(&mut self, choice: &Choice) -> Option<Closing> {
        let closing = self.closing(choice);
        self.say(&Reply::BestMove { best: choice.best, ponder: choice.ponder, closing });
        if !choice.missed {
            self.game.answer(choice.best);
        }
        closing
    }

    /// Decides on a draw offer or a resignation: never in UCI, which has no words for them, nor in analysis.
    fn closing(&mut self, choice: &Choice) -> Option<Closing> {
        if self.dialect == Dialect::Uci || self.options.analysing {
            return None;
        }
        let position = self.game.position()?;
        let next = position.play(choice.best);
        let soon = position.reversible_plies().saturating_add(NEAR_LIMIT);
        let captures = next.legal_moves().into_iter().filter(|&mv| next.is_capture(mv)).map(|mv| next.key_after(mv));
        let answer = Answer {
            leads_to: iter::once(next.key()).chain(captures).collect(),
            score: choice.score,
            draw: choice.draw,
            draw_offered: choice.draw_offered,
            near_limit: self.rules_in_force().limit_plies().is_some_and(|limit| soon >= limit),
            in_game: choice.in_game,
        };
        let game = self.game.history().iter().map(|position| position.key());
        self.etiquette.close(game, answer, &self.options.manners)
    }
}
