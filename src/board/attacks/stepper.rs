//! King, advisor and pawn steps.

use crate::board::bitboard::Bitboard;
use crate::board::piece::Side;
use crate::board::square::{RANKS, SQUARES, Square};

/// Lowest and highest file of a palace.
const PALACE_FILES: (usize, usize) = (3, 5);
/// Ranks of a palace, counted from its owner's back rank.
const PALACE_RANKS: usize = 3;

const fn in_palace(square: Square) -> bool {
    let own_rank = if square.rank() < RANKS / 2 { square.rank() } else { square.rotated().rank() };
    square.file() >= PALACE_FILES.0 && square.file() <= PALACE_FILES.1 && own_rank < PALACE_RANKS
}

const fn add(set: Bitboard, square: Option<Square>) -> Bitboard {
    match square {
        Some(square) => set.with(square),
        None => set,
    }
}

const fn steps(square: Square, diagonal: bool) -> Bitboard {
    let set = Bitboard::EMPTY;
    if diagonal {
        add(add(add(add(set, square.offset(1, 1)), square.offset(1, -1)), square.offset(-1, 1)), square.offset(-1, -1))
    } else {
        add(add(add(add(set, square.offset(1, 0)), square.offset(-1, 0)), square.offset(0, 1)), square.offset(0, -1))
    }
}

const PALACES: Bitboard = {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_bit(index as u32);
        if in_palace(square) {
            set = set.with(square);
        }
        index += 1;
    }
    set
};

const fn palace_steps(diagonal: bool) -> [Bitboard; SQUARES] {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_bit(index as u32);
        if in_palace(square) {
            table[index] = Bitboard(steps(square, diagonal).0 & PALACES.0);
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
        let mut ends = add(Bitboard::EMPTY, square.offset(0, forward));
        if square.is_across_river(side) {
            ends = add(add(ends, square.offset(-1, 0)), square.offset(1, 0));
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

static KING: [Bitboard; SQUARES] = palace_steps(false);
static ADVISOR: [Bitboard; SQUARES] = palace_steps(true);
static PAWN: [[Bitboard; SQUARES]; 2] = pawn_steps(false);
static PAWN_REVERSED: [[Bitboard; SQUARES]; 2] = pawn_steps(true);

/// The nine squares of a side's palace.
pub fn palace(side: Side) -> Bitboard {
    let half = match side {
        Side::Red => (1 << (SQUARES / 2)) - 1,
        Side::Black => !((1 << (SQUARES / 2)) - 1),
    };
    Bitboard(PALACES.0 & half)
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
