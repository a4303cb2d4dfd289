//! Material values, independent of the square, in centipawns.

use crate::board::{Kind, Position, Side};
use crate::score::Score;

pub(crate) const fn material(kind: Kind) -> i32 {
    match kind {
        Kind::King => 0,
        Kind::Advisor => 110,
        Kind::Elephant => 100,
        Kind::Horse => Score::MINOR,
        Kind::Rook => 880,
        Kind::Cannon => 420,
        Kind::Pawn => 70,
    }
}

/// Material for red minus that for black, in centipawns.
pub(crate) fn material_value(position: &Position) -> i32 {
    let of = |side, kind| position.pieces(side, kind).count() as i32;
    Kind::ALL.iter().map(|&kind| material(kind) * (of(Side::Red, kind) - of(Side::Black, kind))).sum()
}
