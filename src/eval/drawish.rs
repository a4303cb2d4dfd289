//! Endgame scaling: what few men make of a lead. One or two attackers against defenders alone seldom win; how seldom was counted in
//! the endgame tablebases. A lead that wins grows with every man that the other side loses, because the value of such
//! positions is flat otherwise, and a search that sees no way to gain anything goes round.

use crate::board::{Bitboard, Kind, Position, Side};
use crate::score::Score;

/// What the material of a lead keeps that is as good as any.
const WHOLE: i32 = 16;

/// Sixteenths that the material of a lead keeps, by the defenders' advisors, then their elephants.
///
/// Of all placements with the defenders to move it is the share that is lost, squared, because defenders that have been led
/// somewhere stand better than those that chance has placed; no less than one. Where nearly all is won nothing is taken away.
type Shares = [[i32; 3]; 3];

const ROOK: Shares = [[16, 16, 16], [16, 16, 16], [16, 16, 4]];
const HORSE: Shares = [[16, 1, 1], [16, 1, 1], [1, 1, 1]];
const CANNON: Shares = [[1, 1, 1], [1, 1, 1], [1, 1, 1]];
const CANNON_WITH_ADVISORS: Shares = [[16, 16, 1], [16, 1, 1], [16, 1, 1]];
const PAWN: Shares = [[11, 1, 1], [1, 1, 1], [1, 1, 1]];
const HORSE_AND_PAWN: Shares = [[16, 13, 9], [16, 12, 6], [14, 8, 1]];
const CANNON_AND_PAWN: Shares = [[11, 5, 1], [10, 2, 1], [9, 1, 1]];
const PAWNS: Shares = [[16, 6, 4], [11, 1, 1], [9, 1, 1]];

/// What an attacker is worth in such endings, in centipawns: in positions by chance the network's values differ from that by 60 or
/// so.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Rook => 1060,
        Kind::Horse | Kind::Cannon => 455,
        Kind::Pawn => 135,
        Kind::King | Kind::Advisor | Kind::Elephant => 0,
    }
}

/// What an advisor or an elephant of either side is worth there.
const GUARD: i32 = 70;

/// A lead of more than this wins, in centipawns...
const WINNING: i32 = 500;
/// ...and beyond all doubt from this much more on.
const WINNING_RAMP: i32 = 200;
/// An advisor or elephant that the losing side lacks, in centipawns.
const GUARD_LOST: i32 = 40;
/// A man that can cross the river, of [`DEFENDERS`], that the losing side lacks, in centipawns.
const MAN_LOST: i32 = 150;
const DEFENDERS: i32 = 2;
const GUARDS: i32 = 4;

/// `value`, for the side to move, as few men let it be.
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
    // No more than two men that can cross the river were counted.
    let value = if across.without_first().many() { value } else { discounted(position, across, value) };
    grown(position, across, value)
}

/// A lead that wins, and what the other side has lost already.
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
        // Who has only defenders never wins; as below something is left, so that there are better positions and worse.
        return Score::from_eval(value.raw() / WHOLE);
    }
    if (across & position.of_side(!leader)).any() {
        // Nothing that stands against another attacker was counted.
        return value;
    }
    let mut attackers = [0; Kind::ALL.len()];
    for piece in across.into_iter().filter_map(|square| position.piece_on(square)) {
        attackers[piece.kind().index()] += 1;
    }
    let kept = kept(position, leader, &attackers, value.raw().abs());
    Score::from_eval(value.raw().signum() * kept)
}

/// What is left of a lead: all by which this position is better than others with its men, or worse, so that the way to a win is as
/// steep as anywhere; and never nothing, because even so the leader cannot lose.
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
        // Its own advisors make it much stronger; those were not counted.
        (0, 0, 1, 1) if !has_advisors => CANNON_AND_PAWN,
        (0, 0, 0, 2) => PAWNS,
        _ => return WHOLE,
    };
    // In a variant of the game there may be more than two.
    let defenders = |kind: Kind| {
        let men = position.pieces(!leader, kind);
        usize::from(men.any()) + usize::from(men.many())
    };
    shares[defenders(Kind::Advisor)][defenders(Kind::Elephant)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many centipawns of a lead of red's are kept, and of black's when the colours are swapped, whoever is to move.
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
        // Three quarters of a rook less the four are taken, whatever else speaks for the position.
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
        // Two that can cross the river, one of either side.
        assert_kept("2bakab2/9/9/p8/9/9/9/9/9/R2K5", -160, -160);
    }
}
