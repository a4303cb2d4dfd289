//! Which game is played: Xiangqi, or the one with promotions; and what a promotion makes.

use super::piece::{Kind, Piece, Side};

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Xiangqi.
    #[default]
    Standard,
    /// Xiangqi in which advisors and elephants on their back rank may become pawns.
    Promotion,
}

impl Variant {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Promotion];
}

/// The files of the back-rank squares of advisors and elephants, on which the pawns made of them walk to the river.
pub(super) const PROMOTION_FILES: [usize; 4] = [2, 3, 5, 6];

/// What a piece of `side` is promoted to.
#[cold] // kept out of line: the standard game, which never comes here, must not pay for it
pub(super) fn promoted(side: Side) -> Piece {
    Piece::new(side, Kind::Pawn)
}
