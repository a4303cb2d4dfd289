//! Moves packed into two bytes, and the move list that the generator fills.

use std::error::Error;
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::square::Square;

/// A move from one square to another, or a promotion on one square ([`super::Variant::Promotion`]).
///
/// ```text
///  bit  13 .. 7   6 .. 0
///      [ from  ] [  to  ]     not both the corner a0, so a move is never zero
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const SQUARE_BITS: u32 = 7;
const SQUARE_MASK: u16 = (1 << SQUARE_BITS) - 1;

impl Move {
    /// The move from `from` to `to`.
    ///
    /// # Panics
    /// If both are `a0`, where no piece is promoted.
    pub const fn new(from: Square, to: Square) -> Self {
        Self(NonZeroU16::new(pack(from, to)).expect("from and to are not both the corner"))
    }

    /// The square that the piece leaves.
    pub const fn from(self) -> Square {
        Square::from_bit((self.0.get() >> SQUARE_BITS) as u32)
    }

    /// The square to which the piece goes.
    pub const fn to(self) -> Square {
        Square::from_bit((self.0.get() & SQUARE_MASK) as u32)
    }

    /// Whether the move is a promotion, which begins and ends on one square.
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> SQUARE_BITS == self.0.get() & SQUARE_MASK
    }

    /// The move packed into 16 bits, as tables and books store it.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Unpacks the bits of [`Move::bits`]; `None` if they are not a move.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (from, to) = ((bits >> SQUARE_BITS) as usize, (bits & SQUARE_MASK) as usize);
        match (Square::from_index(from), Square::from_index(to), NonZeroU16::new(bits)) {
            (Some(_), Some(_), Some(bits)) => Some(Self(bits)),
            _ => None,
        }
    }

    /// The move as a word for the transposition table, which does not depend on the game.
    pub const fn word(self) -> NonZeroU16 {
        self.0
    }

    /// Unpacks a word of [`Move::word`]; `None` if it is not a move.
    pub const fn from_word(word: NonZeroU16) -> Option<Self> {
        Self::from_bits(word.get())
    }

    /// The move mirrored left to right.
    pub const fn mirrored(self) -> Self {
        Self::new(self.from().mirrored(), self.to().mirrored())
    }
}

const fn pack(from: Square, to: Square) -> u16 {
    (from.index() as u16) << SQUARE_BITS | to.index() as u16
}

/// Writes the move as `h2e2`, the notation of UCCI.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error: the text is not a move in coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError(pub String);

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a move like h2e2", self.0)
    }
}

impl Error for MoveError {}

impl FromStr for Move {
    type Err = MoveError;

    /// Parses `h2e2`, `H2E2` and `H2-E2`; a promotion names its square twice, which may not be `a0`.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        let wrong = || MoveError(text.to_owned());
        let (from, to) = match text.len() {
            4 => (text.get(..2), text.get(2..)),
            5 if text.as_bytes()[2] == b'-' => (text.get(..2), text.get(3..)),
            _ => (None, None),
        };
        let read = |part: Option<&str>| part.and_then(|part| part.parse::<Square>().ok()).ok_or_else(wrong);
        NonZeroU16::new(pack(read(from)?, read(to)?)).map(Self).ok_or_else(wrong)
    }
}

/// Capacity of a move list.
///
/// A legal position has at most 120 moves: two of each major piece and five pawns reach 119 squares together, and four
/// promotions in place of a pawn's three steps make 120.
pub const MAX_MOVES: usize = 128;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_its_text_and_its_bits() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| (from.index(), to.index()) != (0, 0)) {
                let mv = Move::new(from, to);
                assert_eq!((mv.from(), mv.to(), mv.is_promotion()), (from, to, from == to));
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            }
        }
    }

    #[test]
    fn other_spellings_are_read_and_rubbish_is_not() {
        let mv = "h2e2".parse::<Move>().unwrap();
        assert_eq!("H2-E2".parse(), Ok(mv));
        assert_eq!("H2E2".parse(), Ok(mv));
        for text in ["", "h2", "h2e", "a0a0", "h2e2e", "炮二平五", "a0j0", "a0-b"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        assert_eq!(Move::from_bits(0), None);
        assert_eq!(Move::from_bits(u16::MAX), None);
    }
}
