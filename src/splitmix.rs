//! SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): words that look like chance
//! and are the same everywhere.

/// By how much the state grows for each word.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The word of a state.
pub(crate) const fn word(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_published_generator() {
        // The first three words of the seed 1234567, as the reference implementation gives them.
        let words = [1, 2, 3].map(|count: u64| word(1_234_567_u64.wrapping_add(STEP.wrapping_mul(count))));
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
