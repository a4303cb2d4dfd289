//! Variants of the game: Xiangqi, and Xiangqi with promotions.

use super::piece::{Kind, Piece, Side};

/// A variant of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Xiangqi.
    #[default]
    Standard,
    /// Xiangqi in which advisors and elephants on their back rank may become pawns.
    Promotion,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Promotion];
}

/// Files of the back-rank squares of advisors and elephants, on which pawns promoted there advance to the river.
pub(super) const PROMOTION_FILES: [usize; 4] = [2, 3, 5, 6];

/// Returns the piece that a promotion of `side` yields: a pawn.
#[cold] // kept out of line, since the standard game never calls it
pub(super) fn promoted(side: Side) -> Piece {
    Piece::new(side, Kind::Pawn)
}
