//! Progress report while tables are solved or checked.

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chuhe_console::live::{Live, per_second, to_go};

/// Progress of a piece of work; several threads may update it.
pub struct Progress {
    live: Live,
    wanted: Wanted,
    done: AtomicU64,
}

/// Amount of work.
#[derive(Clone, Copy)]
struct Wanted {
    placements: u64,
    /// Cost of the work, with slower placements counted more than once.
    effort: u64,
}

impl Progress {
    /// Starts the report; without a terminal, a line is printed at these intervals.
    pub fn new(placements: u64, effort: u64, interval: Duration) -> Self {
        let wanted = Wanted { placements, effort };
        Self { live: Live::new(effort, interval), wanted, done: AtomicU64::new(0) }
    }

    /// Prints a line.
    pub fn line(&self, text: &str) {
        self.live.line(text);
    }

    /// Adds finished effort of the work called `name`.
    pub fn add(&self, effort: u64, name: &impl Display) {
        self.report(self.done.fetch_add(effort, Ordering::Relaxed) + effort, name);
    }

    /// Sets the total of finished effort, of the work called `name`.
    pub fn reach(&self, effort: u64, name: &impl Display) {
        self.report(self.done.fetch_max(effort, Ordering::Relaxed).max(effort), name);
    }

    fn report(&self, done: u64, name: &impl Display) {
        self.live.at(done, |elapsed| format!("{name}: {}", state(done, self.wanted, elapsed)));
    }

    /// Prints the last line.
    pub fn end(self) {
        self.live.line(&state(self.done.into_inner(), self.wanted, self.live.elapsed()));
        self.live.end();
    }
}

fn state(done: u64, Wanted { placements, effort }: Wanted, elapsed: Duration) -> String {
    let share = if effort == 0 { 1.0 } else { done as f64 / effort as f64 };
    let time = match effort.saturating_sub(done) {
        0 => format!("{:.1} s", elapsed.as_secs_f64()),
        left => to_go(left, per_second(done, elapsed)),
    };
    // Slower placements count like others here.
    let speed = per_second((share * placements as f64) as u64, elapsed);
    format!("{:.1} % of {placements} placements, {:.2} M/s, {time}", 100.0 * share, speed / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_share_speed_and_time_to_go() {
        let wanted = |placements, effort| Wanted { placements, effort };
        let report = state(3_000_000, wanted(12_000_000, 12_000_000), Duration::from_secs(2));
        assert_eq!(report, "25.0 % of 12000000 placements, 1.50 M/s, 6 seconds to go");
        let report = state(30_000_000, wanted(12_000_000, 120_000_000), Duration::from_secs(20));
        assert_eq!(report, "25.0 % of 12000000 placements, 0.15 M/s, 60 seconds to go");
        assert_eq!(state(0, wanted(0, 0), Duration::ZERO), "100.0 % of 0 placements, 0.00 M/s, 0.0 s");
        let all = state(10, wanted(10, 10), Duration::from_secs(4));
        assert_eq!(all, "100.0 % of 10 placements, 0.00 M/s, 4.0 s");
    }
}
