//! What the table knows about a position.

use super::{Controller, Surroundings};
use crate::board::{Position, Side};
use crate::engine::event::{GameText, Reply, TableContent};
use crate::engine::game::GameError;
use crate::score::Score;
use crate::table::{Bound, Entry};
use crate::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    pub(super) fn probe(&mut self, text: &GameText) {
        let mut game = self.game.another();
        match game.set(text, self.options.variant) {
            Ok(()) => {}
            Err(GameError::Start(fault)) => return self.message(format!("nothing to probe: {fault}")),
            Err(GameError::Move(error)) => self.message(error.to_string()),
        }
        let salt = self.preferences().table_salt(self.game.position().map_or(Side::Red, Position::side));
        let entry = |position: &Position| self.resources.probe(position.key(), salt);
        let content = game.position().and_then(|position| content(position, entry(position)?));
        self.say(&Reply::TableContent(content));
    }
}

fn content(position: &Position, entry: Entry) -> Option<TableContent> {
    let score = Score::from_table(entry.score, 0);
    let (lower, upper) = match entry.bound {
        Bound::Lower => (Some(score), None),
        Bound::Upper => (None, Some(score)),
        Bound::Exact => (Some(score), Some(score)),
    };
    let best = entry.mv.filter(|&mv| position.is_legal(mv));
    Some(TableContent { best, lower, upper, depth: u32::from(entry.depth) })
}
