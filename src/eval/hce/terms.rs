//! Terms that depend on several pieces: mobility, king attack, and whether either side can still win.

use super::placement::placement_values;
use super::weights::{
    ADVISOR_MISSING, ATTACKERS_NEAR, CANNON_MOBILITY, DOUBLE_SCREEN, ELEPHANT_MISSING, HOLLOW_CANNON, HORSE_MOBILITY,
    ROOK_MOBILITY, ROOK_ON_KING_LINE, TEMPO,
};
use crate::board::attacks::{between, horse_attacks, lines, slider_attacks};
use crate::board::{Bitboard, Kind, Position, Side, Square};

/// Mobility of a horse that counts as neutral.
const HORSE_MOBILITY_NORM: i32 = 4;

/// The sum of all terms for red minus that for black, in centipawns, without material and placement. `attack_percent`
/// scales each side's attack on the other king, by the side's index.
pub(crate) fn terms(position: &Position, attack_percent: [i32; 2]) -> i32 {
    let counts = Side::ALL.map(|side| Counts::of(position, side));
    // If neither side has attackers, nothing can be won: the result cancels the balance.
    if counts.iter().all(|counts| counts.attackers == 0) {
        return -placement_values(position);
    }
    let value = |side: Side| {
        let counts = &counts[side.index()];
        counts.activity() + weighted(counts.attack(), attack_percent[side.index()])
    };
    value(Side::Red) - value(Side::Black) + position.side().sign() * TEMPO
}

/// Percentage at which an attack counts unchanged.
pub(crate) const EVEN: i32 = 100;

fn weighted(attack: i32, percent: i32) -> i32 {
    if percent == EVEN { attack } else { attack * percent / EVEN }
}

/// Counts of the terms for one side.
#[derive(Default)]
pub(super) struct Counts {
    /// Squares available to its rooks.
    pub(super) rook_mobility: i32,
    /// Squares available to its horses, each relative to [`HORSE_MOBILITY_NORM`].
    pub(super) horse_mobility: i32,
    /// Empty squares available to its cannons.
    pub(super) cannon_mobility: i32,
    /// Rooks on the enemy king's lines.
    pub(super) rooks_on_king_line: i32,
    pub(super) hollow_cannons: i32,
    pub(super) double_screens: i32,
    /// Missing advisors of the enemy, once for each rook and horse.
    pub(super) advisors_missing: i32,
    /// Missing elephants of the enemy, once for each cannon.
    pub(super) elephants_missing: i32,
    /// Pieces near the enemy's palace, as an index of [`ATTACKERS_NEAR`].
    pub(super) near: usize,
    /// Rooks, cannons, horses and pawns.
    pub(super) attackers: u32,
}

impl Counts {
    pub(super) fn of(position: &Position, side: Side) -> Self {
        let (own, occupied) = (position.of_side(side), position.occupied());
        let king = position.king(!side);
        let zone = KING_ZONES[(!side).index()];
        let mut counts = Self::default();
        let rooks = position.pieces(side, Kind::Rook);
        for rook in rooks {
            let reach = slider_attacks(rook, occupied).rook & !own;
            counts.rook_mobility += count(reach);
            counts.rooks_on_king_line += i32::from(lines(king).has(rook));
            counts.near += usize::from((reach & zone).any());
        }
        let horses = position.pieces(side, Kind::Horse);
        for horse in horses {
            let reach = horse_attacks(horse, occupied) & !own;
            counts.horse_mobility += count(reach) - HORSE_MOBILITY_NORM;
            counts.near += usize::from((reach & zone).any());
        }
        let cannons = position.pieces(side, Kind::Cannon);
        for cannon in cannons {
            let reach = slider_attacks(cannon, occupied);
            counts.cannon_mobility += count(reach.rook & !occupied);
            counts.near += usize::from((reach.cannon & zone).any());
            if lines(king).has(cannon) {
                match (between(king, cannon) & occupied).count() {
                    0 => counts.hollow_cannons += 1,
                    2 => counts.double_screens += 1,
                    _ => {}
                }
            }
        }
        let pawns = position.pieces(side, Kind::Pawn);
        counts.near = (counts.near + (pawns & zone).count() as usize).min(ATTACKERS_NEAR.len() - 1);
        let missing = |kind: Kind| 2 - count(position.pieces(!side, kind));
        counts.advisors_missing = missing(Kind::Advisor) * count(rooks | horses);
        counts.elephants_missing = missing(Kind::Elephant) * count(cannons);
        counts.attackers = (rooks | horses | cannons | pawns).count();
        counts
    }

    /// Mobility score, in centipawns.
    fn activity(&self) -> i32 {
        ROOK_MOBILITY * self.rook_mobility
            + HORSE_MOBILITY * self.horse_mobility
            + CANNON_MOBILITY * self.cannon_mobility
    }

    /// King attack score, in centipawns.
    fn attack(&self) -> i32 {
        ROOK_ON_KING_LINE * self.rooks_on_king_line
            + HOLLOW_CANNON * self.hollow_cannons
            + DOUBLE_SCREEN * self.double_screens
            + ADVISOR_MISSING * self.advisors_missing
            + ELEPHANT_MISSING * self.elephants_missing
            + ATTACKERS_NEAR[self.near]
    }
}

/// The palace of each side and the rank in front of it.
const KING_ZONES: [Bitboard; 2] = {
    let mut zones = [Bitboard::EMPTY; 2];
    let mut index = 0;
    while index < 12 {
        let square = Square::new(3 + index % 3, index / 3);
        zones[Side::Red.index()] = zones[Side::Red.index()].with(square);
        zones[Side::Black.index()] = zones[Side::Black.index()].with(square.rotated());
        index += 1;
    }
    zones
};

fn count(set: Bitboard) -> i32 {
    set.count() as i32
}
