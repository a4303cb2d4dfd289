//! Progress report of a training run.

use std::time::Duration;

use chuhe_console::live::{Live, per_second, to_go};

/// Interval between two lines, without a terminal.
const INTERVAL: Duration = Duration::from_secs(30);

/// Progress of a training run, in positions.
pub struct Progress {
    live: Live,
    before: u64,
    wanted: u64,
}

impl Progress {
    /// Starts the report with `done` of `wanted` positions finished, over all epochs.
    pub fn new(done: u64, wanted: u64) -> Self {
        Self { live: Live::new(wanted, INTERVAL), before: done, wanted }
    }

    /// Prints a line.
    pub fn line(&self, text: &str) {
        self.live.line(text);
    }

    /// Reports `done` finished positions and the recent `loss`.
    pub fn at(&self, done: u64, loss: f64) {
        self.live.at(done, |_| format!("loss {loss:.5}, {}", self.pace(done)));
    }

    /// Formats the speed and the remaining time.
    pub fn pace(&self, done: u64) -> String {
        pace(done - self.before, self.wanted - done, self.live.elapsed())
    }

    /// Ends the report.
    pub fn end(self) {
        self.live.end();
    }
}

fn pace(done: u64, left: u64, elapsed: Duration) -> String {
    let speed = per_second(done, elapsed);
    format!("{speed:.0} positions/s, {}", to_go(left, speed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_says_how_long_the_rest_takes() {
        assert_eq!(pace(1000, 3000, Duration::from_secs(10)), "100 positions/s, 30 seconds to go");
        assert_eq!(pace(1000, 0, Duration::from_secs(10)), "100 positions/s, done");
        assert_eq!(pace(0, 3000, Duration::ZERO), "0 positions/s, time to go unknown");
    }
}
