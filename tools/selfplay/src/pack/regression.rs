//! Logistic regression that learns while it codes: each decision is predicted from the weights of its features, which then
//! follow what was decided. Encoder and decoder learn the same, so nothing of the model is stored.
//!
//! The step of a weight shrinks with the squares of its gradients so far (AdaGrad; Duchi, Hazan, Singer, 2011). All sums are
//! added in a fixed order and `exp` is our own, so that the result is the same on every machine.

use super::range::{Coder, ONE};

/// A weight, with the sum of the squares of its gradients.
#[derive(Clone, Copy, Debug)]
struct Weight {
    value: f32,
    energy: f32,
}

/// Weights by feature.
#[derive(Clone, Debug)]
pub(super) struct Regression {
    weights: Vec<Weight>,
    rate: f32,
}

/// Energy of a weight that has learnt nothing.
const FIRST_ENERGY: f32 = 0.3;

impl Regression {
    /// Creates the weights of this number of features, all 0; `rate` scales their steps.
    pub(super) fn new(features: u32, rate: f32) -> Self {
        Self { weights: vec![Weight { value: 0.0, energy: FIRST_ENERGY }; features as usize], rate }
    }

    /// Sum of the weights of active features.
    pub(super) fn sum(&self, features: &[u32]) -> f32 {
        features.iter().fold(0.0, |sum, &feature| sum + self.weights[feature as usize].value)
    }

    /// Moves the weights of active features to reduce `error`, what happened minus its probability.
    pub(super) fn learn(&mut self, features: &[u32], error: f32) {
        for &feature in features {
            let weight = &mut self.weights[feature as usize];
            weight.energy += error * error;
            weight.value += self.rate * error / weight.energy.sqrt();
        }
    }

    /// Codes a bit with the probability that its features predict, and learns from it.
    pub(super) fn bit(&mut self, coder: &mut impl Coder, features: &[u32], bit: bool) -> bool {
        let probability = 1.0 / (1.0 + exp(-self.sum(features)));
        let bit = coder.bit(bit, chance(probability));
        self.learn(features, f32::from(u8::from(bit)) - probability);
        bit
    }
}

/// Converts a probability to the coder's unit; neither 0 nor 1.
pub(super) fn chance(probability: f32) -> u32 {
    ((probability * ONE as f32) as u32).clamp(1, ONE - 1)
}

/// Returns e to the power of `x`, accurate to a few units in the last place, with `x` clamped to a range of finite results.
pub(super) fn exp(x: f32) -> f32 {
    const LARGEST: f32 = 80.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const MANTISSA_BITS: u32 = 23;
    const EXPONENT_BIAS: i32 = 127;
    let x = x.clamp(-LARGEST, LARGEST);
    let power = (x * std::f32::consts::LOG2_E + 0.5).floor();
    let rest = x - power * LN_2_HIGH - power * LN_2_LOW;
    let series = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let value = series.into_iter().fold(0.0, |sum, factor| sum * rest + factor);
    value * f32::from_bits((power as i32 + EXPONENT_BIAS).cast_unsigned() << MANTISSA_BITS)
}

#[cfg(test)]
mod tests {
    use super::super::range::{Decoder, Encoder};
    use super::*;
    use chuhe::splitmix::SplitMix64;

    #[test]
    fn the_exponential_function_is_close_and_the_same_everywhere() {
        for n in -790..=790 {
            let x = n as f32 / 10.0;
            assert!((f64::from(exp(x)) / f64::from(x).exp() - 1.0).abs() < 1e-5, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::INFINITY).is_finite() && exp(f32::NEG_INFINITY) > 0.0);
    }

    #[test]
    fn what_is_learnt_saves_bytes_and_is_learnt_again_by_the_decoder() {
        let mut random = SplitMix64::new(3);
        // The first feature says how likely the bit is, the second one says nothing.
        let cases: Vec<([u32; 2], bool)> = (0..20_000)
            .map(|_| {
                let likely = random.below(2);
                let bit = random.below(16) < if likely == 1 { 15 } else { 1 };
                ([likely as u32, 2 + random.below(3) as u32], bit)
            })
            .collect();
        let (mut encoder, mut regression) = (Encoder::new(), Regression::new(5, 0.3));
        for (features, bit) in &cases {
            regression.bit(&mut encoder, features, *bit);
        }
        let bytes = encoder.finish();
        // One in sixteen: 0.337 bits.
        assert!(bytes.len() < 20_000 * 36 / 800, "{}", bytes.len());
        let (mut decoder, mut regression) = (Decoder::new(&bytes), Regression::new(5, 0.3));
        assert!(cases.iter().all(|(features, bit)| regression.bit(&mut decoder, features, false) == *bit));
    }
}
