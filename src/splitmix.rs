//! SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): pseudorandom words, the same on
//! every machine.

/// Increment of the state for each word.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the word of a state.
pub(crate) const fn word(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns the first word of the sequence with this seed, which serves as its hash.
pub const fn mix(seed: u64) -> u64 {
    word(seed.wrapping_add(STEP))
}

/// Generator of the words of a seed, one after the other.
///
/// ```
/// use chuhe::splitmix::SplitMix64;
/// let mut random = SplitMix64::new(1);
/// let die = 1 + random.below(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the generator; any seed is as good as another.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next word.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        word(self.0)
    }

    /// Returns a number from 0 below `end`: the high half of a product, with a negligible bias; 0 if `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        // The high half is less than `end`.
        ((self.word() as u128 * end as u128) >> u64::BITS) as usize
    }

    /// Returns one of `choices`, all equally likely.
    ///
    /// # Panics
    /// If there are no choices.
    pub const fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Returns the first words of a seed as a table, row by row.
pub(crate) const fn table<const ROWS: usize, const COLUMNS: usize>(seed: u64) -> [[u64; COLUMNS]; ROWS] {
    let mut random = SplitMix64::new(seed);
    let mut words = [[0; COLUMNS]; ROWS];
    let mut row = 0;
    while row < ROWS {
        let mut column = 0;
        while column < COLUMNS {
            words[row][column] = random.word();
            column += 1;
        }
        row += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_published_generator() {
        // The first three words of the seed 1234567, as the reference implementation gives them.
        let mut random = SplitMix64::new(1_234_567);
        let words = [(); 3].map(|()| random.word());
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(mix(1_234_567), words[0]);
    }

    #[test]
    fn every_number_below_the_end_comes_and_no_other() {
        let mut random = SplitMix64::new(1);
        let mut counts = [0; 6];
        (0..6000).for_each(|_| counts[random.below(6)] += 1);
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick(&[7]), 7);
    }

    #[test]
    fn a_shuffle_keeps_everything_and_depends_on_the_seed_alone() {
        let shuffled = |seed| {
            let mut items: Vec<_> = (0..50).collect();
            SplitMix64::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(3), shuffled(3));
        assert_ne!(shuffled(3), shuffled(4));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }
}
