//! How likely a score wins, draws and loses.
//!
//! A model, not a measurement: a logistic curve for the win, its mirror image for the loss, the draw in between. With
//! fewer pieces that can attack, the draw is wider and a lead is worth more.

use crate::board::{Kind, Position};
use crate::score::Score;

/// What the attackers of both sides count at the start of a game.
const FULL: f64 = 21.0;

/// Half the width of the draw, in centipawns, without and with all attackers: a win and a draw are equally likely there.
const DRAW_HALF_WIDTH: [f64; 2] = [260.0, 110.0];

/// How gently the curve rises, in centipawns, without and with all attackers.
const SLOPE: [f64; 2] = [70.0, 120.0];

/// The chances of the side to move of `root`, to win, draw and lose, in thousandths that sum to 1000.
pub(super) fn chances(score: Score, root: &Position) -> [u32; 3] {
    if score.is_decisive() {
        return if score > Score::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let share = attackers(root) / FULL;
    let between = |ends: [f64; 2]| ends[0] + (ends[1] - ends[0]) * share.min(1.0);
    let (half_width, slope) = (between(DRAW_HALF_WIDTH), between(SLOPE));
    let win = |lead: f64| 1000.0 / (1.0 + ((half_width - lead) / slope).exp());
    let lead = f64::from(score.raw());
    // Truncation of a number between 0 and 1000; what is cut off falls to the draw.
    let (wins, losses) = (win(lead) as u32, win(-lead) as u32);
    [wins, 1000 - wins - losses, losses]
}

/// A rook counts as two horses or cannons, and these as two pawns.
fn attackers(position: &Position) -> f64 {
    let count = |kind| f64::from(position.of_kind(kind).count());
    2.0 * count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon) + 0.5 * count(Kind::Pawn)
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
