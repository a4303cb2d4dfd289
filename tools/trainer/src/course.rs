//! Course of a training: learning rate and target of each step, and the positions of each epoch.
//!
//! With [`Settings::newest`], the last fifth of the epochs learns from the newest positions alone, at a tenth of the rate.

use crate::checkpoint::Settings;
use crate::gradient::Target;
use crate::optimiser::Schedule;

/// Share of the epochs that learns from the newest positions: one in this number.
pub const LAST_ONE_IN: u64 = 5;

/// Divisor of the learning rate in these epochs.
const RATE_DIVISOR: f64 = 10.0;

/// Course of a training with a fixed number of steps in each epoch.
#[derive(Clone, Debug)]
pub struct Course {
    settings: Settings,
    /// Steps of an epoch.
    steps: u64,
}

impl Course {
    /// Creates the course of a training with `steps` steps in each epoch.
    pub fn new(settings: Settings, steps: u64) -> Self {
        Self { settings, steps }
    }

    /// Returns the number of steps of the whole training.
    pub fn steps(&self) -> u64 {
        self.settings.epochs * self.steps
    }

    /// Returns the first epoch, counted from 0, that learns from the newest positions alone.
    fn first_last_epoch(&self) -> u64 {
        let Settings { epochs, newest, .. } = self.settings;
        if newest.is_some() { epochs - epochs / LAST_ONE_IN } else { epochs }
    }

    /// Returns the learning rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        let Schedule { highest, lowest, .. } = self.settings.schedule;
        let last = self.first_last_epoch() * self.steps;
        match step.checked_sub(last) {
            None => self.settings.schedule.rate(step, last),
            Some(step) => {
                let highest = highest / RATE_DIVISOR;
                let schedule = Schedule { highest, lowest: lowest.min(highest), warm_up: 0 };
                schedule.rate(step, self.steps() - last)
            }
        }
    }

    /// Returns the target of a step, whose share of the result changes evenly from the first step to the last.
    pub fn target(&self, step: u64) -> Target {
        let [first, last] = [self.settings.result_share, self.settings.last_result_share()];
        let way = step as f64 / self.steps().saturating_sub(1).max(1) as f64;
        let share = f64::from(first) + (f64::from(last) - f64::from(first)) * way;
        target(&self.settings, share as f32)
    }

    /// Returns the targets of a validation: that of the last step, the scores alone, and the results alone.
    pub fn validation(&self) -> [Target; 3] {
        [self.settings.last_result_share(), 0.0, 1.0].map(|share| target(&self.settings, share))
    }

    /// Returns the first of `positions` positions, the oldest first, from which an epoch learns.
    pub fn first_position(&self, epoch: u64, positions: usize) -> usize {
        match self.settings.newest {
            Some(share) if epoch >= self.first_last_epoch() => {
                let newest = (positions as f64 * share).ceil() as usize;
                positions - newest.clamp(1, positions)
            }
            _ => 0,
        }
    }
}

fn target(settings: &Settings, result_share: f32) -> Target {
    Target { scale: settings.scale as f32, result_share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::tests::tiny;

    fn course(newest: Option<f64>) -> Course {
        let schedule = Schedule { highest: 1e-3, lowest: 1e-5, warm_up: 10 };
        Course::new(Settings { epochs: 10, newest, schedule, result_share: 0.2, last_result: Some(0.4), ..tiny() }, 100)
    }

    #[test]
    fn the_last_fifth_takes_the_newest_positions_at_a_tenth_of_the_rate() {
        let course = course(Some(0.25));
        let rates: Vec<f64> = (0..course.steps()).map(|step| course.rate(step)).collect();
        let is = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        is(rates[799], 1e-5);
        is(rates[800], 1e-4);
        is(rates[999], 1e-5);
        assert!(rates[10..800].is_sorted_by(|before, after| before >= after));
        assert!(rates[800..].is_sorted_by(|before, after| before >= after));
        assert_eq!([0, 7, 8, 9].map(|epoch| course.first_position(epoch, 1000)), [0, 0, 750, 750]);
        assert_eq!(course.first_position(9, 1), 0);
    }

    #[test]
    fn without_newest_positions_all_epochs_are_alike() {
        let course = course(None);
        for step in [0, 5, 500, 999] {
            assert_eq!(course.rate(step), course.settings.schedule.rate(step, 1000));
        }
        assert_eq!([0, 9].map(|epoch| course.first_position(epoch, 1000)), [0, 0]);
    }

    #[test]
    fn the_share_of_the_result_changes_evenly() {
        let course = course(None);
        let share = |step| course.target(step).result_share;
        assert_eq!((share(0), share(999)), (0.2, 0.4));
        assert!((share(500) - 0.3).abs() < 1e-3);
        assert_eq!(course.validation().map(|target| target.result_share), [0.4, 0.0, 1.0]);
        let constant = Course::new(Settings { result_share: 0.1, ..tiny() }, 100);
        assert_eq!([0, 77, 299].map(|step| constant.target(step).result_share), [0.1; 3]);
    }
}
