//! Moves as users write them: clients disagree whether ranks count from 0 or from 1.

use std::fmt;
use std::str::FromStr;

use super::moves::{Move, MoveError};
use super::square::{FILES, RANKS, Square};

/// The number of the first rank in written moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RankBase {
    /// `h2e2`: UCCI, and UCI as most Xiangqi programs speak it.
    #[default]
    Zero,
    /// `h3e3` and `a10a9`: UCI as Fairy-Stockfish and its relatives speak it.
    One,
}

impl RankBase {
    /// The other base.
    pub const fn other(self) -> Self {
        match self {
            Self::Zero => Self::One,
            Self::One => Self::Zero,
        }
    }

    /// The number added to a rank counted from zero.
    const fn offset(self) -> usize {
        self as usize
    }
}

/// A written move, with its meaning in each base in which it can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveText {
    zero: Option<Move>,
    one: Option<Move>,
}

impl MoveText {
    /// The move that is meant if ranks count from `base`; `None` if the text cannot be read in it.
    pub const fn read(self, base: RankBase) -> Option<Move> {
        match base {
            RankBase::Zero => self.zero,
            RankBase::One => self.one,
        }
    }
}

/// Converts a move, which is the same in either base.
impl From<Move> for MoveText {
    fn from(mv: Move) -> Self {
        Self { zero: Some(mv), one: Some(mv) }
    }
}

/// Writes the move in a base in which it can be read.
impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.zero, self.one) {
            (Some(mv), _) => write!(f, "{mv}"),
            (None, Some(mv)) => write!(f, "{}", Spelled(mv, RankBase::One)),
            (None, None) => f.write_str("-"),
        }
    }
}

impl FromStr for MoveText {
    type Err = MoveError;

    /// Parses `h2e2`, `H2E2`, `H2-E2` and `h10g8`.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (zero, one) = (read(text, RankBase::Zero), read(text, RankBase::One));
        if zero.is_none() && one.is_none() { Err(MoveError(text.to_owned())) } else { Ok(Self { zero, one }) }
    }
}

/// A move and the base in which it is written.
#[derive(Clone, Copy, Debug)]
pub struct Spelled(pub Move, pub RankBase);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(mv, base) = *self;
        for square in [mv.from(), mv.to()] {
            let file = char::from(b'a' + square.file() as u8);
            write!(f, "{file}{}", square.rank() + base.offset())?;
        }
        Ok(())
    }
}

/// Reads the whole text as two squares, with or without a hyphen between them.
fn read(text: &str, base: RankBase) -> Option<Move> {
    let (from, rest) = read_square(text, base)?;
    let (to, rest) = read_square(rest.strip_prefix('-').unwrap_or(rest), base)?;
    // `a0a0` is not a move: no piece is promoted in the corner.
    (rest.is_empty() && (from.index(), to.index()) != (0, 0)).then(|| Move::new(from, to))
}

/// Reads a letter and the digits after it; returns the square and the remaining text.
fn read_square(text: &str, base: RankBase) -> Option<(Square, &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase();
    let rest = text.get(1..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number: usize = rest[..digits].parse().ok().filter(|_| !rest.starts_with('0') || digits == 1)?;
    let rank = number.checked_sub(base.offset()).filter(|&rank| rank < RANKS)?;
    let file = file.checked_sub(b'a').map(usize::from).filter(|&file| file < FILES)?;
    Some((Square::new(file, rank), &rest[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> MoveText {
        text.parse().unwrap()
    }

    #[test]
    fn every_move_is_read_as_it_is_written_in_both_bases() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| (from.index(), to.index()) != (0, 0)) {
                let mv = Move::new(from, to);
                for base in [RankBase::Zero, RankBase::One] {
                    assert_eq!(text(&Spelled(mv, base).to_string()).read(base), Some(mv));
                }
                assert_eq!(Spelled(mv, RankBase::Zero).to_string(), mv.to_string());
            }
        }
    }

    #[test]
    fn a_rank_may_show_the_base() {
        assert_eq!(text("h2e2").read(RankBase::Zero), "h2e2".parse().ok());
        assert_eq!(text("h3e3").read(RankBase::One), "h2e2".parse().ok());
        assert_eq!(text("h10g8").read(RankBase::Zero), None);
        assert_eq!(text("H10-G8").read(RankBase::One), "h9g7".parse().ok());
        assert_eq!(text("a0b0").read(RankBase::One), None);
        for wrong in ["", "h2", "h2e", "a0a0", "h02e2", "h2e11", "j2e2", "h2e2x", "炮二平五", "h2--e2"] {
            assert!(wrong.parse::<MoveText>().is_err(), "{wrong}");
        }
    }
}
