//! A compact set of keys with false positives, for cheap lookups: a walk looks up the positions after all legal moves of every
//! position, and nearly all of them are outside the book.

use chuhe::board::{Move, Position};
use chuhe::splitmix::mix;

/// Bits per key, for a rate of false positives of at most one in sixteen.
const BITS_FOR_A_KEY: usize = 16;
/// Number of bits in a word.
const WORD: u64 = u64::BITS as u64;

/// A Bloom filter with a single hash function: one bit per key, which other keys may share.
pub struct Bloom {
    words: Vec<u64>,
    /// Shift that reduces a mixed key to the index of a bit.
    shift: u32,
}

impl Bloom {
    /// Creates a set of these keys.
    pub fn of(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let bits = (keys.len() * BITS_FOR_A_KEY).next_power_of_two().max(WORD as usize);
        let mut filter = Self { words: vec![0; bits / WORD as usize], shift: WORD as u32 - bits.ilog2() };
        for key in keys {
            let bit = filter.bit(key);
            filter.words[(bit / WORD) as usize] |= 1 << (bit % WORD);
        }
        filter
    }

    /// Whether the set may contain the key; `false` is certain.
    pub fn may_contain(&self, key: u64) -> bool {
        let bit = self.bit(key);
        self.words[(bit / WORD) as usize] >> (bit % WORD) & 1 == 1
    }

    /// Returns the legal moves for which the set may contain one of the keys. All words are loaded before any is
    /// needed, so that the memory accesses overlap.
    pub fn filter_moves<const KEYS: usize>(
        &self,
        position: &Position,
        keys: impl Fn(Move) -> [u64; KEYS],
    ) -> Vec<Move> {
        let moves = position.legal_moves();
        let bits: Vec<[u64; KEYS]> = moves.iter().map(|&mv| keys(mv).map(|key| self.bit(key))).collect();
        let shifted = |bit: u64| self.words[(bit / WORD) as usize] >> (bit % WORD);
        let passes: Vec<u64> =
            bits.iter().map(|bits| bits.iter().fold(0, |any, &bit| any | shifted(bit)) & 1).collect();
        moves.iter().zip(passes).filter(|(_, passes)| *passes == 1).map(|(&mv, _)| mv).collect()
    }

    fn bit(&self, key: u64) -> u64 {
        mix(key) >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_passes_and_few_others_do() {
        for count in [0, 1, 7, 1000, 5000] {
            let keys: Vec<u64> = (0..count).map(|number| number * 1000).collect();
            let filter = Bloom::of(keys.iter().copied());
            assert!(keys.iter().all(|&key| filter.may_contain(key)), "{count}");
            let foreign = (0..10_000_u64).filter(|&number| filter.may_contain(number * 1000 + 1)).count();
            assert!(foreign <= 10_000 / BITS_FOR_A_KEY + 100, "{foreign} of 10,000 beside {count}");
        }
    }
}
