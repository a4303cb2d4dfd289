//! Binary range coder: turns decisions with known probabilities into bytes, at their cost in information.
//!
//! The model of the data is written once, against the trait [`Coder`]: an encoder takes each value and returns it, a decoder
//! ignores the value and returns that of its bytes.

/// Unit of probabilities.
pub(super) const ONE: u32 = 1 << ONE_BITS;

const ONE_BITS: u32 = 16;
const BYTE_BITS: u32 = 8;
const WORD_BITS: u32 = u64::BITS;

/// One direction of coding.
pub(super) trait Coder {
    /// Codes a bit that is set with probability `chance` / [`ONE`], which is above 0 and below 1.
    fn bit(&mut self, bit: bool, chance: u32) -> bool;

    /// Whether more was decoded than the bytes hold; what was decoded then means nothing.
    fn is_overrun(&self) -> bool {
        false
    }

    /// Codes one of `count` equally likely values, from 0 on; `count` is at least 1.
    fn uniform(&mut self, value: u32, count: u32) -> u32 {
        let (mut first, mut end) = (0, count);
        while end - first > 1 {
            let middle = first + (end - first) / 2;
            let chance = u64::from(end - middle) * u64::from(ONE) / u64::from(end - first);
            let chance = u32::try_from(chance).expect("a share of the unit");
            if self.bit(value >= middle, chance) { first = middle } else { end = middle }
        }
        first
    }
}

/// Interval of the code words that begin as the decisions so far require; both ends belong to it.
#[derive(Clone, Debug)]
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    const WHOLE: Self = Self { low: 0, high: u64::MAX };

    /// Last code word of a set bit.
    fn split(&self, chance: u32) -> u64 {
        debug_assert!(chance > 0 && chance < ONE, "{chance}");
        self.low + ((self.high - self.low) >> ONE_BITS) * u64::from(chance)
    }

    fn narrow(&mut self, bit: bool, split: u64) {
        if bit { self.high = split } else { self.low = split + 1 }
    }

    /// Removes the first byte of all code words and returns it, if it is known.
    fn shift(&mut self) -> Option<u8> {
        let first = self.low >> (WORD_BITS - BYTE_BITS);
        if first != self.high >> (WORD_BITS - BYTE_BITS) {
            return None;
        }
        self.low <<= BYTE_BITS;
        self.high = self.high << BYTE_BITS | u64::from(u8::MAX);
        u8::try_from(first).ok()
    }
}

/// Coder that writes bytes.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    /// Creates an encoder without bytes.
    pub(super) fn new() -> Self {
        Self { interval: Interval::WHOLE, bytes: vec![] }
    }

    /// Returns the bytes of all decisions.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(&self.interval.low.to_be_bytes());
        self.bytes
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Coder for Encoder {
    fn bit(&mut self, bit: bool, chance: u32) -> bool {
        let split = self.interval.split(chance);
        self.interval.narrow(bit, split);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        bit
    }
}

/// Coder that reads the bytes of an [`Encoder`].
#[derive(Clone, Debug)]
pub(super) struct Decoder<'a> {
    interval: Interval,
    code: u64,
    rest: &'a [u8],
    /// Whether bytes were needed after the last one.
    is_overrun: bool,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder at the first decision.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { interval: Interval::WHOLE, code: 0, rest: bytes, is_overrun: false };
        (0..WORD_BITS / BYTE_BITS).for_each(|_| decoder.read());
        decoder
    }

    /// Whether the decisions so far are exactly those of the bytes.
    pub(super) fn is_at_end(&self) -> bool {
        !self.is_overrun && self.rest.is_empty()
    }

    fn read(&mut self) {
        let byte = self.rest.split_off_first().copied();
        self.is_overrun |= byte.is_none();
        self.code = self.code << BYTE_BITS | u64::from(byte.unwrap_or_default());
    }
}

impl Coder for Decoder<'_> {
    fn is_overrun(&self) -> bool {
        self.is_overrun
    }

    fn bit(&mut self, _: bool, chance: u32) -> bool {
        let split = self.interval.split(chance);
        let bit = self.code <= split;
        self.interval.narrow(bit, split);
        while self.interval.shift().is_some() {
            self.read();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::splitmix::SplitMix64;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decisions_survive_whatever_their_chances(decisions in prop::collection::vec((any::<bool>(), 1..ONE), 0..2000)) {
            let mut encoder = Encoder::new();
            for &(bit, chance) in &decisions {
                encoder.bit(bit, chance);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(bit, chance) in &decisions {
                prop_assert_eq!(decoder.bit(false, chance), bit);
            }
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn equally_likely_values_survive(values in prop::collection::vec((1..200_u32, any::<u32>()), 0..300)) {
            let mut encoder = Encoder::new();
            for &(count, value) in &values {
                encoder.uniform(value % count, count);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(count, value) in &values {
                prop_assert_eq!(decoder.uniform(0, count), value % count);
            }
        }
    }

    #[test]
    fn a_decision_costs_its_information() {
        // One in eight: 0.5436 bits.
        let mut random = SplitMix64::new(5);
        let mut encoder = Encoder::new();
        for _ in 0..80_000 {
            encoder.bit(random.below(8) == 0, ONE / 8);
        }
        let bytes = encoder.finish().len();
        assert!((5_350..5_520).contains(&bytes), "{bytes}");
    }

    #[test]
    fn missing_bytes_are_noticed() {
        let mut encoder = Encoder::new();
        for number in 0..800 {
            encoder.bit(number % 3 == 0, ONE / 2);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes[..bytes.len() - 1]);
        for _ in 0..800 {
            decoder.bit(false, ONE / 2);
        }
        assert!(decoder.is_overrun() && !decoder.is_at_end());
    }
}
