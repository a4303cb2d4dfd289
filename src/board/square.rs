//! The ninety points of the board: files `a..i` and ranks `0..9`, as seen from red.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::piece::Side;

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// Number of squares.
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board, numbered `rank * 9 + file`; `a0` is red's left corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on `file` (0 = `a`) and `rank` (0 = red's back rank).
    ///
    /// # Panics
    /// If either is off the board.
    pub const fn new(file: usize, rank: usize) -> Self {
        assert!(file < FILES && rank < RANKS);
        Self((rank * FILES + file) as u8)
    }

    /// The square with this number, if there is one.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < SQUARES { Some(Self(index as u8)) } else { None }
    }

    /// Returns the square with this number, which must be below 90: a [`super::Bitboard`] or a [`super::Move`] holds no other.
    pub(crate) const fn from_bit(index: u32) -> Self {
        debug_assert!(index < SQUARES as u32);
        Self(index as u8)
    }

    /// All squares, `a0` first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u32).map(Self::from_bit)
    }

    /// The number of the square, 0 to 89.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the square as a byte.
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    /// The file: 0 for `a`, 8 for `i`.
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// The rank: 0 for red's back rank, 9 for black's.
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// The square `files` and `ranks` steps away, if it is on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let (file, rank) = (self.file() as i32 + files, self.rank() as i32 + ranks);
        if file >= 0 && file < FILES as i32 && rank >= 0 && rank < RANKS as i32 {
            Some(Self::new(file as usize, rank as usize))
        } else {
            None
        }
    }

    /// The square mirrored left to right.
    pub const fn mirrored(self) -> Self {
        Self::new(FILES - 1 - self.file(), self.rank())
    }

    /// The square after rotating the board by 180 degrees, as the other side sees it.
    pub const fn rotated(self) -> Self {
        Self(SQUARES as u8 - 1 - self.0)
    }

    /// The square as `side` sees it: unchanged for red, rotated for black.
    pub const fn seen_by(self, side: Side) -> Self {
        match side {
            Side::Red => self,
            Side::Black => self.rotated(),
        }
    }

    /// Whether the square lies beyond the river for `side`.
    pub const fn is_across_river(self, side: Side) -> bool {
        self.seen_by(side).rank() >= RANKS / 2
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error: the text is not a square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareError(pub String);

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a square", self.0)
    }
}

impl Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    /// Parses `a0`..`i9`, in either case.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [file, rank @ b'0'..=b'9'] if matches!(file.to_ascii_lowercase(), b'a'..=b'i') => {
                Ok(Self::new((file.to_ascii_lowercase() - b'a') as usize, (rank - b'0') as usize))
            }
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_its_name() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.rotated().rotated(), square);
        }
        assert!("j0".parse::<Square>().is_err() && "a10".parse::<Square>().is_err() && "".parse::<Square>().is_err());
    }

    #[test]
    fn the_river_lies_between_ranks_four_and_five() {
        assert!(!Square::new(0, 4).is_across_river(Side::Red) && Square::new(0, 5).is_across_river(Side::Red));
        assert!(Square::new(0, 4).is_across_river(Side::Black) && !Square::new(0, 5).is_across_river(Side::Black));
    }
}
