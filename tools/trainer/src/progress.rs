//! What is told while a network learns.

use std::time::Duration;

use chuhe_console::live::{Live, per_second, to_go};

/// How often a line is said where there is no bar.
const INTERVAL: Duration = Duration::from_secs(30);

/// How far learning is, in positions.
pub struct Progress {
    live: Live,
    before: u64,
    wanted: u64,
}

impl Progress {
    /// Of `wanted` positions, all epochs counted, `done` are learnt already.
    pub fn new(done: u64, wanted: u64) -> Self {
        Self { live: Live::new(wanted, INTERVAL), before: done, wanted }
    }

    /// Says a line.
    pub fn line(&self, text: &str) {
        self.live.line(text);
    }

    /// So many positions are learnt; `loss` is that of late.
    pub fn at(&self, done: u64, loss: f64) {
        self.live.at(done, |_| format!("loss {loss:.5}, {}", self.pace(done)));
    }

    /// The speed, and how long the rest will take.
    pub fn pace(&self, done: u64) -> String {
        pace(done - self.before, self.wanted - done, self.live.elapsed())
    }

    /// It is over.
    pub fn end(self) {
        self.live.end();
    }
}

fn pace(learnt: u64, left: u64, elapsed: Duration) -> String {
    let speed = per_second(learnt, elapsed);
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
