//! Checks, pins and screens around the king of the side to move, computed once per position.

use super::attacks::{between, horse_attackers, horse_leg, horse_near, lines, pawn_attackers, slider_attacks};
use super::bitboard::Bitboard;
use super::piece::{Kind, Side};
use super::placement::Placement;
use super::square::Square;

/// Checks and pins against the king of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Guard {
    /// Enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// Own pieces whose moves are restricted: alone before a rook or the enemy king, one of two screens before a
    /// cannon, on the leg of a horse, or the screen of a cannon that gives check.
    pub(crate) pinned: Bitboard,
    /// Empty lines to a cannon: a piece that steps onto one becomes its screen.
    pub(crate) hollow: Bitboard,
}

impl Guard {
    pub(crate) fn examine(placement: &Placement, side: Side) -> Self {
        let (own, enemy, occupied) = (placement.of_side(side), placement.of_side(!side), placement.occupied());
        let king = king_square(placement, side);
        let aligned = enemy & lines(king);
        let mut guard = Self { checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY, hollow: Bitboard::EMPTY };
        for attacker in aligned & (placement.of_kind(Kind::Rook) | placement.of_kind(Kind::King)) {
            let blockers = between(king, attacker) & occupied;
            if blockers.is_empty() {
                guard.checkers = guard.checkers.with(attacker);
            } else if !blockers.many() {
                guard.pinned |= blockers & own;
            }
        }
        for cannon in aligned & placement.of_kind(Kind::Cannon) {
            let gap = between(king, cannon);
            match Screens::of(gap & occupied) {
                Screens::None => guard.hollow |= gap,
                Screens::One => {
                    guard.checkers = guard.checkers.with(cannon);
                    guard.pinned |= gap & own;
                }
                Screens::Two => guard.pinned |= gap & own,
                Screens::More => {}
            }
        }
        let horses = enemy & placement.of_kind(Kind::Horse) & horse_near(king);
        if horses.any() {
            guard.checkers |= horses & horse_attackers(king, occupied);
            guard.pinned |= horses.into_iter().map(|horse| horse_leg(horse, king)).collect::<Bitboard>() & own;
        }
        guard.checkers |= enemy & placement.of_kind(Kind::Pawn) & pawn_attackers(!side, king);
        guard
    }
}

/// Number of pieces between a cannon and the king, as far as it matters.
pub(super) enum Screens {
    None,
    One,
    Two,
    More,
}

impl Screens {
    pub(super) fn of(between: Bitboard) -> Self {
        let but_one = between.without_first();
        if between.is_empty() {
            Self::None
        } else if but_one.is_empty() {
            Self::One
        } else if but_one.without_first().is_empty() {
            Self::Two
        } else {
            Self::More
        }
    }
}

pub(crate) fn king_square(placement: &Placement, side: Side) -> Square {
    let king = placement.of_kind(Kind::King) & placement.of_side(side);
    king.first().expect("each side has a king")
}

/// Returns the pieces of `by` (all of one side) that attack `square`, which lies in the other side's palace.
///
/// `occupied` are the squares with pieces. Only attacks that can give check count; the facing king is among them.
pub(crate) fn attackers(placement: &Placement, square: Square, occupied: Bitboard, by: Bitboard) -> Bitboard {
    let of = |kind: Kind| placement.of_kind(kind);
    let reach = slider_attacks(square, occupied);
    let side = if (by & placement.of_side(Side::Red)).any() { Side::Red } else { Side::Black };
    by & ((reach.rook & (of(Kind::Rook) | of(Kind::King)))
        | (reach.cannon & of(Kind::Cannon))
        | (horse_attackers(square, occupied) & of(Kind::Horse))
        | (pawn_attackers(side, square) & of(Kind::Pawn)))
}
