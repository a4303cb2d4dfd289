//! Measured latency of answers, and how much of a clock is kept for it. Pure: the caller watches the clock.
//!
//! On a machine with more to do than processors, every thread between a line and its answer waits for its time slice.
//! This cannot be predicted, but it can be measured, and it lasts.

use std::time::Duration;

/// Number of answers remembered.
const REMEMBERED: usize = 8;
/// Tolerated latency: every machine is this late now and then, which the user's overhead covers.
const TOLERATED: Duration = Duration::from_millis(5);

/// Latency of the last answers.
#[derive(Clone, Default, Debug)]
pub struct Lateness {
    delays: [Duration; REMEMBERED],
    /// Index of the oldest delay.
    oldest: usize,
}

impl Lateness {
    /// Records an answer that came `delay` after it was due.
    pub fn observe(&mut self, delay: Duration) {
        self.delays[self.oldest] = delay;
        self.oldest = (self.oldest + 1) % REMEMBERED;
    }

    /// Returns the latency to expect of the next answer, beyond the tolerated one; zero on a quiet machine.
    ///
    /// The largest remembered delay does not count: one hiccup is chance, two are a busy machine.
    pub fn expected(&self) -> Duration {
        let mut delays = self.delays;
        delays.sort_unstable();
        delays[REMEMBERED - 2].saturating_sub(TOLERATED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(delays: &[u64]) -> Duration {
        let mut lateness = Lateness::default();
        delays.iter().for_each(|&delay| lateness.observe(Duration::from_millis(delay)));
        lateness.expected()
    }

    #[test]
    fn a_quiet_machine_and_a_single_hiccup_cost_nothing() {
        assert_eq!(after(&[]), Duration::ZERO);
        assert_eq!(after(&[1, 0, 2, 4, 5, 1, 3, 0, 2]), Duration::ZERO);
        assert_eq!(after(&[1, 400, 2]), Duration::ZERO);
    }

    #[test]
    fn what_has_happened_twice_is_expected_again() {
        assert_eq!(after(&[35, 0, 85]), Duration::from_millis(30));
        assert_eq!(after(&[35, 0, 85, 65]), Duration::from_millis(60));
    }

    #[test]
    fn it_is_forgotten_when_answers_are_in_time_again() {
        let busy = [50; 20];
        assert_eq!(after(&busy), Duration::from_millis(45));
        let quiet: Vec<u64> = busy.into_iter().chain([1; REMEMBERED - 1]).collect();
        assert_eq!(after(&quiet), Duration::ZERO);
    }
}
