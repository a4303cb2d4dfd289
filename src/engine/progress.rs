//! Throttle of reports from inside an iteration: simple clients cannot cope with more.

use std::time::{Duration, Instant};

/// Minimum age of a search at its first report.
const FIRST: Duration = Duration::from_secs(1);
/// Minimum interval between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// Limits the rate of reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throttle {
    /// Earliest time of the next report.
    next: Instant,
}

impl Throttle {
    /// Creates the throttle of a search that was requested at `start`.
    pub(super) fn since(start: Instant) -> Self {
        Self { next: start + FIRST }
    }

    /// Whether a report at `now` passes; if so, the next one has to wait.
    pub(super) fn admits(&mut self, now: Instant) -> bool {
        let passes = now >= self.next;
        if passes {
            self.next = now + INTERVAL;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_report_waits_a_second_and_ten_pass_in_each_that_follows() {
        let start = Instant::now();
        let mut throttle = Throttle::since(start);
        let mut passed = |milliseconds: std::ops::Range<u64>| {
            milliseconds.filter(|&ms| throttle.admits(start + Duration::from_millis(ms))).count()
        };
        assert_eq!((passed(0..1000), passed(1000..2000), passed(2000..3000)), (0, 10, 10));
        assert_eq!((passed(60_000..60_001), passed(60_001..60_100), passed(60_100..60_101)), (1, 0, 1));
    }
}
