//! What a piece gains or loses by where it stands, in centipawns.

use super::material::material;
use crate::board::{FILES, Kind, Piece, Position, RANKS, SQUARES, Side, Square};

/// Files `a` to `e`; the right half of the board mirrors the left.
const HALF: usize = FILES.div_ceil(2);

/// One row per rank, the owner's back rank first.
type Table = [[i32; HALF]; RANKS];

const KING: Table = {
    let mut table = [[0; HALF]; RANKS];
    table[0] = [0, 0, 0, -5, 10];
    table[1] = [0, 0, 0, -35, -25];
    table[2] = [0, 0, 0, -60, -55];
    table
};

const ADVISOR: Table = {
    let mut table = [[0; HALF]; RANKS];
    table[0][3] = 0;
    table[1][4] = 10;
    table[2][3] = -10;
    table
};

const ELEPHANT: Table = {
    let mut table = [[0; HALF]; RANKS];
    table[0][2] = 0;
    table[2][0] = -20;
    table[2][4] = 15;
    table[4][2] = -5;
    table
};

const HORSE: Table = [
    [-50, -25, -25, -25, -45],
    [-30, -10, 0, -20, -70],
    [-15, -10, 20, 10, 0],
    [-5, 10, 15, 20, 20],
    [-10, 20, 25, 35, 30],
    [0, 30, 35, 45, 45],
    [10, 35, 50, 50, 40],
    [10, 35, 45, 60, 40],
    [5, 50, 50, 40, 10],
    [-15, 0, 15, 0, -25],
];

const ROOK: Table = [
    [-40, 5, -10, 20, -20],
    [-15, 10, 0, 25, -15],
    [-20, 5, 0, 25, 10],
    [-5, 10, 5, 25, 20],
    [5, 15, 10, 30, 25],
    [5, 15, 15, 30, 30],
    [10, 20, 20, 40, 35],
    [5, 15, 15, 40, 45],
    [10, 25, 20, 50, 60],
    [10, 15, 15, 35, 30],
];

const CANNON: Table = [
    [0, 0, 5, 10, 10],
    [0, 5, 10, 10, 10],
    [5, 5, 15, 15, 30],
    [0, 0, 0, 5, 15],
    [0, 0, 5, 5, 20],
    [0, 0, 0, 5, 25],
    [0, 5, 5, 10, 20],
    [5, 5, 0, -10, -5],
    [10, 10, 0, -20, -20],
    [20, 20, 5, -10, -15],
];

const PAWN: Table = [
    [0; HALF],
    [0; HALF],
    [0; HALF],
    [-10, 0, 0, 0, 15],
    [0, 0, 15, 0, 25],
    [30, 45, 55, 65, 70],
    [50, 75, 90, 110, 110],
    [55, 85, 115, 145, 150],
    [50, 80, 115, 160, 175],
    [0, 5, 10, 20, 25],
];

const fn table(kind: Kind) -> &'static Table {
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

/// Material and placement of every piece on every square; black's are negative.
static VALUES: [[i32; SQUARES]; Piece::ALL.len()] = {
    let mut values = [[0; SQUARES]; Piece::ALL.len()];
    let mut index = 0;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let mut number = 0;
        while let Some(square) = Square::from_index(number) {
            let seen = square.seen_by(piece.side());
            let file = if seen.file() < HALF { seen.file() } else { FILES - 1 - seen.file() };
            let value = material(piece.kind()) + table(piece.kind())[seen.rank()][file];
            values[index][number] = match piece.side() {
                Side::Red => value,
                Side::Black => -value,
            };
            number += 1;
        }
        index += 1;
    }
    values
};

/// What `piece` on `square` adds to red's balance, in centipawns.
pub fn placement_value(piece: Piece, square: Square) -> i32 {
    VALUES[piece.index()][square.index()]
}

/// Material and placement of red minus those of black, in centipawns.
pub(crate) fn placement_values(position: &Position) -> i32 {
    let value = |square| position.piece_on(square).map_or(0, |piece| placement_value(piece, square));
    position.occupied().into_iter().map(value).sum()
}
