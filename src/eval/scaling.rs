//! Endgame scaling: reduces leads with few pieces that are seldom won, and raises winning ones.
//!
//! One or two attackers seldom win against advisors and elephants alone; how seldom was counted in the endgame
//! tablebases (EGTB). A winning lead grows with every piece that the losing side has lost, because the value of such
//! positions is flat otherwise, and a search that finds nothing to gain moves back and forth.

use crate::board::{Bitboard, Kind, Position, Side};
use crate::score::Score;

/// Scale of a lead that is kept whole.
const WHOLE: i32 = 16;

/// Scale factors for the material of a lead, in sixteenths, by the defenders' advisors, then their elephants.
///
/// Each factor is the share of lost positions among all placements with the defenders to move, squared, but at least 1.
/// The square accounts for defenders that stand better in games than in random placements. Where nearly all positions
/// are won, nothing is deducted.
type Scales = [[i32; 3]; 3];

const ROOK: Scales = [[16, 16, 16], [16, 16, 16], [16, 16, 4]];
const HORSE: Scales = [[16, 1, 1], [16, 1, 1], [1, 1, 1]];
const CANNON: Scales = [[1, 1, 1], [1, 1, 1], [1, 1, 1]];
const CANNON_WITH_ADVISORS: Scales = [[16, 16, 1], [16, 1, 1], [16, 1, 1]];
const PAWN: Scales = [[11, 1, 1], [1, 1, 1], [1, 1, 1]];
const HORSE_AND_PAWN: Scales = [[16, 13, 9], [16, 12, 6], [14, 8, 1]];
const CANNON_AND_PAWN: Scales = [[11, 5, 1], [10, 2, 1], [9, 1, 1]];
const PAWNS: Scales = [[16, 6, 4], [11, 1, 1], [9, 1, 1]];

/// Values of rook, horse, cannon and pawn in such endgames, in centipawns; the network's values of random positions differ
/// from them by about 60.
const VALUES: [i32; 4] = [1060, 455, 455, 135];

/// Value of an advisor or elephant of either side in such endgames, in centipawns.
const GUARD: i32 = 70;

/// Lead above which the bonus for a winning lead begins, in centipawns.
const WINNING: i32 = 500;
/// Range above [`WINNING`] over which that bonus rises to its full size, in centipawns.
const WINNING_RAMP: i32 = 200;
/// Bonus for each advisor or elephant that the losing side lacks, in centipawns.
const GUARD_LOST: i32 = 40;
/// Bonus for each attacker, of [`ATTACKERS`], that the losing side lacks, in centipawns.
const ATTACKER_LOST: i32 = 150;
const ATTACKERS: i32 = 2;
const GUARDS: i32 = 4;

/// Applies endgame scaling to `value`, which is for the side to move.
#[inline]
pub(super) fn scaled(position: &Position, value: Score) -> Score {
    let attackers = position.attackers();
    let after_three = attackers.without_first().without_first().without_first();
    if after_three.many() { value } else { with_few_attackers(position, attackers, value) }
}

#[cold]
#[inline(never)]
fn with_few_attackers(position: &Position, attackers: Bitboard, value: Score) -> Score {
    // The tablebase counts cover at most two attackers.
    let value = if attackers.without_first().many() { value } else { scaled_down(position, attackers, value) };
    with_progress(position, attackers, value)
}

/// Progress bonus: raises a winning lead by what the other side has lost already.
fn with_progress(position: &Position, attackers: Bitboard, value: Score) -> Score {
    let (lead, sign) = (value.raw().abs(), value.raw().signum());
    let loser = position.of_side(if sign > 0 { !position.side() } else { position.side() });
    let guards = position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    let guards_lost = GUARDS - (guards & loser).count() as i32;
    let attackers_lost = ATTACKERS - (attackers & loser).count() as i32;
    let progress = guards_lost.max(0) * GUARD_LOST + attackers_lost.max(0) * ATTACKER_LOST;
    let certainty = (lead - WINNING).clamp(0, WINNING_RAMP);
    Score::from_eval(value.raw() + sign * progress * certainty / WINNING_RAMP)
}

