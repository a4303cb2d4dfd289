//! What is told while tables are solved or checked.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chuhe_console::live::{Live, per_second, to_go};

/// How far a piece of work is, in placements; threads may add to it.
pub struct Progress {
    live: Live,
    wanted: u64,
    passes: u64,
    /// In all passes together.
    done: AtomicU64,
}

impl Progress {
    /// Of `wanted` placements, each of which counts so many times, nothing is done; where there is no bar, a line is said in
    /// such intervals.
    pub fn new(wanted: u64, passes: u64, interval: Duration) -> Self {
        Self { live: Live::new(wanted, interval), wanted, passes, done: AtomicU64::new(0) }
    }

    /// Says a line.
    pub fn line(&self, text: &str) {
        self.live.line(text);
    }

    /// So many more are done, of what is called `name`.
    pub fn add(&self, placements: u64, name: &str) {
        let done = (self.done.fetch_add(placements, Ordering::Relaxed) + placements) / self.passes;
        self.live.at(done, |elapsed| format!("{name}: {}", state(done, self.wanted, elapsed)));
    }

    /// Says the last line.
    pub fn end(self) {
        self.live.line(&state(self.done.into_inner() / self.passes, self.wanted, self.live.elapsed()));
        self.live.end();
    }
}

fn state(done: u64, wanted: u64, elapsed: Duration) -> String {
    let speed = per_second(done, elapsed);
    let share = if wanted == 0 { 100.0 } else { 100.0 * done as f64 / wanted as f64 };
    let time = match wanted.saturating_sub(done) {
        0 => format!("{:.1} s", elapsed.as_secs_f64()),
        left => to_go(left, speed),
    };
    format!("{share:.1} % of {wanted} placements, {:.2} M/s, {time}", speed / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_share_speed_and_time_to_go() {
        let told = state(3_000_000, 12_000_000, Duration::from_secs(2));
        assert_eq!(told, "25.0 % of 12000000 placements, 1.50 M/s, 6 seconds to go");
        assert_eq!(state(0, 0, Duration::ZERO), "100.0 % of 0 placements, 0.00 M/s, 0.0 s");
        assert_eq!(state(10, 10, Duration::from_secs(4)), "100.0 % of 10 placements, 0.00 M/s, 4.0 s");
    }
}
