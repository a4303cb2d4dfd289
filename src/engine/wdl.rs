//! WDL model: the probabilities of win, draw and loss that go with a score.
//!
//! The win is a logistic curve, the loss its mirror image, the draw lies in between. The parameters at both ends, with few and
//! with all pieces that can attack, are fitted to games at 2 s + 0.02 s by `chuhe-trainer wdl`.

use crate::board::{Kind, Position};
use crate::score::Score;

/// Weight of the attackers of both sides at the start of a game.
const FULL: f64 = 21.0;

const DRAW_HALF_WIDTH: [f64; 2] = [603.0, 184.0];
const SLOPE: [f64; 2] = [139.0, 131.0];

/// The curve in use.
pub const CURVE: Curve = Curve { draw_half_width: DRAW_HALF_WIDTH, slope: SLOPE };

/// Dependence of the probabilities on the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// Half the width of the draw, in centipawns, without and with all attackers: beyond it more games are won than not.
    pub draw_half_width: [f64; 2],
    /// Scale of the curve, in centipawns, without and with all attackers: the larger, the gentler its rise.
    pub slope: [f64; 2],
}

impl Curve {
    /// Returns the probabilities, 0 to 1, of win and loss at `lead` centipawns with this share of all attackers left.
    pub fn decided(&self, lead: f64, attackers: f64) -> [f64; 2] {
        let between = |ends: [f64; 2]| ends[0] + (ends[1] - ends[0]) * attackers;
        let (half_width, slope) = (between(self.draw_half_width), between(self.slope));
        [lead, -lead].map(|lead| 1.0 / (1.0 + ((half_width - lead) / slope).exp()))
    }
}

/// Returns the probabilities of win, draw and loss for the side to move of `root`, in thousandths that sum to 1000.
pub(super) fn chances(score: Score, root: &Position) -> [u32; 3] {
    if score.is_decisive() {
        return if score > Score::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    // Truncation of a number between 0 and 1000; the remainder goes to the draw.
    let [wins, losses] = CURVE.decided(f64::from(score.raw()), attackers(root)).map(|chance| (1000.0 * chance) as u32);
    [wins, 1000 - wins - losses, losses]
}

/// Returns the share of all attackers that is left, 0 to 1: a rook counts as two horses or cannons, and these as two pawns.
pub fn attackers(position: &Position) -> f64 {
    let count = |kind| f64::from(position.of_kind(kind).count());
    let left = 2.0 * count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon) + 0.5 * count(Kind::Pawn);
    (left / FULL).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_sum_to_a_thousand_and_mirror_each_other() {
        let endgame = Position::from_fen("3k5/9/9/9/9/9/9/R8/9/4K4 w").unwrap();
        for position in [Position::start(), endgame] {
            for raw in (-3000..=3000).step_by(37).chain([-30_000, 30_000]) {
                let [win, draw, loss] = chances(Score::from_eval(raw), &position);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(chances(Score::from_eval(-raw), &position), [loss, draw, win]);
                assert!(chances(Score::from_eval(raw + 100), &position)[0] >= win);
            }
        }
    }

    #[test]
    fn a_mate_is_certain_and_an_even_ending_is_drawn_more_often() {
        let start = Position::start();
        assert_eq!(chances(Score::mate_in(3), &start), [1000, 0, 0]);
        assert_eq!(chances(Score::mated_in(4), &start), [0, 0, 1000]);
        let ending = Position::from_fen("3k5/9/9/9/4p4/9/9/4P4/9/4K4 w").unwrap();
        assert!(chances(Score::DRAW, &ending)[1] > chances(Score::DRAW, &start)[1]);
    }
}
