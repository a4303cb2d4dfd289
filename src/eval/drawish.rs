//! Leads that seldom win: one or two attackers against defenders alone. What they are worth was counted in the tables of such
//! endgames.

use crate::board::{Kind, Position, Side};
use crate::score::Score;

/// Most men that can cross the river in what was counted.
const MOST_ACROSS: u32 = 2;

/// What a lead keeps that is as good as any.
const WHOLE: i32 = 16;

/// Sixteenths that a lead keeps, by the defenders' advisors, then their elephants.
///
/// Of all placements with the defenders to move it is the share that is lost, squared, because defenders that have been led
/// somewhere stand better than those that chance has placed; no less than one, so that the side that leads still prefers its better
/// positions. Where nearly all is won nothing is taken away.
type Shares = [[i32; 3]; 3];

const ROOK: Shares = [[16, 16, 16], [16, 16, 16], [16, 16, 4]];
const HORSE: Shares = [[16, 1, 1], [16, 1, 1], [1, 1, 1]];
const CANNON: Shares = [[1, 1, 1], [1, 1, 1], [1, 1, 1]];
const CANNON_WITH_ADVISORS: Shares = [[16, 16, 1], [16, 1, 1], [16, 1, 1]];
const PAWN: Shares = [[11, 1, 1], [1, 1, 1], [1, 1, 1]];
const HORSE_AND_PAWN: Shares = [[16, 13, 9], [16, 12, 6], [14, 8, 1]];
const CANNON_AND_PAWN: Shares = [[11, 5, 1], [10, 2, 1], [9, 1, 1]];
const PAWNS: Shares = [[16, 6, 4], [11, 1, 1], [9, 1, 1]];

/// `value`, for the side to move, without what seldom wins.
#[inline]
pub(super) fn scaled(position: &Position, value: Score) -> Score {
    let across = position.of_kind(Kind::Rook)
        | position.of_kind(Kind::Horse)
        | position.of_kind(Kind::Cannon)
        | position.of_kind(Kind::Pawn);
    if across.count() > MOST_ACROSS {
        return value;
    }
    let leader = if value >= Score::DRAW { position.side() } else { !position.side() };
    // Nothing that stands against another attacker was counted.
    let alone = (across & position.of_side(!leader)).is_empty();
    if alone { Score::from_eval(value.raw() * share(position, leader) / WHOLE) } else { value }
}

#[cold]
fn share(position: &Position, leader: Side) -> i32 {
    let count = |side: Side, kind: Kind| position.pieces(side, kind).count() as usize;
    let [rooks, horses, cannons, pawns] =
        [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn].map(|kind| count(leader, kind));
    let has_advisors = count(leader, Kind::Advisor) > 0;
    let shares = match (rooks, horses, cannons, pawns) {
        (1, 0, 0, 0) => ROOK,
        (0, 1, 0, 0) => HORSE,
        (0, 0, 1, 0) if has_advisors => CANNON_WITH_ADVISORS,
        (0, 0, 1, 0) => CANNON,
        (0, 0, 0, 1) => PAWN,
        (0, 1, 0, 1) => HORSE_AND_PAWN,
        // Its own advisors make it much stronger; those were not counted.
        (0, 0, 1, 1) if !has_advisors => CANNON_AND_PAWN,
        (0, 0, 0, 2) => PAWNS,
        _ => return WHOLE,
    };
    // In a variant of the game there may be more.
    let defenders = |kind: Kind| count(!leader, kind).min(2);
    shares[defenders(Kind::Advisor)][defenders(Kind::Elephant)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many sixteenths of a lead of red's are kept, and of black's when the colours are swapped, whoever is to move.
    #[track_caller]
    fn assert_kept(fen: &str, sixteenths: i32) {
        let position = Position::from_fen(&format!("{fen} w")).unwrap();
        for (position, sign) in [(position, 1), (position.pass(), -1)] {
            for position in [position, position.colours_swapped()] {
                let kept = scaled(&position, Score::from_eval(sign * 160));
                assert_eq!(kept, Score::from_eval(sign * 10 * sixteenths), "{}", position.to_fen());
            }
        }
    }

    #[test]
    fn what_seldom_wins_is_worth_little_whatever_stands_by_the_attackers_king() {
        assert_kept("2bakab2/9/9/9/9/9/9/9/9/R2K5", 4);
        assert_kept("2bakab2/9/9/9/9/9/9/9/4A4/R1BAK1B2", 4);
        assert_kept("2baka3/9/9/9/9/9/9/9/9/R2K5", 16);
        assert_kept("2b1k4/9/9/9/9/9/9/9/9/N2K5", 1);
        assert_kept("3ak4/9/9/9/9/9/9/9/9/N2K5", 16);
        assert_kept("3k5/9/9/9/9/9/9/9/9/C1B1K1B2", 1);
        assert_kept("3ak4/9/9/9/9/9/9/9/9/C2K1A3", 16);
        assert_kept("2bakab2/9/9/4P4/9/9/9/9/9/N2K5", 1);
        assert_kept("3ak4/9/9/4P4/9/9/9/9/9/C2K5", 10);
        assert_kept("3ak4/9/9/4P4/9/9/9/9/9/C2K1A3", 16);
    }

    #[test]
    fn what_was_not_counted_keeps_its_value() {
        assert_kept("2bakab2/9/9/9/9/9/9/9/9/R2K4R", 16);
        assert_kept("2bakab2/9/9/p8/9/9/9/9/9/R2K5", 16);
        assert_kept("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR", 16);
    }

    #[test]
    fn who_defends_has_no_lead_that_could_be_taken_away() {
        let position = Position::from_fen("2bakab2/9/9/P8/9/9/9/9/9/3K5 w").unwrap();
        assert_eq!(scaled(&position, Score::from_eval(-300)), Score::from_eval(-300));
    }
}