/// Reduces a lead that is seldom won.
fn scaled_down(position: &Position, attackers: Bitboard, value: Score) -> Score {
    let leader = if value >= Score::DRAW { position.side() } else { !position.side() };
    if (attackers & position.of_side(leader)).is_empty() {
        // A side with only defenders never wins; as below, a part is kept, so that better and worse positions differ.
        return Score::from_eval(value.raw() / WHOLE);
    }
    if (attackers & position.of_side(!leader)).any() {
        // The counts cover no positions in which both sides have attackers.
        return value;
    }
    let count = |kind| position.of_kind(kind).count() as i32;
    let attackers = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn].map(count);
    Score::from_eval(value.raw().signum() * scaled_lead(position, leader, attackers, value.raw().abs()))
}

/// Returns the scaled lead.
///
/// Differences between positions with the same pieces are kept in full, so that the way to a win is as steep as elsewhere.
/// At least a sixteenth of the lead is kept, because the leader cannot lose.
fn scaled_lead(position: &Position, leader: Side, attackers: [i32; 4], lead: i32) -> i32 {
    let scale = scale(position, leader, attackers);
    if scale == WHOLE {
        return lead;
    }
    let guards = position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    let [own, others] = [leader, !leader].map(|side| (guards & position.of_side(side)).count() as i32);
    let attack: i32 = attackers.into_iter().zip(VALUES).map(|(count, value)| count * value).sum();
    let material = attack + GUARD * (own - others);
    (lead - material.max(0) * (WHOLE - scale) / WHOLE).max(lead / WHOLE)
}

