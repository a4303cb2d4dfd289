//! What is told while work goes on: a live bar for who watches, a line now and then for a file.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// How far a piece of work is, in placements; threads may add to it.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// How often a line is said where there is no bar.
    interval: Duration,
    started: Instant,
    last: Mutex<Instant>,
    wanted: u64,
    passes: u64,
    /// In all passes together.
    done: AtomicU64,
}

impl Progress {
    /// Of `wanted` placements, each of which counts so many times, nothing is done.
    pub fn new(wanted: u64, passes: u64, interval: Duration) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(wanted);
            bar.set_style(ProgressStyle::with_template("{bar:20} {msg}").expect("a template without faults"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Self { bar, interval, started: now, last: Mutex::new(now), wanted, passes, done: AtomicU64::new(0) }
    }

    /// Says a line.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// So many more are done, of what is called `name`.
    pub fn add(&self, placements: u64, name: &str) {
        let done = (self.done.fetch_add(placements, Ordering::Relaxed) + placements) / self.passes;
        let text = || format!("{name}: {}", state(done, self.wanted, self.started.elapsed()));
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text());
        } else if let Ok(mut last) = self.last.try_lock()
            && last.elapsed() >= self.interval
        {
            *last = Instant::now();
            say(&text());
        }
    }

    /// Says the last line.
    pub fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say(&state(self.done.into_inner() / self.passes, self.wanted, self.started.elapsed()));
    }
}

/// Nobody reads it any more: the files are what counts.
fn say(text: &str) {
    drop(writeln!(io::stdout(), "{text}"));
}

fn state(done: u64, wanted: u64, elapsed: Duration) -> String {
    let speed = if elapsed.is_zero() { 0.0 } else { done as f64 / elapsed.as_secs_f64() };
    let share = if wanted == 0 { 100.0 } else { 100.0 * done as f64 / wanted as f64 };
    let left = wanted.saturating_sub(done);
    let time = match Duration::try_from_secs_f64(left as f64 / speed) {
        Ok(time) if left > 0 => format!("{} to go", HumanDuration(time)),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
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
