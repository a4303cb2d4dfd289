//! AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019) with weight clipping, and the learning rate
//! schedule: a warm-up, then a cosine.

use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::gradient::Shard;
use crate::math::cos;
use crate::parameters::{Layout, Rule};

/// Betas: decay of the means of gradients and of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];

/// Keeps the divisor away from zero.
const EPSILON: f32 = 1e-8;

/// Numbers of all shards that are added together, for the cache, and fewest numbers that a thread updates.
const TOGETHER: usize = 512;

/// Learning rate schedule.
#[derive(Clone, Copy, PartialEq, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Learning rate after the warm-up, 0 to 1.
    #[arg(long = "rate", value_name = "RATE", default_value_t = 1e-3)]
    pub highest: f64,
    /// Learning rate of the last step, 0 to 1.
    #[arg(long = "last-rate", value_name = "LAST_RATE", default_value_t = 1e-5)]
    pub lowest: f64,
    /// Steps of the warm-up.
    #[arg(long, default_value_t = 50)]
    pub warm_up: u64,
}

impl Schedule {
    /// Returns the rate of step `step` of `steps`, counted from 0.
    pub fn rate(self, step: u64, steps: u64) -> f64 {
        let way = step as f64 / steps.saturating_sub(1).max(1) as f64;
        let cosine = self.lowest + (self.highest - self.lowest) * 0.5 * (1.0 + cos(std::f64::consts::PI * way));
        let warmth = (step + 1) as f64 / self.warm_up.max(1) as f64;
        cosine * warmth.min(1.0)
    }
}

/// Parameters, with the optimiser's state.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Values of the parameters.
    pub values: Vec<f32>,
    /// Means of the gradients.
    pub means: Vec<f32>,
    /// Means of the squared gradients.
    pub squares: Vec<f32>,
    /// Powers of the decays after all steps, for the bias correction of both means.
    pub missing: [f64; 2],
}

/// Constants of one step.
#[derive(Clone, Copy, Debug)]
struct Step {
    rate: f32,
    decay: f32,
    per_sample: f32,
    corrections: [f32; 2],
}

impl Parameters {
    /// Creates the parameters with empty means.
    pub fn new(values: Vec<f32>) -> Self {
        let count = values.len();
        Self { values, means: vec![0.0; count], squares: vec![0.0; count], missing: [1.0; 2] }
    }

    /// Updates the parameters by the gradients of a batch of `batch` samples, and clears the gradients.
    pub fn step(&mut self, layout: Layout, shards: &mut [Shard], batch: usize, rate: f64, decay: f32) {
        for (missing, beta) in self.missing.iter_mut().zip(BETAS) {
            *missing *= f64::from(beta);
        }
        let corrections = self.missing.map(|missing| (1.0 / (1.0 - missing)) as f32);
        let step = Step { rate: rate as f32, decay, per_sample: 1.0 / batch as f32, corrections };
        let gradient = gather(shards);
        let shared = layout.shared_gradient(gradient);
        for rule in layout.rules() {
            let range = rule.range.clone();
            // The factoriser follows the network.
            let gradient = match range.start.checked_sub(layout.count()) {
                Some(start) => &shared[start..][..range.len()],
                None => &gradient[range],
            };
            self.follow(&rule, gradient, step);
        }
        gradient.fill(0.0);
    }

    /// Updates the parameters to which the rule applies by their gradient.
    fn follow(&mut self, rule: &Rule, gradient: &[f32], step: Step) {
        let range = || rule.range.clone();
        let shrink = if rule.decays { 1.0 - step.decay * step.rate } else { 1.0 };
        let moments = self.means[range()].par_iter_mut().zip(&mut self.squares[range()]);
        let numbers = self.values[range()].par_iter_mut().zip(moments).zip(gradient).with_min_len(TOGETHER);
        numbers.for_each(|((value, (mean, square)), sum)| {
            let gradient = sum * step.per_sample;
            *mean = BETAS[0] * *mean + (1.0 - BETAS[0]) * gradient;
            *square = BETAS[1] * *square + (1.0 - BETAS[1]) * gradient * gradient;
            let direction = *mean * step.corrections[0] / ((*square * step.corrections[1]).sqrt() + EPSILON);
            *value = (*value * shrink - step.rate * direction).clamp(-rule.clip, rule.clip);
        });
    }
}

