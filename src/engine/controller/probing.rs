//! The command `probe`: the transposition table's entry for a position.

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::{Move, Position, Side};
use crate::engine::event::{Dialect, GameText, Reply, TableContent};
use crate::score::Score;
use crate::search::Limits;
use crate::smp::table::{Bound, Entry};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Reports the table's entry for a position, in any phase.
    pub(super) fn probe(&mut self, phase: Phase, text: &GameText) -> Phase {
        let mut game = self.game.another();
        if let Err(fault) = game.set(text, self.options.variant) {
            self.nothing_to_probe(&fault.to_string());
            return phase;
        }
        let mover = self.game.position().map_or(Side::Red, Position::side);
        let salt = self.plan(mover, &Limits::default(), false).table_salt();
        let entry = |position: &Position| self.resources.probe(position.key(), salt);
        let content = game.position().and_then(|position| content(position, entry(position)?));
        self.say(&Reply::TableContent(content));
        phase
    }

    /// Reports that a position is invalid, so that nothing is stored. A program in UCCI waits for exactly one line that says
    /// so; `probe` is no command of UCI, so there a user reads the message.
    pub(super) fn nothing_to_probe(&mut self, why: &str) {
        if self.dialect == Dialect::Uci || self.options.debug {
            self.message(format!("nothing to probe: {why}"));
        }
        if self.dialect == Dialect::Ucci {
            self.say(&Reply::TableContent(None));
        }
    }
}

fn content(position: &Position, entry: Entry) -> Option<TableContent> {
    let score = Score::from_table(entry.score, 0);
    let (lower, upper) = match entry.bound {
        Bound::Lower => (Some(score), None),
        Bound::Upper => (None, Some(score)),
        Bound::Exact => (Some(score), Some(score)),
    };
    let best = entry.mv.and_then(Move::from_word).filter(|&mv| position.is_legal(mv));
    Some(TableContent { best, lower, upper, depth: u32::from(entry.depth) })
}
