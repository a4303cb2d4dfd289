//! Model of plain numbers: their length in bits, then their highest bits, by what was seen before.

use super::range::{Coder, ONE};
use super::regression::Regression;

/// Lengths of numbers: 0 to 64 bits.
const LENGTHS: u32 = u64::BITS + 1;

/// Bits after the first one whose chances are learnt.
const LEARNT_BITS: u32 = 3;

const PREFIXES: u32 = 1 << LEARNT_BITS;

const RATE: f32 = 0.3;

/// Model of several kinds of numbers.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    lengths: Regression,
    bits: Regression,
}

impl Numbers {
    /// Creates the model of this number of kinds of numbers.
    pub(super) fn new(kinds: u32) -> Self {
        Self {
            lengths: Regression::new(kinds * LENGTHS, RATE),
            bits: Regression::new(kinds * LENGTHS * PREFIXES, RATE),
        }
    }

    /// Codes a number of a kind.
    pub(super) fn code(&mut self, coder: &mut impl Coder, kind: u32, number: u64) -> u64 {
        let mut length = 0;
        while length < u64::BITS
            && self.lengths.bit(coder, &[kind * LENGTHS + length], u64::BITS - number.leading_zeros() > length)
        {
            length += 1;
        }
        if length == 0 {
            return 0;
        }
        let mut coded = 1;
        for (nth, place) in (0..length - 1).rev().enumerate() {
            let bit = number >> place & 1 == 1;
            let bit = if nth < LEARNT_BITS as usize {
                let prefix = (coded as u32) & (PREFIXES - 1);
                self.bits.bit(coder, &[(kind * LENGTHS + length) * PREFIXES + prefix], bit)
            } else {
                coder.bit(bit, ONE / 2)
            };
            coded = coded << 1 | u64::from(bit);
        }
        coded
    }
}
