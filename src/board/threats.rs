//! Threats: pieces attacked by less valuable ones, which gain by the capture even if they are recaptured.

use super::attacks::{horse_attacks, pawn_attacks, slider_attacks};
use super::bitboard::Bitboard;
use super::piece::Kind;
use super::position::Position;
use super::square::Square;

/// Squares attacked by the side that is not to move, by the value of the attacker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    by_pawns: Bitboard,
    /// Squares attacked by horses, cannons and pawns.
    by_lesser_than_rooks: Bitboard,
}

impl Position {
    /// Computes the threats against the side to move.
    pub(crate) fn threats(&self) -> Threats {
        let (enemy, occupied) = (!self.side(), self.occupied());
        let by_pawns = all(self.pieces(enemy, Kind::Pawn), |square| pawn_attacks(enemy, square));
        let by_horses = all(self.pieces(enemy, Kind::Horse), |square| horse_attacks(square, occupied));
        let by_cannons = all(self.pieces(enemy, Kind::Cannon), |square| slider_attacks(square, occupied).cannon);
        Threats { by_pawns, by_lesser_than_rooks: by_pawns | by_horses | by_cannons }
    }
}

/// Returns the union of the squares that `pieces` reach.
fn all(pieces: Bitboard, reach: impl Fn(Square) -> Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |reached, square| reached | reach(square))
}

impl Threats {
    /// Squares on which a piece of this kind is attacked by a less valuable one.
    pub(crate) fn to(&self, kind: Kind) -> Bitboard {
        match kind {
            Kind::Rook => self.by_lesser_than_rooks,
            Kind::Horse | Kind::Cannon => self.by_pawns,
            Kind::King | Kind::Advisor | Kind::Elephant | Kind::Pawn => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::random_games_in;

    #[test]
    fn threats_are_what_a_lesser_piece_can_take() {
        let (mut threatened, mut safe) = (0, 0);
        for variant in Variant::ALL {
            random_games_in(variant, 29, if cfg!(miri) { 1 } else { 100 }, |position| {
                let (side, threats) = (position.side(), position.threats());
                let attacked_by = |kind, square| {
                    let reaches =
                        |from| position.piece_on(from).is_some_and(|piece| position.reach(piece, from).has(square));
                    position.pieces(!side, kind).into_iter().any(reaches)
                };
                for (kind, lesser) in [
                    (Kind::Rook, &[Kind::Horse, Kind::Cannon, Kind::Pawn][..]),
                    (Kind::Horse, &[Kind::Pawn]),
                    (Kind::Cannon, &[Kind::Pawn]),
                    (Kind::Pawn, &[]),
                ] {
                    for square in position.pieces(side, kind) {
                        let expected = lesser.iter().any(|&lesser| attacked_by(lesser, square));
                        assert_eq!(threats.to(kind).has(square), expected, "{square} in {}", position.to_fen());
                        *(if expected { &mut threatened } else { &mut safe }) += 1;
                    }
                }
            });
        }
        assert!(cfg!(miri) || threatened > 1_000 && safe > 1_000, "{threatened} {safe}");
    }
}
