//! Zobrist keys: one random word per piece and square, and one for black to move.

use super::piece::Piece;
use super::square::{SQUARES, Square};
use crate::splitmix::{STEP, table, word};

/// Zobrist key of a position: the placement and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

impl Key {
    /// The key with `piece` added to or removed from `square`.
    pub(crate) const fn toggled(self, piece: Piece, square: Square) -> Self {
        Self(self.0 ^ PIECES[piece.index()][square.index()])
    }

    /// The key combined with `salt`: table entries of the two keys are kept apart.
    pub(crate) const fn salted(self, salt: u64) -> Self {
        Self(self.0 ^ salt)
    }

    /// The index of the position in a table of `size` entries, a power of two; the low bits are as random as the others.
    pub(crate) const fn slot(self, size: usize) -> usize {
        debug_assert!(size.is_power_of_two());
        self.0 as usize & (size - 1)
    }

    /// The key with the other side to move.
    pub(crate) const fn passed(self) -> Self {
        Self(self.0 ^ BLACK_TO_MOVE)
    }
}

static PIECES: [[u64; SQUARES]; Piece::ALL.len()] = table(0);

const BLACK_TO_MOVE: u64 = word(STEP >> 1);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_words_are_alike() {
        let mut seen: HashSet<u64> = PIECES.iter().flatten().copied().collect();
        seen.insert(BLACK_TO_MOVE);
        assert_eq!(seen.len(), Piece::ALL.len() * SQUARES + 1);
        assert!(!seen.contains(&0));
    }
}
