//! Endgame scaling: reduces leads with few men that are seldom won, and raises winning ones.
//!
//! One or two attackers seldom win against advisors and elephants alone; how seldom was counted in the endgame
//! tablebases (EGTB). A winning lead grows with every man that the losing side has lost, because the value of such
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
type Shares = [[i32; 3]; 3];

const ROOK: Shares = [[16, 16, 16], [16, 16, 16], [16, 16, 4]];
const HORSE: Shares = [[16, 1, 1], [16, 1, 1], [1, 1, 1]];
const CANNON: Shares = [[1, 1, 1], [1, 1, 1], [1, 1, 1]];
const CANNON_WITH_ADVISORS: Shares = [[16, 16, 1], [16, 1, 1], [16, 1, 1]];
const PAWN: Shares = [[11, 1, 1], [1, 1, 1], [1, 1, 1]];
const HORSE_AND_PAWN: Shares = [[16, 13, 9], [16, 12, 6], [14, 8, 1]];
const CANNON_AND_PAWN: Shares = [[11, 5, 1], [10, 2, 1], [9, 1, 1]];
const PAWNS: Shares = [[16, 6, 4], [11, 1, 1], [9, 1, 1]];

/// Value of an attacker in such endgames, in centipawns; the network's values of random positions differ from it by about 60.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Rook => 1060,
        Kind::Horse | Kind::Cannon => 455,
        Kind::Pawn => 135,
        Kind::King | Kind::Advisor | Kind::Elephant => 0,
    }
}

/// Value of an advisor or elephant of either side in such endgames, in centipawns.
const GUARD: i32 = 70;

/// Lead above which the bonus for a winning lead begins, in centipawns.
const WINNING: i32 = 500;
/// Range above [`WINNING`] over which that bonus rises to its full size, in centipawns.
const WINNING_RAMP: i32 = 200;
/// Bonus for each advisor or elephant that the losing side lacks, in centipawns.
const GUARD_LOST: i32 = 40;
/// Bonus for each man able to cross the river, of [`DEFENDERS`], that the losing side lacks, in centipawns.
const MAN_LOST: i32 = 150;
const DEFENDERS: i32 = 2;
const GUARDS: i32 = 4;

/// Applies endgame scaling to `value`, which is for the side to move.
#[inline]
pub(super) fn scaled(position: &Position, value: Score) -> Score {
    let across = able_to_cross(position);
    let after_three = across.without_first().without_first().without_first();
    if after_three.many() { value } else { scaled_with_few(position, across, value) }
}

/// The men of both sides that can cross the river.
fn able_to_cross(position: &Position) -> Bitboard {
    let guards = position.of_kind(Kind::King) | position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    position.occupied() & !guards
}

#[cold]
#[inline(never)]
fn scaled_with_few(position: &Position, across: Bitboard, value: Score) -> Score {
    // The tablebase counts cover at most two men that can cross the river.
    let value = if across.without_first().many() { value } else { discounted(position, across, value) };
    grown(position, across, value)
}

/// Raises a winning lead by what the other side has lost already.
fn grown(position: &Position, across: Bitboard, value: Score) -> Score {
    let (lead, sign) = (value.raw().abs(), value.raw().signum());
    let loser = position.of_side(if sign > 0 { !position.side() } else { position.side() });
    let guards = position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    let guards_lost = GUARDS - (guards & loser).count() as i32;
    let men_lost = DEFENDERS - (across & loser).count() as i32;
    let progress = guards_lost.max(0) * GUARD_LOST + men_lost.max(0) * MAN_LOST;
    let certainty = (lead - WINNING).clamp(0, WINNING_RAMP);
    Score::from_eval(value.raw() + sign * progress * certainty / WINNING_RAMP)
}

fn discounted(position: &Position, across: Bitboard, value: Score) -> Score {
    let leader = if value >= Score::DRAW { position.side() } else { !position.side() };
    if (across & position.of_side(leader)).is_empty() {
        // A side with only defenders never wins; as below, a part is kept, so that better and worse positions differ.
        return Score::from_eval(value.raw() / WHOLE);
    }
    if (across & position.of_side(!leader)).any() {
        // The counts cover no positions in which both sides have attackers.
        return value;
    }
    let mut attackers = [0; Kind::ALL.len()];
    for piece in across.into_iter().filter_map(|square| position.piece_on(square)) {
        attackers[piece.kind().index()] += 1;
    }
    let kept = kept(position, leader, &attackers, value.raw().abs());
    Score::from_eval(value.raw().signum() * kept)
}

/// Returns the scaled lead.
///
/// Differences between positions with the same men are kept in full, so that the way to a win is as steep as elsewhere.
/// At least a sixteenth of the lead is kept, because the leader cannot lose.
fn kept(position: &Position, leader: Side, attackers: &[i32; Kind::ALL.len()], lead: i32) -> i32 {
    let share = share(position, leader, attackers);
    if share == WHOLE {
        return lead;
    }
    let guards = position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    let [own, others] = [leader, !leader].map(|side| (guards & position.of_side(side)).count() as i32);
    let attack: i32 = Kind::ALL.iter().map(|&kind| worth(kind) * attackers[kind.index()]).sum();
    let material = attack + GUARD * (own - others);
    (lead - material.max(0) * (WHOLE - share) / WHOLE).max(lead / WHOLE)
}