/// Scale of a lead by these numbers of rooks, horses, cannons and pawns, in sixteenths.
fn scale(position: &Position, leader: Side, attackers: [i32; 4]) -> i32 {
    let has_advisors = position.pieces(leader, Kind::Advisor).any();
    let scales = match attackers {
        [1, 0, 0, 0] => ROOK,
        [0, 1, 0, 0] => HORSE,
        [0, 0, 1, 0] if has_advisors => CANNON_WITH_ADVISORS,
        [0, 0, 1, 0] => CANNON,
        [0, 0, 0, 1] => PAWN,
        [0, 1, 0, 1] => HORSE_AND_PAWN,
        // The leader's advisors make it much stronger; those positions were not counted.
        [0, 0, 1, 1] if !has_advisors => CANNON_AND_PAWN,
        [0, 0, 0, 2] => PAWNS,
        _ => return WHOLE,
    };
    // More than two count as two.
    let defenders = |kind: Kind| {
        let pieces = position.pieces(!leader, kind);
        usize::from(pieces.any()) + usize::from(pieces.many())
    };
    scales[defenders(Kind::Advisor)][defenders(Kind::Elephant)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that red keeps `scaled` centipawns of a lead, and so does black with the colours swapped, whichever side
    /// is to move.
    #[track_caller]
    fn assert_scaled(fen: &str, lead: i32, scaled: i32) {
        let position = Position::from_fen(&format!("{fen} w")).unwrap();
        for (position, sign) in [(position, 1), (position.pass(), -1)] {
            for position in [position, position.colours_swapped()] {
                let value = Score::from_eval(sign * lead);
                let attackers = position.attackers();
                let found = if attackers.count() > 2 { value } else { scaled_down(&position, attackers, value) };
                assert_eq!(found, Score::from_eval(sign * scaled), "{}", position.to_fen());
            }
        }
    }

    #[test]
    fn what_seldom_wins_is_worth_little_whatever_stands_by_the_attackers_king() {
        // Three quarters of the lead in material are deducted, whatever else favours the position.
        assert_scaled("2bakab2/9/9/9/9/9/9/9/9/R2K5", 800, 800 - 585);
        assert_scaled("2bakab2/9/9/9/9/9/9/9/9/R2K5", 700, 700 - 585);
        assert_scaled("2bakab2/9/9/9/9/9/9/9/4A4/R1BAK1B2", 1060, 1060 - 795);
        assert_scaled("2baka3/9/9/9/9/9/9/9/9/R2K5", 900, 900);
        assert_scaled("2b1k4/9/9/9/9/9/9/9/9/N2K5", 400, 400 - 360);
        assert_scaled("3ak4/9/9/9/9/9/9/9/9/N2K5", 400, 400);
        assert_scaled("3k5/9/9/9/9/9/9/9/9/C1B1K1B2", 600, 600 - 557);
        assert_scaled("3ak4/9/9/9/9/9/9/9/9/C2K1A3", 500, 500);
        assert_scaled("2bakab2/9/9/4P4/9/9/9/9/9/N2K5", 340, 340 - 290);
        assert_scaled("3ak4/9/9/4P4/9/9/9/9/9/C2K5", 540, 540 - 195);
        assert_scaled("3ak4/9/9/4P4/9/9/9/9/9/C2K1A3", 600, 600);
    }

    #[test]
    fn the_leader_keeps_a_lead_and_prefers_its_better_positions() {
        let horse = "2b1k4/9/9/9/9/9/9/9/9/N2K5";
        assert_scaled(horse, 320, 20);
        assert_scaled(horse, 160, 10);
        assert_scaled(horse, 0, 0);
        // Four guards are worth more than a pawn.
        assert_scaled("2bakab2/9/9/4P4/9/9/9/9/9/3K5", 30, 30);
    }

    #[test]
    fn what_was_not_counted_keeps_its_value() {
        assert_scaled("2bakab2/9/9/9/9/9/9/9/9/R2K4R", 160, 160);
        assert_scaled("2bakab2/9/9/p8/9/9/9/9/9/R2K5", 160, 160);
        assert_scaled("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR", 160, 160);
    }

    #[test]
    fn a_winning_lead_grows_with_every_man_that_the_other_side_loses() {
        let value = |board: &str, lead: i32| {
            let position = Position::from_fen(&format!("{board} w")).unwrap();
            let [value, swapped] = [
                scaled(&position, Score::from_eval(lead)),
                scaled(&position.colours_swapped(), Score::from_eval(lead)),
            ];
            assert_eq!(value, swapped);
            assert_eq!(scaled(&position.pass(), Score::from_eval(-lead)), -value);
            value.raw()
        };
        let boards = [
            "2bckab2/9/9/9/9/9/9/9/9/R2K5",
            "2bck4/9/4b4/9/9/9/9/R8/9/4K4",
            "2bck4/9/9/9/9/9/9/R8/9/3K5",
            "2b1k4/9/9/9/9/9/9/R8/9/3K5",
        ];
        let values = boards.map(|board| value(board, 1100));
        assert_eq!(values, [1100 + 40 + 150, 1100 + 2 * 40 + 150, 1100 + 3 * 40 + 150, 1100 + 3 * 40 + 2 * 150]);
        assert_eq!(value(boards[1], WINNING), WINNING, "what may be held does not");
        assert!(value(boards[1], 600) > 600 && value(boards[1], 600) < value(boards[1], 601));
        let many = "r1bck4/9/9/9/9/9/9/R8/1NN6/3K5";
        assert_eq!(value(many, 1100), 1100, "nor what has many pieces");
    }

    #[test]
    fn who_has_only_defenders_leads_in_next_to_nothing() {
        let pawn = "2bakab2/9/9/9/P8/9/9/9/9/3K5";
        assert_scaled(pawn, -320, -20);
        assert_scaled("2bakab2/9/9/9/P3N4/9/9/9/9/3K5", -160, -10);
        // Two pieces that can cross the river, one on either side.
        assert_scaled("2bakab2/9/9/p8/9/9/9/9/9/R2K5", -160, -160);
    }
}
