//! Random numbers that are the same on every machine for ever.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Below `end`, by the high half of a product; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.next()) * end as u128;
        usize::try_from(product >> 64).expect("the product's high half is below `end`")
    }
}
