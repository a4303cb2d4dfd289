//! What a piece is worth wherever it stands, in centipawns.

use crate::board::Kind;
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
