//! Sequential probability ratio test (SPRT) with the exact generalised likelihood ratio.
//!
//! For each hypothesis the most likely distribution of outcomes among those that satisfy it is found, and the two likelihoods
//! are compared (Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" and
//! "Comments on normalized Elo", as used by fishtest). The state follows from the counts alone, so a resumed match has the
//! state of an uninterrupted one.

use std::fmt;
use std::str::FromStr;

use crate::stats::{NORMALISED_ELO_PER_T, Outcomes, mean_and_variance};

/// Unit of `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Normalised Elo: the lead in standard deviations of a game.
    #[default]
    Normalized,
    /// Logistic Elo: the expected score.
    Logistic,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

impl FromStr for Model {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            other => Err(SprtError::Model(other.to_owned())),
        }
    }
}

/// Error in the parameters of a test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The name of the model is unknown.
    #[error("unknown model; known: normalized, logistic")]
    Model(String),
    /// The hypotheses are equal or in the wrong order.
    #[error("elo0 = {0} is not below elo1 = {1}")]
    Hypotheses(f64, f64),
    /// A hypothesis is out of range.
    #[error("an Elo difference of {0} is out of range")]
    Range(f64),
    /// An error probability is out of range.
    #[error("{0} = {1} is not between 0 and 0.5")]
    Probability(&'static str, f64),
}

/// A test of H1, a gain of `elo1`, against H0, a gain of `elo0`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// State of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The LLR is between the bounds.
    Open,
    /// The LLR has reached the lower bound: no gain.
    AcceptH0,
    /// The LLR has reached the upper bound: a gain.
    AcceptH1,
}

/// Largest Elo difference of either model that can be tested.
const MOST_ELO: f64 = 200.0;