fn share(position: &Position, leader: Side, attackers: &[i32; Kind::ALL.len()]) -> i32 {
    let has_advisors = position.pieces(leader, Kind::Advisor).any();
    let [rooks, horses, cannons, pawns] =
        [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn].map(|kind| attackers[kind.index()]);
    let shares = match (rooks, horses, cannons, pawns) {
        (1, 0, 0, 0) => ROOK,
        (0, 1, 0, 0) => HORSE,
        (0, 0, 1, 0) if has_advisors => CANNON_WITH_ADVISORS,
        (0, 0, 1, 0) => CANNON,
        (0, 0, 0, 1) => PAWN,
        (0, 1, 0, 1) => HORSE_AND_PAWN,
        // The leader's advisors make it much stronger; those positions were not counted.
        (0, 0, 1, 1) if !has_advisors => CANNON_AND_PAWN,
        (0, 0, 0, 2) => PAWNS,
        _ => return WHOLE,
    };
    // More than two count as two.
    let defenders = |kind: Kind| {
        let men = position.pieces(!leader, kind);
        usize::from(men.any()) + usize::from(men.many())
    };
    shares[defenders(Kind::Advisor)][defenders(Kind::Elephant)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that red keeps `kept` centipawns of a lead, and so does black with the colours swapped, whichever side
    /// is to move.
    #[track_caller]
    fn assert_kept(fen: &str, lead: i32, kept: i32) {
        let position = Position::from_fen(&format!("{fen} w")).unwrap();
        for (position, sign) in [(position, 1), (position.pass(), -1)] {
            for position in [position, position.colours_swapped()] {
                let value = Score::from_eval(sign * lead);
                let across = able_to_cross(&position);
                let found = if across.count() > 2 { value } else { discounted(&position, across, value) };
                assert_eq!(found, Score::from_eval(sign * kept), "{}", position.to_fen());
            }
        }
    }

    #[test]
    fn what_seldom_wins_is_worth_little_whatever_stands_by_the_attackers_king() {
        // Three quarters of the lead in material are deducted, whatever else favours the position.
        assert_kept("2bakab2/9/9/9/9/9/9/9/9/R2K5", 800, 800 - 585);
        assert_kept("2bakab2/9/9/9/9/9/9/9/9/R2K5", 700, 700 - 585);
        assert_kept("2bakab2/9/9/9/9/9/9/9/4A4/R1BAK1B2", 1060, 1060 - 795);
        assert_kept("2baka3/9/9/9/9/9/9/9/9/R2K5", 900, 900);
        assert_kept("2b1k4/9/9/9/9/9/9/9/9/N2K5", 400, 400 - 360);
        assert_kept("3ak4/9/9/9/9/9/9/9/9/N2K5", 400, 400);
        assert_kept("3k5/9/9/9/9/9/9/9/9/C1B1K1B2", 600, 600 - 557);
        assert_kept("3ak4/9/9/9/9/9/9/9/9/C2K1A3", 500, 500);
        assert_kept("2bakab2/9/9/4P4/9/9/9/9/9/N2K5", 340, 340 - 290);
        assert_kept("3ak4/9/9/4P4/9/9/9/9/9/C2K5", 540, 540 - 195);
        assert_kept("3ak4/9/9/4P4/9/9/9/9/9/C2K1A3", 600, 600);
    }

    #[test]
    fn the_leader_keeps_a_lead_and_prefers_its_better_positions() {
        let horse = "2b1k4/9/9/9/9/9/9/9/9/N2K5";
        assert_kept(horse, 320, 20);
        assert_kept(horse, 160, 10);
        assert_kept(horse, 0, 0);
        // Four guards are worth more than a pawn.
        assert_kept("2bakab2/9/9/4P4/9/9/9/9/9/3K5", 30, 30);
    }

    #[test]
    fn what_was_not_counted_keeps_its_value() {
        assert_kept("2bakab2/9/9/9/9/9/9/9/9/R2K4R", 160, 160);
        assert_kept("2bakab2/9/9/p8/9/9/9/9/9/R2K5", 160, 160);
        assert_kept("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR", 160, 160);
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
        assert_eq!(value(many, 1100), 1100, "nor what has many men");
    }

    #[test]
    fn who_has_only_defenders_leads_in_next_to_nothing() {
        let pawn = "2bakab2/9/9/9/P8/9/9/9/9/3K5";
        assert_kept(pawn, -320, -20);
        assert_kept("2bakab2/9/9/9/P3N4/9/9/9/9/3K5", -160, -10);
        // Two men that can cross the river, one on either side.
        assert_kept("2bakab2/9/9/p8/9/9/9/9/9/R2K5", -160, -160);
    }
}
