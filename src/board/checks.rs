//! Which moves of a position give check, worked out once for all of them.

use super::attacks::{between, horse_attackers, horse_leg, horse_near, lines, pawn_attackers, slider_attacks};
use super::bitboard::Bitboard;
use super::guard::Screens;
use super::moves::Move;
use super::piece::Kind;
use super::position::Position;
use super::square::Square;

/// From where the side to move would attack the other king. The answer is that of [`Position::gives_check`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks {
    /// By kind: where a piece attacks the king, or becomes the screen of a cannon that does.
    squares: [Bitboard; Kind::ALL.len()],
    /// Own pieces that uncover an attack when they leave, or that attack only from where they stand: their moves are looked
    /// at one by one.
    special: Bitboard,
}

impl Checks {
    /// Whether the moves of the piece on this square have to be looked at one by one.
    pub(crate) fn is_special(&self, square: Square) -> bool {
        self.special.has(square)
    }

    /// Where a piece of this kind attacks the king, whatever else its move does; not to be asked of a special one.
    pub(crate) fn squares_of(&self, kind: Kind) -> Bitboard {
        self.squares[kind.index()]
    }
}

impl Position {
    /// Where its moves give check.
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
                    special = special.with(cannon); // what lies behind it is not behind a screen once it has left
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

    /// Whether the legal move `mv` is one of `checks`, which are those of this position.
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
