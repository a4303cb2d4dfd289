//! Checking moves of a position, computed once for all of them.

use super::attacks::{between, horse_attackers, horse_leg, horse_near, lines, pawn_attackers, slider_attacks};
use super::bitboard::Bitboard;
use super::guard::Screens;
use super::moves::Move;
use super::piece::Kind;
use super::position::Position;
use super::square::Square;

/// Check squares: squares from which a piece of the side to move attacks the enemy king, by kind.
/// [`Position::is_check`] agrees with [`Position::gives_check`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks {
    /// Squares by kind: a piece there attacks the king or becomes the screen of a cannon that does.
    squares: [Bitboard; Kind::ALL.len()],
    /// Own pieces whose moves are examined one by one: pieces that discover an attack when they leave, and cannons on
    /// an empty line to the king.
    special: Bitboard,
}

impl Checks {
    /// Whether the moves of the piece on this square have to be examined one by one.
    pub(crate) fn is_special(&self, square: Square) -> bool {
        self.special.has(square)
    }

    /// Squares from which a piece of this kind attacks the king. Not valid for special pieces.
    pub(crate) fn squares_of(&self, kind: Kind) -> Bitboard {
        self.squares[kind.index()]
    }
}

impl Position {
    /// Computes the check squares of the position.
    pub(crate) fn checks(&self) -> Checks {
        let (side, occupied) = (self.side(), self.occupied());
        let king = self.king(!side);
        let (mut hollow, mut special) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let aligned = self.of_side(side) & lines(king);
        for rook in aligned & self.of_kind(Kind::Rook) {
            let blockers = between(king, rook) & occupied;
            if !blockers.many() {
                special |= blockers;
            }
        }
        for cannon in aligned & self.of_kind(Kind::Cannon) {
            let gap = between(king, cannon);
            match Screens::of(gap & occupied) {
                Screens::None => {
                    hollow |= gap;
                    special = special.with(cannon); // the squares behind it have no screen once it has left
                }
                Screens::Two => special |= gap & occupied,
                Screens::One | Screens::More => {}
            }
        }
        for horse in self.pieces(side, Kind::Horse) & horse_near(king) {
            special = special.with(horse_leg(horse, king));
        }
        let reach = slider_attacks(king, occupied);
        let mut squares = [hollow; Kind::ALL.len()];
        squares[Kind::Rook.index()] |= reach.rook;
        squares[Kind::Cannon.index()] |= reach.cannon;
        squares[Kind::Horse.index()] |= horse_attackers(king, occupied);
        squares[Kind::Pawn.index()] |= pawn_attackers(side, king);
        Checks { squares, special }
    }

    /// Whether the legal move `mv` gives check; `checks` are those of this position.
    pub(crate) fn is_check(&self, mv: Move, checks: &Checks) -> bool {
        if checks.is_special(mv.from()) {
            self.gives_check(mv)
        } else {
            checks.squares[self.moving_piece(mv).kind().index()].has(mv.to())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;

    #[test]
    fn checks_are_the_moves_that_give_check() {
        let (mut plain, mut special) = (0, 0);
        for variant in Variant::ALL {
            random_games_in(variant, 23, if cfg!(miri) { 1 } else { 300 }, |position| {
                let checks = position.checks();
                for mv in position.legal_moves() {
                    let expected = position.gives_check(mv);
                    assert_eq!(position.is_check(mv, &checks), expected, "{mv} in {}", position.to_fen());
                    let seen = if checks.special.has(mv.from()) { &mut special } else { &mut plain };
                    *seen += u32::from(expected);
                }
            });
        }
        assert!(cfg!(miri) || plain > 10_000 && special > 1_000, "{plain} {special}");
    }
}
