//! What depends on several pieces at once: mobility, threats to the king, and whether anyone can still win.

use crate::board::attacks::{between, horse_attacks, lines, slider_attacks};
use crate::board::{Bitboard, Kind, Position, Side, Square};
use crate::eval::outlook::Outlook;

/// Centipawns per square a rook can go to.
const ROOK_MOBILITY: i32 = 4;
/// Centipawns per square a horse can go to.
const HORSE_MOBILITY: i32 = 10;
/// Mobility of a horse that neither gains nor loses.
const HORSE_MOBILITY_NORM: i32 = 4;
/// Centipawns per square a cannon can go to.
const CANNON_MOBILITY: i32 = 2;
/// A cannon that sees the enemy king on an empty line: no defender may step between.
const HOLLOW_CANNON: i32 = 110;
/// A cannon with two pieces between it and the enemy king: both are tied down.
const DOUBLE_SCREEN: i32 = 25;
/// A rook on the enemy king's file or rank, whatever stands between.
const ROOK_ON_KING_LINE: i32 = 12;
/// A missing advisor, for every rook and horse of the enemy.
const ADVISOR_MISSING: i32 = 14;
/// A missing elephant, for every cannon of the enemy.
const ELEPHANT_MISSING: i32 = 12;
/// A piece near the enemy palace, and more for each further one.
const ATTACKERS_NEAR: [i32; 7] = [0, 5, 20, 45, 80, 120, 160];
/// The right to move.
const TEMPO: i32 = 12;

/// All terms for red minus those for black, in centipawns, without material and placement. Each side's attack on the
/// other king weighs as many percent as its index in `attack_percent` says.
pub(crate) fn terms(position: &Position, attack_percent: [i32; 2]) -> i32 {
    let (red, black) = (side_terms(position, Side::Red), side_terms(position, Side::Black));
    let value = |terms: &SideTerms, side: Side| terms.value + weighted(terms.attack, attack_percent[side.index()]);
    let tempo = match position.side() {
        Side::Red => TEMPO,
        Side::Black => -TEMPO,
    };
    // Without attackers on both sides nothing can be won, whatever the balance says.
    if red.attackers + black.attackers == 0 {
        -super::placement_values(position)
    } else {
        value(&red, Side::Red) - value(&black, Side::Black) + tempo
    }
}

fn weighted(attack: i32, percent: i32) -> i32 {
    if percent == Outlook::EVEN { attack } else { attack * percent / Outlook::EVEN }
}

struct SideTerms {
    value: i32,
    /// What counts only because there is a king to be mated.
    attack: i32,
    /// Rooks, cannons, horses and pawns.
    attackers: u32,
}

fn side_terms(position: &Position, side: Side) -> SideTerms {
    let (own, occupied) = (position.of_side(side), position.occupied());
    let king = position.king(!side);
    let zone = KING_ZONES[(!side).index()];
    let mut value = 0;
    let mut attack = 0;
    let mut near = 0;
    let rooks = position.pieces(side, Kind::Rook);
    for rook in rooks {
        let reach = slider_attacks(rook, occupied).rook & !own;
        value += ROOK_MOBILITY * count(reach);
        attack += if lines(king).has(rook) { ROOK_ON_KING_LINE } else { 0 };
        near += usize::from((reach & zone).any());
    }
    let horses = position.pieces(side, Kind::Horse);
    for horse in horses {
        let reach = horse_attacks(horse, occupied) & !own;
        value += HORSE_MOBILITY * (count(reach) - HORSE_MOBILITY_NORM);
        near += usize::from((reach & zone).any());
    }
    let cannons = position.pieces(side, Kind::Cannon);
    for cannon in cannons {
        let reach = slider_attacks(cannon, occupied);
        value += CANNON_MOBILITY * count(reach.rook & !occupied);
        near += usize::from((reach.cannon & zone).any());
        if lines(king).has(cannon) {
            attack += match (between(king, cannon) & occupied).count() {
                0 => HOLLOW_CANNON,
                2 => DOUBLE_SCREEN,
                _ => 0,
            };
        }
    }
    let pawns = position.pieces(side, Kind::Pawn);
    near += (pawns & zone).count() as usize;
    attack += ATTACKERS_NEAR[near.min(ATTACKERS_NEAR.len() - 1)];
    let missing = |kind: Kind| 2 - count(position.pieces(!side, kind));
    attack += ADVISOR_MISSING * missing(Kind::Advisor) * count(rooks | horses);
    attack += ELEPHANT_MISSING * missing(Kind::Elephant) * count(cannons);
    SideTerms { value, attack, attackers: (rooks | horses | cannons | pawns).count() }
}

/// The palace of each side and the rank before it.
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
