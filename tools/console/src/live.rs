//! Progress of long work: a live bar on a terminal, an occasional line in a file.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Interval at which the bar is drawn.
const TICK: Duration = Duration::from_millis(500);

/// A progress display, which threads may share.
pub struct Live {
    bar: Option<ProgressBar>,
    /// Minimum interval between two lines if there is no bar.
    interval: Duration,
    started: Instant,
    last: Mutex<Instant>,
}

impl Live {
    /// Starts a display for work of `wanted` parts.
    pub fn new(wanted: u64, interval: Duration) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(wanted);
            bar.set_style(ProgressStyle::with_template("{bar:20} {msg}").expect("a template without faults"));
            bar.enable_steady_tick(TICK);
            bar
        });
        let now = Instant::now();
        Self { bar, interval, started: now, last: Mutex::new(now) }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Prints a line that stays.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Shows that `done` parts are done, with the text for the elapsed time; without a bar at most one line per interval.
    pub fn at(&self, done: u64, text: impl FnOnce(Duration) -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text(self.elapsed()));
        } else if let Ok(mut last) = self.last.try_lock()
            && last.elapsed() >= self.interval
        {
            *last = Instant::now();
            say(&text(self.elapsed()));
        }
    }

    /// Removes the bar; printed lines stay.
    pub fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints a line. Errors are ignored: the files are what counts.
pub fn say(text: &str) {
    drop(writeln!(io::stdout(), "{text}"));
}

/// Returns the number per second; 0 at the very beginning.
pub fn per_second(done: u64, elapsed: Duration) -> f64 {
    if elapsed.is_zero() { 0.0 } else { done as f64 / elapsed.as_secs_f64() }
}

/// Returns the remaining time of `left` parts at this speed, as text.
pub fn to_go(left: u64, speed: f64) -> String {
    match Duration::try_from_secs_f64(left as f64 / speed) {
        _ if left == 0 => "done".to_owned(),
        Ok(time) => format!("{} to go", HumanDuration(time)),
        Err(_) => "time to go unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_and_time_to_go_are_those_of_the_work_so_far() {
        let speed = per_second(1000, Duration::from_secs(10));
        assert_eq!(speed, 100.0);
        assert_eq!(to_go(3000, speed), "30 seconds to go");
        assert_eq!(to_go(0, speed), "done");
        assert_eq!(to_go(3000, per_second(0, Duration::ZERO)), "time to go unknown");
    }

    #[test]
    fn without_a_terminal_it_speaks_when_it_is_time() {
        let mut calls = 0;
        let mut asked = |live: &Live| {
            live.at(1, |_| {
                format!("asked {}", {
                    calls += 1;
                    calls
                })
            })
        };
        let rare = Live { bar: None, ..Live::new(10, Duration::from_secs(3600)) };
        asked(&rare);
        let often = Live { bar: None, ..Live::new(10, Duration::ZERO) };
        asked(&often);
        asked(&often);
        assert_eq!(calls, 2);
    }
}
