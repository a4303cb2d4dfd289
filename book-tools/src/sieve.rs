//! A set of keys that may say yes to others too, in little memory, so that asking costs next to nothing: a walk asks about
//! every legal move of every position, and nearly all of them lead out of the book.

use chuhe::board::{Move, Position};
use chuhe::splitmix::mix;

/// Bits for each key, which let one of sixteen foreign ones pass at most.
const BITS_FOR_A_KEY: usize = 16;
/// Bits of a word.
const WORD: u64 = u64::BITS as u64;

/// A bit for every key, which others may share (a Bloom filter of one function).
pub struct Sieve {
    words: Vec<u64>,
    /// Shift that leaves the number of a bit of a mixed key.
    shift: u32,
}

impl Sieve {
    /// A sieve that lets all these keys pass.
    pub fn of(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let bits = (keys.len() * BITS_FOR_A_KEY).next_power_of_two().max(WORD as usize);
        let mut sieve = Self { words: vec![0; bits / WORD as usize], shift: WORD as u32 - bits.ilog2() };
        for key in keys {
            let bit = sieve.bit(key);
            sieve.words[(bit / WORD) as usize] |= 1 << (bit % WORD);
        }
        sieve
    }

    /// Returns whether the key may be one of them; if not, it is none.
    pub fn may_have(&self, key: u64) -> bool {
        let bit = self.bit(key);
        self.words[(bit / WORD) as usize] >> (bit % WORD) & 1 == 1
    }

    /// Returns the legal moves of a position of which a key may be one of the sieve's. All words are looked up before any is
    /// needed, so that the memory brings several at a time.
    pub fn sift<const KEYS: usize>(&self, position: &Position, keys: impl Fn(Move) -> [u64; KEYS]) -> Vec<Move> {
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
            let sieve = Sieve::of(keys.iter().copied());
            assert!(keys.iter().all(|&key| sieve.may_have(key)), "{count}");
            let foreign = (0..10_000_u64).filter(|&number| sieve.may_have(number * 1000 + 1)).count();
            assert!(foreign <= 10_000 / BITS_FOR_A_KEY + 100, "{foreign} of 10,000 beside {count}");
        }
    }
}
