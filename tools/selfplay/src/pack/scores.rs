//! Model of the scores of searches: the distance of a score from its expectation by earlier scores.
//!
//! The expectation is a linear regression that learns as it goes; the distance from it is coded as a sign, the length of its
//! number, and the bits of that. Scores that repeat the one before, seen from the other side, have a code of their own.

use super::levels::{LEVELS, SIGNED_LEVELS, level, signed_level};
use super::range::{Coder, ONE};
use super::regression::Regression;

/// Number of scores before that are taken into account.
pub(super) const REMEMBERED: usize = 4;

/// Facts about a search before its score is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// Scores of the searches before, the latest first, all for the side to move.
    pub(super) scores: [i32; REMEMBERED],
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
    /// Whether the chosen move captures.
    pub(super) captures: bool,
    /// Rank of the chosen move.
    pub(super) rank: u32,
    /// Information of the chosen move and of the one before, in bits, below [`SURPRISES`].
    pub(super) surprises: [u32; 2],
    /// Number of pieces on the board.
    pub(super) pieces: u32,
}

const SURPRISES: u32 = 8;
const RANKS: u32 = 4;

/// Score beyond which a mate is in sight.
const MATE: i32 = 20_000;

/// Lengths of distances: 0 to 17 bits.
const LENGTHS: u32 = 18;

/// Bits of a distance after its first one whose chances are learnt.
const LEARNT_BITS: u32 = 2;

/// Number of levels of the average distance.
const DISTANCES: u32 = 24;

/// Largest distance that counts in an average, and expected at the start of a game, in centipawns.
const LARGEST_DISTANCE: i32 = 600;
const FIRST_DISTANCE: i32 = 40;

/// Unit of average distances.
const DISTANCE_UNIT: i32 = 16;

/// Groups of features of a length, with their numbers of values: the average distance; the last difference, check and capture;
/// the score before; information of the moves; pieces and mate; rank and repetition; signed difference.
const LENGTH_SIZES: [u32; 7] =
    [DISTANCES, LEVELS * 4, LEVELS, SURPRISES * SURPRISES, 8 * 2, RANKS * 2, SIGNED_LEVELS * 2];

/// Groups of features of a sign.
const SIGN_SIZES: [u32; 5] = [SIGNED_LEVELS, SIGNED_LEVELS, SIGNED_LEVELS, RANKS * 8, SURPRISES * SURPRISES];

/// Groups of features of a repetition.
const REPEAT_SIZES: [u32; 3] = [RANKS * 8, DISTANCES * 2, LEVELS];

const RATE: f32 = 0.1;
const QUICK_RATE: f32 = 0.2;

/// Model of all scores.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    /// Expectations by check, capture and rank.
    expectations: [Expectation; 8],
    repeats: Regression,
    signs: Regression,
    lengths: Regression,
    bits: Regression,
    recent: Recent,
}

/// Distances of the last scores of a game.
#[derive(Clone, Copy, Debug)]
struct Recent {
    /// Average, in sixteenths of a centipawn.
    distance: i32,
    /// Difference of the last score from the one before it.
    difference: i32,
    /// Whether the last score repeated the one before.
    is_repeat: bool,
}

impl Recent {
    const NONE: Self = Self { distance: DISTANCE_UNIT * FIRST_DISTANCE, difference: 0, is_repeat: false };

    fn add(&mut self, distance: i32, difference: i32) {
        let size = distance.abs().min(LARGEST_DISTANCE);
        self.distance += (DISTANCE_UNIT * size - self.distance) / 4;
        self.difference = difference;
        self.is_repeat = difference == 0;
    }

    /// Level of the average: two for each doubling.
    fn level(&self) -> u32 {
        let distance = self.distance.unsigned_abs() + 4;
        let log = distance.ilog2();
        (2 * log + (distance >> (log - 1) & 1)).saturating_sub(4).min(DISTANCES - 1)
    }
}

impl Scores {
    /// Creates a model that has learnt nothing.
    pub(super) fn new() -> Self {
        let bits = LENGTHS << LEARNT_BITS;
        Self {
            expectations: [Expectation::NONE; 8],
            repeats: Regression::new(REPEAT_SIZES.iter().sum(), QUICK_RATE),
            signs: Regression::new(SIGN_SIZES.iter().sum(), RATE),
            lengths: Regression::new(LENGTH_SIZES.iter().sum::<u32>() * LENGTHS, RATE),
            bits: Regression::new(bits * (1 + DISTANCES), QUICK_RATE),
            recent: Recent::NONE,
        }
    }

    /// Begins a game.
    pub(super) fn begin(&mut self) {
        self.recent = Recent::NONE;
    }

    /// Codes a score; `None` if the bytes decode to a number that is none.
    pub(super) fn code(&mut self, coder: &mut impl Coder, before: &Before, score: i16) -> Option<i16> {
        let (score, last) = (i32::from(score), before.scores[0]);
        if self.repeats.bit(coder, &self.repeat_features(before), score == last) {
            self.recent.add(0, 0);
            return i16::try_from(last).ok();
        }
        let context =
            usize::from(before.in_check) * 4 + usize::from(before.captures) * 2 + usize::from(before.rank > 0);
        let inputs = inputs(before);
        let shift = if last.abs() > MATE { 0.0 } else { self.expectations[context].of(&inputs) };
        let expected = last + shift as i32;
        let distance = self.distance(coder, before, expected, score - expected);
        let coded = i16::try_from(expected + distance).ok()?;
        let difference = i32::from(coded) - last;
        if last.abs() <= MATE {
            self.expectations[context].learn(&inputs, difference as f32 - shift);
        }
        self.recent.add(distance, difference);
        Some(coded)
    }

