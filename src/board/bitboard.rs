//! A set of squares in one 128-bit word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXorAssign, Not};

use super::square::{FILES, RANKS, SQUARES, Square};

/// A set of squares; bit `n` stands for the square with index `n`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All ninety squares.
    pub const ALL: Self = Self((1 << SQUARES) - 1);

    /// The set that contains only `square`.
    pub const fn of(square: Square) -> Self {
        SINGLE[square.number() as usize]
    }

    /// All squares of a rank.
    pub const fn rank(rank: usize) -> Self {
        Self(((1 << FILES) - 1) << (rank * FILES))
    }

    /// All squares of a file.
    pub const fn file(file: usize) -> Self {
        let mut bits = 0;
        let mut rank = 0;
        while rank < RANKS {
            bits |= 1 << (rank * FILES + file);
            rank += 1;
        }
        Self(bits)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has at least two squares.
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    pub const fn has(self, square: Square) -> bool {
        self.0 & Self::of(square).0 != 0
    }

    /// The set with `square` added.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::of(square).0)
    }

    /// The set with `square` added, if there is one.
    pub(super) const fn with_some(self, square: Option<Square>) -> Self {
        match square {
            Some(square) => self.with(square),
            None => self,
        }
    }

    /// The set without `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::of(square).0)
    }

    /// The set without its lowest square.
    #[must_use]
    pub const fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// The low and the high half of the word.
    pub(super) const fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> u64::BITS) as u64]
    }

    /// The lowest square of the set.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }
}

/// Single-square sets by square number: two loads instead of a shift over two words. The table has an entry for every
/// value of a byte, so that lookups need no bounds check.
static SINGLE: [Bitboard; 1 << u8::BITS] = {
    let mut single = [Bitboard::EMPTY; 1 << u8::BITS];
    let mut index = 0;
    while index < SQUARES {
        single[index] = Bitboard(1 << index);
        index += 1;
    }
    single
};

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// The complement of the set within the board.
impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

/// The squares of a set, lowest first.
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_squares_in_order() {
        let squares = [Square::new(0, 0), Square::new(4, 4), Square::new(8, 9)];
        let set: Bitboard = squares.into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!((set.count(), (!set).count(), set.many()), (3, 87, true));
    }
}
