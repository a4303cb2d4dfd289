//! What a position is worth without looking ahead. Knows the board, not the search.

mod classical;
mod explain;
pub mod nnue;
mod outlook;

use crate::board::{Delta, Position, Side};
use crate::score::Score;
pub use classical::placement_value;
use classical::{material_value, placement_values, terms};
pub use explain::{Explained, Term, explain};
pub use outlook::{Knowledge, Outlook};

/// Follows a line of moves and values its end; one per worker.
///
/// Material and placement are kept move by move; the remaining terms are looked up when asked.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// Material and placement for red minus those for black, in centipawns; the last entry is the current position.
    balances: Vec<i32>,
    outlook: Outlook,
}

impl Evaluator {
    /// An evaluator that stands on `position`.
    pub fn new(position: &Position) -> Self {
        let mut evaluator =
            Self { balances: Vec::with_capacity(crate::score::MAX_PLY + 1), outlook: Outlook::default() };
        evaluator.reset(position);
        evaluator
    }

    /// Values positions in another way from now on.
    pub fn look_through(&mut self, outlook: Outlook) {
        self.outlook = outlook;
    }

    /// Forgets the line and stands on `position`.
    pub fn reset(&mut self, position: &Position) {
        self.balances.clear();
        self.balances.push(placement_values(position));
    }

    /// Follows a move.
    pub fn push(&mut self, delta: Delta) {
        let Delta { piece, from, to, captured } = delta;
        let taken = captured.map_or(0, |captured| placement_value(captured, to));
        let balance = self.balance() + placement_value(delta.placed(), to) - placement_value(piece, from) - taken;
        self.balances.push(balance);
    }

    /// Takes the last move back.
    pub fn pop(&mut self) {
        self.balances.pop();
        debug_assert!(!self.balances.is_empty(), "more moves were taken back than followed");
    }

    /// The value for the side to move of `position`, which must be the one the pushed moves lead to.
    pub fn evaluate(&self, position: &Position) -> Score {
        debug_assert_eq!(self.balance(), placement_values(position), "the line and the position differ");
        let red = match self.outlook.knowledge {
            Knowledge::Large => self.balance() + terms(position, self.outlook.attack_percent),
            Knowledge::Medium => self.balance() + terms(position, Outlook::NO_ATTACK),
            Knowledge::Small => self.balance(),
            Knowledge::None => material_value(position),
        };
        Score::from_eval(match position.side() {
            Side::Red => red,
            Side::Black => -red,
        })
    }

    fn balance(&self) -> i32 {
        *self.balances.last().expect("the first balance is never taken back")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::{random_games, random_games_in};

    #[test]
    fn both_symmetries_leave_the_value_alone() {
        random_games(10, if cfg!(miri) { 0 } else { 20 }, |position| {
            let value = |position: &Position| Evaluator::new(position).evaluate(position);
            assert_eq!(value(&position.mirrored()), value(position), "{}", position.to_fen());
            assert_eq!(value(&position.colours_swapped()), value(position), "{}", position.to_fen());
        });
    }

    #[test]
    fn following_moves_agrees_with_starting_afresh() {
        for variant in Variant::ALL {
            random_games_in(variant, 11, if cfg!(miri) { 0 } else { 10 }, |position| {
                let mut evaluator = Evaluator::new(position);
                for mv in position.legal_moves() {
                    let child = position.play(mv);
                    evaluator.push(position.delta(mv));
                    assert_eq!(evaluator.evaluate(&child), Evaluator::new(&child).evaluate(&child));
                    evaluator.pop();
                }
            });
        }
    }

    #[test]
    fn a_rook_more_is_better_and_the_start_is_even() {
        let value = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            Evaluator::new(&position).evaluate(&position)
        };
        assert!(value(crate::board::START_FEN).raw().abs() < 50);
        let rook_up = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert!(value(rook_up).raw() > 500);
    }

    #[test]
    fn nobody_is_winning_without_an_attacker() {
        let position = Position::from_fen("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w").unwrap();
        assert_eq!(Evaluator::new(&position).evaluate(&position), Score::DRAW);
    }
}