    fn repeat_features(&self, before: &Before) -> [u32; 3] {
        let last = before.scores[0];
        let mate = u32::from(last.abs() > MATE);
        let group = self.repeat_group(before) * 2 + mate;
        joined(REPEAT_SIZES, [group, self.recent.level() * 2 + mate, level(last.abs())])
    }

    fn repeat_group(&self, before: &Before) -> u32 {
        before.rank.min(RANKS - 1) * 4 + u32::from(self.recent.is_repeat) * 2 + u32::from(before.in_check)
    }

    /// Codes the difference of a score from the expected one.
    fn distance(&mut self, coder: &mut impl Coder, before: &Before, expected: i32, distance: i32) -> i32 {
        let is_negative = self.signs.bit(coder, &self.sign_features(before, expected), distance < 0);
        // From 0 on for both signs.
        let size = if distance < 0 { -1 - distance } else { distance }.unsigned_abs();
        let length = self.length(coder, before, is_negative, u32::BITS - size.leading_zeros());
        let size = self.low_bits(coder, length, size).cast_signed();
        if is_negative { -1 - size } else { size }
    }

    fn sign_features(&self, before: &Before, expected: i32) -> [u32; 5] {
        let [last, own, ..] = before.scores;
        let [now, earlier] = before.surprises;
        let kind = u32::from(before.in_check) * 4 + u32::from(before.captures) * 2 + u32::from(last.abs() > MATE);
        joined(
            SIGN_SIZES,
            [
                signed_level(last - expected),
                signed_level(own - expected),
                signed_level(self.recent.difference),
                before.rank.min(RANKS - 1) * 8 + kind,
                now * SURPRISES + earlier,
            ],
        )
    }

    /// Codes the number of bits of a distance, one decision for each.
    fn length(&mut self, coder: &mut impl Coder, before: &Before, is_negative: bool, length: u32) -> u32 {
        let [last, own, ..] = before.scores;
        let [now, earlier] = before.surprises;
        let kind = u32::from(before.in_check) * 2 + u32::from(before.captures);
        let groups = joined(
            LENGTH_SIZES,
            [
                self.recent.level(),
                level((own - last).abs()) * 4 + kind,
                level(last.abs()),
                now * SURPRISES + earlier,
                before.pieces.min(31) / 4 * 2 + u32::from(last.abs() > MATE),
                before.rank.min(RANKS - 1) * 2 + u32::from(self.recent.is_repeat),
                signed_level(self.recent.difference) * 2 + u32::from(is_negative),
            ],
        );
        let goes_on = |bits: &u32| {
            let features = groups.map(|group| group * LENGTHS + bits);
            self.lengths.bit(coder, &features, length > *bits)
        };
        (0..LENGTHS - 1).take_while(goes_on).count() as u32
    }

    /// Codes the bits of a number of this length after its first one.
    fn low_bits(&mut self, coder: &mut impl Coder, length: u32, number: u32) -> u32 {
        let mut coded = u32::from(length > 0);
        for place in (0..length.saturating_sub(1)).rev() {
            let bit = number >> place & 1 == 1;
            let bit = if coded < 1 << LEARNT_BITS {
                let feature = length << LEARNT_BITS | coded;
                let scaled = (1 + self.recent.level()) * (LENGTHS << LEARNT_BITS) + feature;
                self.bits.bit(coder, &[feature, scaled], bit)
            } else {
                coder.bit(bit, ONE / 2)
            };
            coded = coded << 1 | u32::from(bit);
        }
        coded
    }
}

/// Numbers the features of several groups one after the other.
fn joined<const N: usize>(sizes: [u32; N], values: [u32; N]) -> [u32; N] {
    let mut first = 0;
    let mut features = values;
    for (feature, size) in features.iter_mut().zip(sizes) {
        debug_assert!(*feature < size, "{feature} of {size}");
        *feature += first;
        first += size;
    }
    features
}

/// Number of inputs of an expectation.
const INPUTS: usize = REMEMBERED;

/// Differences of earlier scores from the last one, and a constant.
fn inputs(before: &Before) -> [f32; INPUTS] {
    /// Largest difference that counts, in centipawns.
    const LARGEST: i32 = 500;
    const CONSTANT: f32 = 8.0;
    let [last, own, third, fourth] = before.scores;
    let difference = |score: i32| (score - last).clamp(-LARGEST, LARGEST) as f32;
    [difference(own), difference(third), difference(fourth), CONSTANT]
}

/// Linear regression of the difference between a score and the one before.
#[derive(Clone, Copy, Debug)]
struct Expectation {
    weights: [f32; INPUTS],
    /// Sums of the squares of the gradients (AdaGrad).
    energies: [f32; INPUTS],
}

impl Expectation {
    const NONE: Self = Self { weights: [0.0; INPUTS], energies: [1e4; INPUTS] };

    fn of(&self, inputs: &[f32; INPUTS]) -> f32 {
        const LARGEST: f32 = 600.0;
        let sum = self.weights.iter().zip(inputs).fold(0.0, |sum, (weight, input)| sum + weight * input);
        sum.clamp(-LARGEST, LARGEST)
    }

    fn learn(&mut self, inputs: &[f32; INPUTS], error: f32) {
        const RATE: f32 = 0.3;
        // Between the mean and the median: larger errors count no more than this one.
        const LARGEST: f32 = 20.0;
        let error = error.clamp(-LARGEST, LARGEST);
        for ((weight, energy), input) in self.weights.iter_mut().zip(&mut self.energies).zip(inputs) {
            let gradient = error * input;
            *energy += gradient * gradient;
            *weight += RATE * gradient / energy.sqrt();
        }
    }
}
