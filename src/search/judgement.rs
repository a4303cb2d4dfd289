//! What the rules of the game say about a position inside the tree.

use arrayvec::ArrayVec;

use super::window::Window;
use super::{SearchContext, Searcher};
use crate::board::{Bitboard, Move, Position, Square};
use crate::rules::{Recurrence, limit_verdict, recurrence};
use crate::score::Score;

/// The rules' word on one position.
pub(super) enum Judgement {
    /// Nothing.
    Fresh,
    /// It has stood before, so its value depends on the way to it: the table is not to be believed. What the rules leave
    /// possible of its value.
    Repeated(Window),
    /// It is over.
    Decided(Score),
}

impl Searcher {
    /// Asks the rules about the current position: too long without a capture, nothing left to win with, or a loop.
    pub(super) fn judge(&mut self, context: &SearchContext, position: &Position) -> Judgement {
        let ply = self.ply();
        if let Some(score) = self.dictated(context, position) {
            return Judgement::Decided(score);
        }
        let rules = &context.rules;
        let draw = self.manner.draw(position);
        let limited = limit_verdict(&self.line, rules).map(|verdict| match verdict.loser {
            None => draw,
            Some(_) => Score::mated_in(ply),
        });
        if let Some(score) = limited.filter(|_| rules.limit_first) {
            return Judgement::Decided(score);
        }
        let plies = self.reversible_plies();
        let recurrence = recurrence(&mut self.line, self.root, plies, rules);
        if let Recurrence::Over(judged) = recurrence {
            return Judgement::Decided(match judged.loser() {
                None => draw,
                Some(loser) if loser == position.side() => Score::banned_in(ply),
                Some(_) => -Score::banned_in(ply),
            });
        }
        if let Some(score) = limited {
            return Judgement::Decided(score);
        }
        match recurrence {
            Recurrence::First => Judgement::Fresh,
            Recurrence::Open | Recurrence::Over(_) => Judgement::Repeated(Window::FULL),
            Recurrence::Leads(None) => Judgement::Decided(draw),
            Recurrence::Leads(Some(loser)) => Judgement::Repeated(possible_values(loser == position.side(), draw)),
        }
    }

    /// The moves that lead from `position`, the current one, back to an earlier one of the line: what the rules say of them is
    /// no matter of static values.
    pub(super) fn returns(&self, position: &Position) -> Returns {
        let mut returns = Returns::new();
        let last = self.line.len() - 1;
        for back in (SHORTEST_RETURN..=self.reversible_plies().min(last)).step_by(2) {
            if returns.is_full() {
                break;
            }
            let earlier = &self.line[last - back];
            returns.extend(move_back(position, earlier).filter(|&mv| position.key_after(mv) == earlier.key()));
        }
        returns
    }
}

/// What a loop inside the tree leaves possible to the mover, who loses or wins if it is gone round until the end.
///
/// Whoever would lose by that may still leave it, but all the ways out were there the first time round and have been looked at
/// from there. So going round gains nothing by them; what it can gain is a draw, if two loops that lose by themselves
/// are mixed into one that does not.
fn possible_values(mover_loses: bool, draw: Score) -> Window {
    if mover_loses { Window { beta: draw + 1, ..Window::FULL } } else { Window { alpha: draw - 1, ..Window::FULL } }
}

/// Moves that lead back; more than so many are not looked for.
pub(super) type Returns = ArrayVec<Move, 4>;

/// A position of the mover's opponent can be reached again after as many plies.
const SHORTEST_RETURN: usize = 3;

/// The only move that could lead from `position` to `earlier`, in which the opponent is to move.
fn move_back(position: &Position, earlier: &Position) -> Option<Move> {
    let side = position.side();
    if position.of_side(!side) != earlier.of_side(!side) {
        return None;
    }
    let only = |squares: Bitboard| -> Option<Square> { squares.first().filter(|_| !squares.many()) };
    let (now, then) = (position.of_side(side), earlier.of_side(side));
    Some(Move::new(only(now & !then)?, only(then & !now)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_leads_back_if_all_else_stands_as_before() {
        let before = Position::start();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let after = |moves: &[&str]| moves.iter().fold(before, |position, text| position.play(mv(text)));
        assert_eq!(move_back(&after(&["a0a1", "e9e8", "a1a0"]), &before), Some(mv("e8e9")));
        assert_eq!(move_back(&after(&["a0a1", "e9e8", "a1a2"]), &before), None, "the opponent has moved on");
        assert_eq!(move_back(&after(&["h2h9"]), &before), None, "a piece is gone");
    }
}
