//! King, advisor and pawn steps.

use crate::board::bitboard::Bitboard;
use crate::board::piece::Side;
use crate::board::square::{SQUARES, Square};

/// Files and ranks of the palaces; both sides have the same files.
const PALACE_FILES: u128 = Bitboard::file(3).0 | Bitboard::file(4).0 | Bitboard::file(5).0;
const PALACE_RANKS: [u128; 2] = [
    Bitboard::rank(0).0 | Bitboard::rank(1).0 | Bitboard::rank(2).0,
    Bitboard::rank(7).0 | Bitboard::rank(8).0 | Bitboard::rank(9).0,
];

/// Squares to which a piece in a palace can go with one of these steps and their opposites, without leaving it.
const fn palace_steps(steps: [(i32, i32); 2]) -> [Bitboard; SQUARES] {
    let palaces = Bitboard(palace(Side::Red).0 | palace(Side::Black).0);
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_bit(index as u32);
        if palaces.has(square) {
            let [(x, y), (u, v)] = steps;
            let there = Bitboard::EMPTY.with_some(square.offset(x, y)).with_some(square.offset(u, v));
            let ends = there.with_some(square.offset(-x, -y)).with_some(square.offset(-u, -v));
            table[index] = Bitboard(ends.0 & palaces.0);
        }
        index += 1;
    }
    table
}

/// Pawn attacks by side and square, or with `reversed` the squares from which a pawn attacks the square.
const fn pawn_steps(reversed: bool) -> [[Bitboard; SQUARES]; 2] {
    let mut table = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut from = 0;
    while from < 2 * SQUARES {
        let square = Square::from_bit((from / 2) as u32);
        let (side, forward) = if from % 2 == 0 { (Side::Red, 1) } else { (Side::Black, -1) };
        let mut ends = Bitboard::EMPTY.with_some(square.offset(0, forward));
        if square.is_across_river(side) {
            ends = ends.with_some(square.offset(-1, 0)).with_some(square.offset(1, 0));
        }
        let mut to = 0;
        while to < SQUARES {
            if ends.has(Square::from_bit(to as u32)) {
                let (row, bit) = if reversed { (to, from / 2) } else { (from / 2, to) };
                table[side.index()][row] = table[side.index()][row].with(Square::from_bit(bit as u32));
            }
            to += 1;
        }
        from += 1;
    }
    table
}

static KING: [Bitboard; SQUARES] = palace_steps([(1, 0), (0, 1)]);
static ADVISOR: [Bitboard; SQUARES] = palace_steps([(1, 1), (1, -1)]);
static PAWN: [[Bitboard; SQUARES]; 2] = pawn_steps(false);
static PAWN_REVERSED: [[Bitboard; SQUARES]; 2] = pawn_steps(true);

/// The nine squares of a side's palace.
pub const fn palace(side: Side) -> Bitboard {
    Bitboard(PALACE_FILES & PALACE_RANKS[side.index()])
}

/// Squares to which a king on `square` can step inside its palace.
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares to which an advisor on `square` can step inside its palace.
pub fn advisor_attacks(square: Square) -> Bitboard {
    ADVISOR[square.index()]
}

/// Squares to which a pawn of `side` on `square` can step.
pub fn pawn_attacks(side: Side, square: Square) -> Bitboard {
    PAWN[side.index()][square.index()]
}

/// Squares from which a pawn of `side` can step to `square`.
pub fn pawn_attackers(side: Side, square: Square) -> Bitboard {
    PAWN_REVERSED[side.index()][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const N: usize>(squares: [&str; N]) -> Bitboard {
        squares.map(|text| text.parse::<Square>().unwrap()).into_iter().collect()
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn kings_and_advisors_stay_in_the_palace() {
        assert_eq!(king_attacks(square("e0")), set(["d0", "f0", "e1"]));
        assert_eq!(king_attacks(square("e1")), set(["d1", "f1", "e0", "e2"]));
        assert_eq!(king_attacks(square("d7")), set(["e7", "d8"]));
        assert_eq!(advisor_attacks(square("e8")), set(["d7", "f7", "d9", "f9"]));
        assert_eq!(advisor_attacks(square("d0")), set(["e1"]));
        assert_eq!((palace(Side::Red).count(), palace(Side::Black).count()), (9, 9));
        assert!(palace(Side::Black).has(square("f7")) && !palace(Side::Black).has(square("f2")));
    }

    #[test]
    fn a_pawn_turns_sideways_only_beyond_the_river() {
        assert_eq!(pawn_attacks(Side::Red, square("e4")), set(["e5"]));
        assert_eq!(pawn_attacks(Side::Red, square("e5")), set(["e6", "d5", "f5"]));
        assert_eq!(pawn_attacks(Side::Red, square("a9")), set(["b9"]));
        assert_eq!(pawn_attacks(Side::Black, square("i4")), set(["i3", "h4"]));
        assert_eq!(pawn_attackers(Side::Red, square("e5")), set(["e4", "d5", "f5"]));
        assert_eq!(pawn_attackers(Side::Black, square("e5")), set(["e6"]));
    }
}