impl Sprt {
    /// Returns a test of Elo differences in the unit of `model`; `alpha` is the probability of accepting H1 if H0 holds, and
    /// `beta` that of accepting H0 if H1 holds.
    ///
    /// # Errors
    /// If the parameters are out of range or in the wrong order.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > MOST_ELO {
                return Err(SprtError::Range(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability(name, value));
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Returns the lower and the upper bound of the LLR (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio (LLR) of the hypotheses after `outcomes`; 0 without a sample.
    ///
    /// As in fishtest, a score that was never reached counts as a thousandth of a sample: an empty class would make one
    /// hypothesis infinitely likely.
    pub fn log_likelihood_ratio(&self, outcomes: &Outcomes) -> f64 {
        if outcomes.total() == 0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> =
            outcomes.weights().into_iter().map(|(score, count)| (score, count.max(UNSEEN))).collect();
        // A sample of two games has a smaller standard deviation, hence a larger t-value.
        let scale = f64::from(outcomes.games_per_sample()).sqrt() / NORMALISED_ELO_PER_T;
        let fit = |elo: f64| match self.model {
            Model::Logistic => most_likely_with_mean(&counts, expected_score(elo)),
            Model::Normalized => most_likely_with_t_value(&counts, elo * scale),
        };
        let (null, gain) = (fit(self.elo0), fit(self.elo1));
        counts.iter().zip(null.iter().zip(&gain)).map(|(&(_, count), (p0, p1))| count * (p1 / p0).ln()).sum()
    }

    /// Returns the decision for a log-likelihood ratio.
    pub fn decide(&self, ratio: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Decision::AcceptH1
        } else if ratio <= lower {
            Decision::AcceptH0
        } else {
            Decision::Open
        }
    }

    /// Returns the decision after `outcomes`.
    pub fn decision(&self, outcomes: &Outcomes) -> Decision {
        self.decide(self.log_likelihood_ratio(outcomes))
    }

    /// Returns `LLR: 1.23 (41.8%) (-2.94, 2.94) [0.00, 2.00]`: the LLR, its share of the bound that it approaches, the bounds,
    /// and the hypotheses.
    pub fn summary(&self, outcomes: &Outcomes) -> String {
        let ratio = self.log_likelihood_ratio(outcomes);
        let (lower, upper) = self.bounds();
        let percent = 100.0 * ratio / if ratio < 0.0 { -lower } else { upper };
        format!("LLR: {ratio:.2} ({percent:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]", self.elo0, self.elo1)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

const UNSEEN: f64 = 1e-3;

/// Returns the expected points per game at a logistic Elo difference.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the distribution on the scores of `counts` with this mean under which the counts are most likely.
fn most_likely_with_mean(counts: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let excess: Vec<f64> = counts.iter().map(|&(score, _)| score - mean).collect();
    most_likely_with_zero_mean(counts, &excess)
}

/// Returns the distribution whose mean lies `t` standard deviations above one half and under which the counts are most likely.
///
/// The condition is not linear in the probabilities. Linearised at the last solution it becomes a zero mean of `excess`; a
/// fixed point of the iteration satisfies the true condition.
fn most_likely_with_t_value(counts: &[(f64, f64)], t: f64) -> Vec<f64> {
    const MOST_ITERATIONS: usize = 100;
    const STANDSTILL: f64 = 1e-12;
    let mut solution = vec![1.0 / counts.len() as f64; counts.len()];
    for _ in 0..MOST_ITERATIONS {
        let distribution: Vec<(f64, f64)> =
            counts.iter().zip(&solution).map(|(&(score, _), &share)| (score, share)).collect();
        let (mean, variance) = mean_and_variance(&distribution);
        let deviation = variance.sqrt();
        let excess: Vec<f64> = counts
            .iter()
            .map(|&(score, _)| score - 0.5 - t * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0)
            .collect();
        let next = most_likely_with_zero_mean(counts, &excess);
        let change = next.iter().zip(&solution).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        solution = next;
        if change < STANDSTILL {
            break;
        }
    }
    solution
}

/// Returns the distribution under which `excess` has mean zero and the counts are most likely.
///
/// With the Lagrange multiplier `x` it is `share / (1 + x * excess)`, and the mean falls with `x` between the poles, so
/// bisection finds the zero.
fn most_likely_with_zero_mean(counts: &[(f64, f64)], excess: &[f64]) -> Vec<f64> {
    const HALVINGS: usize = 200;
    let total: f64 = counts.iter().map(|&(_, count)| count).sum();
    let at = |x: f64| counts.iter().zip(excess).map(move |(&(_, count), &excess)| count / total / (1.0 + x * excess));
    let mean = |x: f64| at(x).zip(excess).map(|(share, &excess)| share * excess).sum::<f64>();
    let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
    let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    at((low + high) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// Counts and LLRs from the unit tests of fastchess (app/tests/sprt_test.cpp), which solves to a thousandth and allows a
    /// relative error of a hundredth.
    #[test]
    fn the_ratios_are_those_that_fastchess_publishes() {
        use Model::{Logistic, Normalized};
        let published: [(Model, f64, f64, Outcomes, f64); 10] = [
            (Normalized, 0.0, 2.0, Outcomes::Pairs([365, 16618, 36229, 16974, 390]), 2.25),
            (Normalized, -1.75, 0.25, Outcomes::Pairs([127, 4883, 10712, 5150, 104]), 3.01),
            (Normalized, 0.0, 5.0, Outcomes::Pairs([0, 0, 0, 0, 5550]), 111.82),
            (Logistic, 0.5, 2.5, Outcomes::Pairs([223, 9863, 21279, 10037, 246]), -3.07),
            (Logistic, 0.0, 2.0, Outcomes::Pairs([871, 26175, 55983, 26678, 821]), -4.98),
            (Normalized, 0.0, 2.0, Outcomes::Games([36027, 68692, 36433]), 0.92),
            (Normalized, -1.75, 0.25, Outcomes::Games([10650, 20431, 10871]), 2.30),
            (Normalized, 0.0, 10.0, Outcomes::Games([0, 0, 4250]), 120.56),
            (Logistic, 0.5, 2.5, Outcomes::Games([21184, 40708, 21404]), -1.57),
            (Logistic, 0.0, 2.0, Outcomes::Games([57030, 106593, 57433]), -2.59),
        ];
        for (model, elo0, elo1, outcomes, expected) in published {
            let ratio = test(elo0, elo1, model).log_likelihood_ratio(&outcomes);
            let tolerance = 0.0051 + expected.abs() / 5000.0;
            assert!((ratio - expected).abs() < tolerance, "{model} {outcomes:?}: {ratio} instead of {expected}");
        }
    }

    /// With two outcomes the condition leaves no freedom: with no draws, 60 wins and 40 losses, the means 1/2 and `s` give 60
    /// ln(s / 0.5) + 40 ln((1 - s) / 0.5).
    ///
    /// The thousandth that stands for the draws changes the third decimal.
    #[test]
    fn a_coin_can_be_reckoned_by_hand() {
        let s = expected_score(50.0);
        let expected = 60.0 * (2.0 * s).ln() + 40.0 * (2.0 * (1.0 - s)).ln();
        let ratio = test(0.0, 50.0, Model::Logistic).log_likelihood_ratio(&Outcomes::Games([40, 0, 60]));
        assert!((ratio - expected).abs() < 1e-3, "{ratio} instead of {expected}");
    }

    /// Finds the most likely distribution that satisfies a condition by hill climbing.
    ///
    /// Every step changes one weight, then tilts all of them by `exp(k * score)` until the condition holds, and is kept if it
    /// is an improvement.
    fn climbed_likelihood(counts: &[f64; 5], lead: impl Fn(f64, f64) -> f64) -> f64 {
        let tilted = |weights: &[f64; 5]| -> [f64; 5] {
            let at = |k: f64| {
                let raw: [f64; 5] = std::array::from_fn(|i| weights[i] * (k * i as f64 / 4.0).exp());
                let total: f64 = raw.iter().sum();
                raw.map(|weight| weight / total)
            };
            let (mut low, mut high) = (-40.0, 40.0);
            for _ in 0..80 {
                let middle = (low + high) / 2.0;
                let weights: Vec<(f64, f64)> =
                    at(middle).iter().enumerate().map(|(i, &weight)| (i as f64 / 4.0, weight)).collect();
                let (mean, variance) = mean_and_variance(&weights);
                if lead(mean, variance.sqrt()) < 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            at((low + high) / 2.0)
        };
        let likelihood = |weights: &[f64; 5]| -> f64 {
            counts.iter().zip(tilted(weights)).map(|(&count, share)| count * share.ln()).sum()
        };
        let mut weights = *counts;
        let mut best = likelihood(&weights);
        let mut step: f64 = 0.5;
        while step > 1e-7 {
            let mut improved = false;
            for index in 0..5 {
                for factor in [1.0 + step, 1.0 / (1.0 + step)] {
                    let mut changed = weights;
                    changed[index] *= factor;
                    let likelihood = likelihood(&changed);
                    if likelihood > best + 1e-12 {
                        (weights, best, improved) = (changed, likelihood, true);
                    }
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }

    #[test]
    fn climbing_without_theory_finds_the_same_ratio() {
        for counts in [[30, 200, 520, 230, 20], [5, 30, 40, 60, 25], [1, 2, 3, 9, 4]] {
            let as_floats = counts.map(|count| count as f64);
            for (elo0, elo1) in [(0.0, 5.0), (-3.0, 1.0), (10.0, 60.0)] {
                let climbed = |elo: f64, model| match model {
                    Model::Logistic => climbed_likelihood(&as_floats, |mean, _| mean - expected_score(elo)),
                    Model::Normalized => {
                        let t = elo * 10f64.ln() / 800.0;
                        climbed_likelihood(&as_floats, |mean, deviation| mean - 0.5 - t * 2f64.sqrt() * deviation)
                    }
                };
                for model in [Model::Logistic, Model::Normalized] {
                    let expected = climbed(elo1, model) - climbed(elo0, model);
                    let ratio = test(elo0, elo1, model).log_likelihood_ratio(&Outcomes::Pairs(counts));
                    assert!((ratio - expected).abs() < 1e-5, "{model} {counts:?}: {ratio} instead of {expected}");
                }
            }
        }
    }

    #[test]
    fn the_bounds_are_walds_and_decide() {
        let sprt = test(0.0, 2.0, Model::Normalized);
        let (lower, upper) = sprt.bounds();
        assert!((lower + 19f64.ln()).abs() < 1e-12 && (upper - 19f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.decision(&Outcomes::Pairs([0; 5])), Decision::Open);
        assert_eq!(sprt.decision(&Outcomes::Pairs([0, 100, 1000, 9000, 900])), Decision::AcceptH1);
        assert_eq!(sprt.decision(&Outcomes::Pairs([900, 9000, 1000, 100, 0])), Decision::AcceptH0);
        let summary = sprt.summary(&Outcomes::Pairs([365, 16618, 36229, 16974, 390]));
        assert_eq!(summary, "LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]");
        let lost = test(0.0, 2.0, Model::Normalized).summary(&Outcomes::Pairs([390, 16974, 36229, 16618, 365]));
        assert!(lost.starts_with("LLR: -") && lost.contains(" (-"), "the share has the sign of the ratio: {lost}");
    }

    #[test]
    fn every_ratio_is_finite_however_odd_the_counts() {
        for counts in [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 9, 0, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 1_000_000]] {
            for model in [Model::Normalized, Model::Logistic] {
                for (elo0, elo1) in [(0.0, 2.0), (-200.0, 200.0), (-1.0, 0.0)] {
                    let ratio = test(elo0, elo1, model).log_likelihood_ratio(&Outcomes::Pairs(counts));
                    assert!(ratio.is_finite(), "{model} {counts:?} {elo0} {elo1}");
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        use Model::Normalized;
        assert_eq!(Sprt::new(2.0, 2.0, 0.05, 0.05, Normalized), Err(SprtError::Hypotheses(2.0, 2.0)));
        assert_eq!(Sprt::new(0.0, 999.0, 0.05, 0.05, Normalized), Err(SprtError::Range(999.0)));
        assert!(matches!(Sprt::new(f64::NAN, 2.0, 0.05, 0.05, Normalized), Err(SprtError::Range(_))));
        assert_eq!(Sprt::new(0.0, 2.0, 0.0, 0.05, Normalized), Err(SprtError::Probability("alpha", 0.0)));
        assert_eq!("bayesian".parse::<Model>(), Err(SprtError::Model("bayesian".into())));
        assert_eq!("logistic".parse(), Ok(Model::Logistic));
    }
}
