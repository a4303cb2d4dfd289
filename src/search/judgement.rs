//! What the rules of the game say about a position inside the tree.

use super::{SearchContext, Searcher};
use crate::board::Position;
use crate::rules::{Recurrence, move_limit_reached, no_attackers, recurrence};
use crate::score::Score;

/// The rules' word on one position.
pub(super) enum Judgement {
    /// Nothing.
    Fresh,
    /// It has stood before, so its value depends on the way to it: the table is not to be believed.
    Open,
    /// It is over.
    Decided(Score),
}

impl Searcher {
    /// Asks the rules about the current position: too long without a capture, nothing left to win with, or a loop.
    pub(super) fn judge(&self, context: &SearchContext, position: &Position) -> Judgement {
        let ply = self.ply();
        if let Some(score) = self.dictated(context, position) {
            return Judgement::Decided(score);
        }
        let draw = self.manner.draw(position);
        if no_attackers(position) {
            return Judgement::Decided(draw);
        }
        if move_limit_reached(&self.line, &context.rules) {
            let score = if position.has_legal_move() { draw } else { Score::mated_in(ply) };
            return Judgement::Decided(score);
        }
        match recurrence(&self.line, self.root, self.reversible_plies(), &context.rules) {
            Recurrence::First => Judgement::Fresh,
            Recurrence::Open => Judgement::Open,
            Recurrence::Judged(judged) => Judgement::Decided(match judged.loser() {
                None => draw,
                Some(loser) if loser == position.side() => Score::banned_in(ply),
                Some(_) => -Score::banned_in(ply),
            }),
        }
    }
}
