//! Simultaneous perturbation stochastic approximation (SPSA).
//!
//! Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", 1998. The gains are given
//! by their final values, as in the tuners of fishtest and OpenBench. Pure arithmetic: the caller plays the games.

use chuhe::splitmix::{SplitMix64, mix};

use super::parameter::Parameter;
use crate::settings::Gains;

/// State of an SPSA run.
#[derive(Clone, PartialEq, Debug)]
pub struct Descent {
    parameters: Vec<Parameter>,
    gains: Gains,
    iterations: u32,
    seed: u64,
    values: Vec<f64>,
    /// Number of iterations done.
    done: u32,
}

/// Two points on either side of the current one.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Perturbed values, in a random direction for each parameter.
    pub plus: Vec<f64>,
    /// Values perturbed in the opposite direction.
    pub minus: Vec<f64>,
    /// Change of each parameter for a result of 1.
    steps: Vec<f64>,
}

impl Descent {
    /// Returns the state before the first of `iterations` iterations.
    pub fn new(parameters: Vec<Parameter>, gains: Gains, iterations: u32, seed: u64) -> Self {
        let values = parameters.iter().map(|parameter| parameter.start).collect();
        Self { parameters, gains, iterations, seed, values, done: 0 }
    }

    /// Returns the tuned parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Returns the current values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the number of iterations done.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Returns the points of the next iteration; repeated calls return the same points.
    pub fn trial(&self) -> Trial {
        let Gains { alpha, gamma, stability } = self.gains;
        let (k, last) = (f64::from(self.done + 1), f64::from(self.iterations));
        let constant = stability * last;
        // One random sequence per iteration, so that an interruption does not change the run.
        let mut random = SplitMix64::new(self.seed ^ mix(u64::from(self.done)));
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), steps: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(&self.values) {
            let c = parameter.c_end * (last / k).powf(gamma);
            // a / c^2 is r_end where k is the last iteration.
            let a = parameter.r_end * parameter.c_end.powi(2) * ((constant + last) / (constant + k)).powf(alpha);
            let flip = if random.word() >> 63 == 0 { 1.0 } else { -1.0 };
            let within = |value: f64| value.clamp(parameter.min, parameter.max);
            trial.plus.push(within(value + c * flip));
            trial.minus.push(within(value - c * flip));
            trial.steps.push(a / c * flip);
        }
        trial
    }

    /// Updates the values after the trial of the next iteration; `result` is the lead of `plus` in games per pair, from -2 to
    /// 2.
    pub fn update(&mut self, result: f64) {
        let trial = self.trial();
        for ((value, parameter), step) in self.values.iter_mut().zip(&self.parameters).zip(trial.steps) {
            *value = (*value + step * result).clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(start: f64, c_end: f64) -> Parameter {
        Parameter { name: "x".to_owned(), is_integer: true, start, min: 0.0, max: 100.0, c_end, r_end: 0.05 }
    }

    /// Returns the strength of a point, which is highest at 70 and 30; the difference gives the chance to win a game.
    fn strength(point: &[f64]) -> f64 {
        -((point[0] - 70.0).powi(2) + (point[1] - 30.0).powi(2)) / 400.0
    }

    fn tuned(seed: u64) -> Vec<f64> {
        let mut descent = Descent::new(vec![parameter(20.0, 6.0), parameter(80.0, 6.0)], Gains::default(), 3_000, seed);
        let mut luck = SplitMix64::new(seed);
        while descent.done() < 3_000 {
            let trial = descent.trial();
            let chance = 1.0 / (1.0 + (strength(&trial.minus) - strength(&trial.plus)).exp());
            let mut game = || if (luck.word() >> 11) as f64 / (1_u64 << 53) as f64 <= chance { 1.0 } else { -1.0 };
            let result = game() + game();
            descent.update(result);
        }
        descent.values().to_vec()
    }

    #[test]
    fn noisy_games_lead_to_the_optimum() {
        for seed in 1..6 {
            let values = tuned(seed);
            assert!((values[0] - 70.0).abs() < 10.0 && (values[1] - 30.0).abs() < 10.0, "{seed}: {values:?}");
        }
        assert_eq!(tuned(1), tuned(1));
        assert_ne!(tuned(1), tuned(2));
    }

    #[test]
    fn the_last_iteration_has_the_gains_that_were_asked_for() {
        let mut descent = Descent::new(vec![parameter(50.0, 4.0)], Gains::default(), 10, 1);
        let first = descent.trial();
        assert!((first.plus[0] - 50.0).abs() > 4.0, "perturbations sink: {first:?}");
        (1..10).for_each(|_| descent.update(0.0));
        let last = descent.trial();
        assert_eq!(descent.values(), [50.0]);
        assert!(((last.plus[0] - 50.0).abs() - 4.0).abs() < 1e-9, "{last:?}");
        let towards = (last.plus[0] - 50.0).signum();
        descent.update(1.0);
        assert!((descent.values()[0] - (50.0 + towards * 0.05 * 4.0)).abs() < 1e-9, "{descent:?}");
    }

    #[test]
    fn nothing_leaves_its_range() {
        let mut descent = Descent::new(vec![parameter(99.0, 30.0)], Gains::default(), 50, 3);
        for _ in 0..50 {
            let Trial { plus, minus, .. } = descent.trial();
            assert!([plus[0], minus[0], descent.values()[0]].iter().all(|value| (0.0..=100.0).contains(value)));
            descent.update(if plus[0] > minus[0] { 2.0 } else { -2.0 });
        }
        assert_eq!(descent.values(), [100.0]);
    }
}
