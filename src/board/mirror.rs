//! The two symmetries of the board: mirroring left to right, and rotation with the colours swapped.

use super::piece::{Piece, Side};
use super::placement::Placement;
use super::position::Position;
use super::square::Square;

impl Position {
    /// The position mirrored left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.transformed(self.side(), |square, piece| (square.mirrored(), piece))
    }

    /// The position rotated by 180 degrees with the colours swapped.
    #[must_use]
    pub fn colours_swapped(&self) -> Self {
        self.transformed(!self.side(), |square, piece| (square.rotated(), piece.swapped()))
    }

    fn transformed(&self, side: Side, image: impl Fn(Square, Piece) -> (Square, Piece)) -> Self {
        let mut placement = Placement::EMPTY;
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let (square, piece) = image(square, piece);
                placement.put(piece, square);
            }
        }
        Self::new(placement, side, self.variant(), self.reversible_plies(), self.move_number())
    }
}

#[cfg(test)]
mod tests {
    use crate::board::random_games::random_games_in;
    use crate::board::{Position, Variant};

    #[test]
    fn symmetric_positions_have_as_many_moves() {
        for variant in Variant::ALL {
            random_games_in(variant, 7, if cfg!(miri) { 0 } else { 10 }, |position| {
                let moves = position.count_legal_moves();
                assert_eq!(position.mirrored().count_legal_moves(), moves);
                assert_eq!(position.colours_swapped().count_legal_moves(), moves);
                assert_eq!(position.mirrored().mirrored(), *position);
                assert_eq!(position.colours_swapped().colours_swapped(), *position);
            });
        }
    }

    #[test]
    fn play_and_key_agree_with_a_rebuild_from_the_fen() {
        for variant in Variant::ALL {
            random_games_in(variant, 8, if cfg!(miri) { 1 } else { 100 }, |position| {
                assert_eq!(Position::from_fen_in(&position.to_fen(), variant), Ok(*position));
                for mv in position.legal_moves() {
                    assert_eq!(position.key_after(mv), position.play(mv).key());
                }
            });
        }
    }
}
