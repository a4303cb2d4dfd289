//! Adjudication of decided and of drawn games by the scores of the engines.

use chuhe::board::Side;
use chuhe_games::record::Eval;

use super::setup::{DrawAdjudication, ResignAdjudication};

/// An adjudicated result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    Draw,
    Loses(Side),
}

/// Counts consecutive moves whose scores suggest a result.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    draw: Option<DrawAdjudication>,
    resign: Option<ResignAdjudication>,
    /// Consecutive plies of both sides with a score within the draw limit.
    quiet_plies: u32,
    /// Consecutive losing scores of Red and of Black.
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Adjudicator {
    pub(crate) fn new(draw: Option<DrawAdjudication>, resign: Option<ResignAdjudication>) -> Self {
        Self { draw, resign, quiet_plies: 0, losing: [0; 2], winning: [0; 2] }
    }

    /// Restarts the draw count after a capture, as cutechess-cli and fastchess do.
    pub(crate) fn capture(&mut self) {
        self.quiet_plies = 0;
    }

    /// Counts the score of the move that `side` has played as ply `plies` of the game. A move without a score resets its
    /// counts.
    pub(crate) fn add_score(&mut self, side: Side, eval: Option<Eval>, plies: usize) -> Option<Call> {
        let value = eval.map(value);
        self.call_lost(side, value).or_else(|| self.call_drawn(value, plies))
    }

    fn call_drawn(&mut self, value: Option<i32>, plies: usize) -> Option<Call> {
        let draw = self.draw?;
        let quiet = value.is_some_and(|value| value.unsigned_abs() <= draw.score.unsigned_abs());
        self.quiet_plies = if quiet { self.quiet_plies + 1 } else { 0 };
        let late_enough = plies / 2 >= usize::try_from(draw.move_number).unwrap_or(usize::MAX);
        (late_enough && self.quiet_plies >= draw.move_count.saturating_mul(2)).then_some(Call::Draw)
    }

    fn call_lost(&mut self, side: Side, value: Option<i32>) -> Option<Call> {
        let resign = self.resign?;
        let (own, other) = (side.index(), (!side).index());
        let bound = resign.score.saturating_abs();
        self.losing[own] = if value.is_some_and(|value| value <= -bound) { self.losing[own] + 1 } else { 0 };
        self.winning[own] = if value.is_some_and(|value| value >= bound) { self.winning[own] + 1 } else { 0 };
        let loses = |loser: usize, winner: usize| {
            self.losing[loser] >= resign.move_count && (!resign.two_sided || self.winning[winner] >= resign.move_count)
        };
        // With two-sided adjudication the winner's score may come last.
        if loses(own, other) {
            Some(Call::Loses(side))
        } else if loses(other, own) {
            Some(Call::Loses(!side))
        } else {
            None
        }
    }
}

/// Returns a score as a number; a mate outweighs every score in centipawns.
fn value(eval: Eval) -> i32 {
    match eval {
        Eval::Centipawns(centipawns) => centipawns,
        Eval::Mate(moves) if moves > 0 => i32::MAX,
        Eval::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the adjudicated result and its ply if Red and Black report these scores in turn.
    fn called(mut judge: Adjudicator, evals: &[Option<Eval>]) -> Option<(usize, Call)> {
        let sides = [Side::Red, Side::Black].into_iter().cycle();
        (1..).zip(evals).zip(sides).find_map(|((ply, &eval), side)| Some((ply, judge.add_score(side, eval, ply)?)))
    }

    fn centipawns(scores: &[i32]) -> Vec<Option<Eval>> {
        scores.iter().map(|&score| Some(Eval::Centipawns(score))).collect()
    }

    #[test]
    fn quiet_scores_of_both_sides_draw_after_the_given_move() {
        let judge =
            |move_number| Adjudicator::new(Some(DrawAdjudication { move_number, move_count: 2, score: 10 }), None);
        assert_eq!(called(judge(1), &centipawns(&[0, 10, -10, 3])), Some((4, Call::Draw)));
        assert_eq!(called(judge(3), &centipawns(&[0; 9])), Some((6, Call::Draw)));
        assert_eq!(called(judge(1), &centipawns(&[0, 0, 0, 11, 0, 0, 0])), None);
        let mut silent = centipawns(&[0; 6]);
        silent[3] = None;
        assert_eq!(called(judge(1), &silent), None, "a book move is no judgement");
    }

    #[test]
    fn a_capture_is_the_first_of_the_quiet_moves() {
        let draw = DrawAdjudication { move_number: 0, move_count: 2, score: 10 };
        let mut judge = Adjudicator::new(Some(draw), None);
        let mut ply = |plies: usize, captures: bool| {
            if captures {
                judge.capture();
            }
            let side = if plies % 2 == 1 { Side::Red } else { Side::Black };
            judge.add_score(side, Some(Eval::Centipawns(0)), plies)
        };
        assert_eq!([ply(1, false), ply(2, false), ply(3, false)], [None; 3]);
        assert_eq!([ply(4, true), ply(5, false), ply(6, false)], [None; 3], "without the capture ply 4 would be drawn");
        assert_eq!(ply(7, false), Some(Call::Draw));
    }

    #[test]
    fn one_side_alone_resigns_unless_both_are_asked() {
        let judge =
            |two_sided| Adjudicator::new(None, Some(ResignAdjudication { move_count: 2, score: 500, two_sided }));
        let one_sided = centipawns(&[-500, 3, -501, 3, -502, 3]);
        assert_eq!(called(judge(false), &one_sided), Some((3, Call::Loses(Side::Red))));
        assert_eq!(called(judge(true), &one_sided), None);
        assert_eq!(called(judge(true), &centipawns(&[-500, 500, -500, 500])), Some((4, Call::Loses(Side::Red))));
        assert_eq!(called(judge(false), &centipawns(&[-500, 0, -499, 0, -500])), None);
    }

    #[test]
    fn mates_are_scores_beyond_every_bound() {
        let judge =
            Adjudicator::new(None, Some(ResignAdjudication { move_count: 1, score: i32::MAX, two_sided: true }));
        let mates = [Some(Eval::Mate(3)), Some(Eval::Mate(-3))];
        assert_eq!(called(judge, &mates), Some((2, Call::Loses(Side::Black))));
    }
}
