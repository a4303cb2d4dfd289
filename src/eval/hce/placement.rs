//! Material and piece-square tables (PSQT): the value of a piece, alone and by its square.

use super::weights::{ADVISOR, CANNON, ELEPHANT, HALF, HORSE, KING, PAWN, ROOK, Table};
use crate::board::{FILES, Kind, Piece, Position, SQUARES, Side, Square};
use crate::score::Score;

/// The value of a kind of piece, independent of the square, in centipawns.
pub const fn material(kind: Kind) -> i32 {
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

pub(super) const fn table(kind: Kind) -> &'static Table {
    match kind {
        Kind::King => &KING,
        Kind::Advisor => &ADVISOR,
        Kind::Elephant => &ELEPHANT,
        Kind::Horse => &HORSE,
        Kind::Rook => &ROOK,
        Kind::Cannon => &CANNON,
        Kind::Pawn => &PAWN,
    }
}

/// The rank and the file of the table entry for `piece` on `square`.
pub(super) const fn place(piece: Piece, square: Square) -> (usize, usize) {
    let seen = square.seen_by(piece.side());
    (seen.rank(), if seen.file() < HALF { seen.file() } else { FILES - 1 - seen.file() })
}

/// Material and placement of every piece on every square; black's are negative.
static VALUES: [[i32; SQUARES]; Piece::ALL.len()] = {
    let mut values = [[0; SQUARES]; Piece::ALL.len()];
    let mut index = 0;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let mut number = 0;
        while let Some(square) = Square::from_index(number) {
            let (rank, file) = place(piece, square);
            let value = material(piece.kind()) + table(piece.kind())[rank][file];
            values[index][number] = piece.side().sign() * value;
            number += 1;
        }
        index += 1;
    }
    values
};

/// Contribution of `piece` on `square` to red's balance, material included, in centipawns.
pub fn placement_value(piece: Piece, square: Square) -> i32 {
    VALUES[piece.index()][square.index()]
}

/// Material and placement of red minus those of black, in centipawns.
pub(crate) fn placement_values(position: &Position) -> i32 {
    let value = |square| position.piece_on(square).map_or(0, |piece| placement_value(piece, square));
    position.occupied().into_iter().map(value).sum()
}
