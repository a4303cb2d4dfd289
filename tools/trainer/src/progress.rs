//! What is told while a network learns: a live bar for who watches, a line now and then for a file.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// How often a line is said where there is no bar.
const INTERVAL: Duration = Duration::from_secs(30);

/// How far learning is, in positions.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last: Instant,
    before: u64,
    wanted: u64,
}

impl Progress {
    /// Of `wanted` positions, all epochs counted, `done` are learnt already.
    pub fn new(done: u64, wanted: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(wanted);
            bar.set_style(ProgressStyle::with_template("{bar:30} {msg}").expect("a template without faults"));
            bar
        });
        let now = Instant::now();
        Self { bar, started: now, last: now, before: done, wanted }
    }

    /// Says a line.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// So many positions are learnt; `loss` is that of late.
    pub fn at(&mut self, done: u64, loss: f64) {
        let text =
            || format!("loss {loss:.5}, {}", pace(done - self.before, self.wanted - done, self.started.elapsed()));
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text());
        } else if self.last.elapsed() >= INTERVAL {
            say(&text());
            self.last = Instant::now();
        }
    }

    /// The speed, and how long the rest will take.
    pub fn pace(&self, done: u64) -> String {
        pace(done - self.before, self.wanted - done, self.started.elapsed())
    }

    /// It is over.
    pub fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Nobody reads it any more: the file is what counts.
fn say(text: &str) {
    drop(writeln!(io::stdout(), "{text}"));
}

fn pace(learnt: u64, left: u64, elapsed: Duration) -> String {
    let speed = if elapsed.is_zero() { 0.0 } else { learnt as f64 / elapsed.as_secs_f64() };
    let rest = match Duration::try_from_secs_f64(left as f64 / speed) {
        _ if left == 0 => "done".to_owned(),
        Ok(time) => format!("{} to go", HumanDuration(time)),
        Err(_) => "time to go unknown".to_owned(),
    };
    format!("{speed:.0} positions/s, {rest}")
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