/// Adds the gradients of all shards, in order, to that of the first, and clears the others.
fn gather(shards: &mut [Shard]) -> &mut [f32] {
    let Some((first, others)) = shards.split_first_mut() else { return &mut [] };
    let each = first.gradient.len().div_ceil(rayon::current_num_threads()).max(1);
    rayon::scope(|scope| {
        let mut others: Vec<_> = others.iter_mut().map(|shard| shard.gradient.chunks_mut(each)).collect();
        for sums in first.gradient.chunks_mut(each) {
            let mut others: Vec<&mut [f32]> = others.iter_mut().filter_map(Iterator::next).collect();
            scope.spawn(move |_| {
                for (number, sums) in sums.chunks_mut(TOGETHER).enumerate() {
                    for other in &mut others {
                        for (sum, gradient) in sums.iter_mut().zip(&mut other[number * TOGETHER..]) {
                            *sum += std::mem::take(gradient);
                        }
                    }
                }
            });
        }
    });
    &mut first.gradient
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient::SHARDS;
    use chuhe::eval::nnue::{FEATURES, OutputBuckets, Shape};

    #[test]
    fn the_rate_warms_up_and_falls() {
        let schedule = Schedule { highest: 1e-3, lowest: 1e-5, warm_up: 10 };
        let rates: Vec<f64> = (0..1000).map(|step| schedule.rate(step, 1000)).collect();
        assert!((rates[0] - 1e-4).abs() < 1e-9 && (rates[999] - 1e-5).abs() < 1e-9, "{} {}", rates[0], rates[999]);
        assert!(rates[..10].is_sorted() && rates[10..].iter().rev().is_sorted());
        assert!((rates[500] - 5.05e-4).abs() < 1e-6);
    }

    #[test]
    fn a_step_is_that_of_the_paper_on_every_number_of_threads() {
        let layout = Layout { shape: Shape { width: 32, output_buckets: OutputBuckets::ByPieces(1), king_buckets: 1 } };
        let begin = layout.initial(400, 1);
        let (row, piece) = (7, layout.psqt().start + 5);
        let step = || {
            let mut shards = vec![Shard::new(layout); SHARDS];
            let mut parameters = Parameters::new(begin.clone());
            for gradient in [3.0, -1.0] {
                for shard in &mut shards {
                    shard.gradient[row] = gradient;
                    shard.gradient[piece] = -gradient;
                }
                parameters.step(layout, &mut shards, 8, 0.01, 0.1);
                assert!(shards.iter().all(|shard| shard.gradient.iter().all(|&gradient| gradient == 0.0)));
            }
            parameters
        };
        let stepped = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(step);
        let parameters = stepped(1);
        let by_the_paper = |begin: f32, sign: f64, decay: f64| {
            let (mut value, mut mean, mut square) = (f64::from(begin), 0.0, 0.0);
            for (step, gradient) in [(1, 6.0 * sign), (2, -2.0 * sign)] {
                mean = 0.9 * mean + 0.1 * gradient;
                square = 0.999 * square + 0.001 * gradient * gradient;
                let direction: f64 = mean / (1.0 - 0.9_f64.powi(step)) / (square / (1.0 - 0.999_f64.powi(step))).sqrt();
                value -= 0.01 * (direction + decay * value);
            }
            value
        };
        assert!((f64::from(parameters.values[row]) - by_the_paper(begin[row], 1.0, 0.1)).abs() < 1e-6);
        assert!((f64::from(parameters.values[piece]) - by_the_paper(begin[piece], -1.0, 0.0)).abs() < 1e-6);
        for threads in [2, 5, 16] {
            assert_eq!(stepped(threads), parameters);
        }
    }

    #[test]
    fn what_sets_have_in_common_follows_the_sum_of_their_gradients() {
        let layout = Layout { shape: Shape { width: 32, output_buckets: OutputBuckets::ByPieces(1), king_buckets: 3 } };
        let begin = layout.initial(400, 1);
        let (input, column) = (11, 5);
        let at = |set: usize| layout.weight(set * FEATURES + input, column);
        let shared = layout.shared_feature_weights().start + input * 32 + column;
        let mut shards = vec![Shard::new(layout); SHARDS];
        let mut parameters = Parameters::new(begin.clone());
        shards[2].gradient[at(0)] = 1.0;
        shards[5].gradient[at(2)] = 3.0;
        parameters.step(layout, &mut shards, 1, 0.01, 0.0);
        assert!((parameters.means[shared] - 0.4).abs() < 1e-6, "{}", parameters.means[shared]);
        let moved = |at: usize| begin[at] - parameters.values[at];
        for (number, expected) in [(at(0), 0.01), (at(1), 0.0), (at(2), 0.01), (shared, 0.01)] {
            assert!((moved(number) - expected).abs() < 1e-5, "{number}: {}", moved(number));
        }
    }

    #[test]
    fn weights_stay_within_their_clip() {
        let layout = Layout { shape: Shape { width: 32, output_buckets: OutputBuckets::ByPieces(1), king_buckets: 1 } };
        let mut shards = vec![Shard::new(layout); 1];
        let mut parameters = Parameters::new(layout.initial(400, 1));
        for _ in 0..5 {
            shards[0].gradient.fill(1.0);
            parameters.step(layout, &mut shards, 1, 1.0, 0.0);
        }
        let least = |range: std::ops::Range<usize>| parameters.values[range].iter().copied().fold(0.0, f32::min);
        assert_eq!((least(layout.feature_weights()), least(layout.outputs())), (-1.98, -1.98));
        assert!(least(layout.psqt()) < -5.0);
    }
}
