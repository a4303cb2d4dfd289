//! Elo, normalised Elo and the likelihood of superiority (LOS), with error bars.

use super::outcomes::{Outcomes, mean_and_variance};

/// Normalised Elo of one standard deviation of a game: 800 / ln 10.
pub(crate) const NORMALISED_ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Most likely value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// Returns half the width, as printed after a plus-minus sign.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns the error margin, unless it is unknown: samples that are all alike, such as a single pair, say nothing about it.
    pub fn known_error(&self) -> Option<f64> {
        let error = self.error();
        (error.is_finite() && error > 0.0).then_some(error)
    }

    fn map(low: f64, value: f64, high: f64, image: impl Fn(f64) -> f64) -> Self {
        Self { value: image(value), low: image(low), high: image(high) }
    }
}

/// Estimated strength of the first engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points per game, 0 to 1.
    pub score: Interval,
    /// Logistic Elo difference; infinite if every game was won or every game lost.
    pub elo: Interval,
    /// Normalised Elo difference: the score above one half in standard deviations of a game, times 800 / ln 10.
    ///
    /// It is infinite if all samples have the same score, other than one half.
    pub normalised_elo: Interval,
    /// Probability that the first engine is the stronger one (LOS), 0 to 1.
    pub superiority: f64,
}

impl Estimate {
    /// Returns the estimate; `None` without a sample.
    pub fn new(outcomes: &Outcomes) -> Option<Self> {
        if outcomes.total() == 0 {
            return None;
        }
        let samples = outcomes.total() as f64;
        let (mean, variance) = mean_and_variance(&outcomes.weights());
        let deviation = (variance / samples).sqrt();
        let (low, high) = (mean - Z_95 * deviation, mean + Z_95 * deviation);
        let per_game = (variance * f64::from(outcomes.games_per_sample())).sqrt();
        let lead = mean - 0.5;
        Some(Self {
            score: Interval::map(low, mean, high, |score| score.clamp(0.0, 1.0)),
            elo: Interval::map(low, mean, high, elo),
            normalised_elo: Interval::map(low - 0.5, lead, high - 0.5, |lead| {
                NORMALISED_ELO_PER_T * if lead == 0.0 { 0.0 } else { lead / per_game }
            }),
            superiority: distribution(if lead == 0.0 { 0.0 } else { lead / deviation }),
        })
    }
}

/// Returns the logistic Elo difference at which `score` points per game are expected.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// Two-sided 95 % point of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is below `x`.
fn distribution(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    /// Counts and rounded values from the unit tests of fastchess (app/tests/elo_test.cpp), which computes the error bar of
    /// the logistic Elo in the same way.
    #[test]
    fn pairs_give_the_values_that_fastchess_publishes() {
        for (counts, elo, elo_error, normalised, normalised_error, superiority) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 100.0),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 5.05),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0),
        ] {
            let estimate = Estimate::new(&Outcomes::Pairs(counts)).unwrap();
            near(estimate.elo.value, elo, 0.006);
            near(estimate.elo.error(), elo_error, 0.006);
            near(estimate.normalised_elo.value, normalised, 0.006);
            near(estimate.normalised_elo.error(), normalised_error, 0.006);
            near(estimate.superiority * 100.0, superiority, 0.006);
        }
    }

    /// Counts of lost, drawn and won games, also from the unit tests of fastchess.
    #[test]
    fn games_give_the_values_that_fastchess_publishes() {
        let estimate = Estimate::new(&Outcomes::Games([96, 111, 136])).unwrap();
        near(estimate.elo.value, 40.70, 0.006);
        near(estimate.elo.error(), 30.43, 0.006);
        near(estimate.normalised_elo.value, 49.77, 0.006);
        near(estimate.normalised_elo.error(), 36.77, 0.006);
        near(estimate.superiority * 100.0, 99.60, 0.006);
        let estimate = Estimate::new(&Outcomes::Games([89, 123, 76])).unwrap();
        near(estimate.normalised_elo.value, -20.76, 0.006);
        near(estimate.superiority * 100.0, 15.53, 0.006);
        let estimate = Estimate::new(&Outcomes::Games([356, 0, 34])).unwrap();
        near(estimate.normalised_elo.value, -508.44, 0.006);
        near(estimate.normalised_elo.error(), 34.48, 0.006);
    }

    /// Three pairs with 1, 3/2 and 2 points: mean 3/4, variance of a pair (1/16 + 0 + 1/16) / 3 = 1/24.
    #[test]
    fn three_pairs_can_be_reckoned_by_hand() {
        let estimate = Estimate::new(&Outcomes::Pairs([0, 0, 1, 1, 1])).unwrap();
        near(estimate.score.value, 0.75, 1e-12);
        near(estimate.score.low, 0.75 - Z_95 / 72f64.sqrt(), 1e-12);
        near(estimate.elo.value, 400.0 * 3f64.log10(), 1e-9);
        near(estimate.normalised_elo.value, 0.25 * 12f64.sqrt() * 800.0 / 10f64.ln(), 1e-9);
        near(estimate.superiority, 0.983_052_573, 1e-6);
    }

    #[test]
    fn one_sided_results_are_infinite_but_never_undefined() {
        assert_eq!(Estimate::new(&Outcomes::Pairs([0; 5])), None);
        let won = Estimate::new(&Outcomes::Pairs([0, 0, 0, 0, 7])).unwrap();
        assert_eq!((won.score.value, won.elo.value, won.superiority), (1.0, f64::INFINITY, 1.0));
        assert_eq!(won.normalised_elo.value, f64::INFINITY);
        let lost = Estimate::new(&Outcomes::Games([1, 0, 0])).unwrap();
        assert_eq!((lost.elo.value, lost.elo.high, lost.superiority), (f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0));
        let drawn = Estimate::new(&Outcomes::Pairs([0, 0, 3, 0, 0])).unwrap();
        assert_eq!((drawn.elo.value, drawn.normalised_elo.value, drawn.superiority), (0.0, 0.0, 0.5));
    }

    #[test]
    fn the_distribution_has_its_tabulated_values() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_746), (Z_95, 0.975), (-3.0, 0.001_349_898), (9.0, 1.0)] {
            assert!((distribution(x) - expected).abs() < 1e-9, "{x}");
        }
        // The far tail is small, but not zero.
        assert!((distribution(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-9);
    }
}
