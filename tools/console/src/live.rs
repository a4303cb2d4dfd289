//! What is told while work goes on: a live bar for who watches, a line now and then for a file.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(500);

/// A line that tells how far a piece of work is; threads may share it.
pub struct Live {
    bar: Option<ProgressBar>,
    /// How often a line is said where there is no bar.
    interval: Duration,
    started: Instant,
    last: Mutex<Instant>,
}

impl Live {
    /// Of work that has `wanted` parts.
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

    /// How long the work has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says a line that stays.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// So many parts are done; `text` says it of the time elapsed, if it is time to say it.
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

    /// The work is over: only what was said as a line stays.
    pub fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says a line. Nobody may read it any more: the files are what counts.
pub fn say(text: &str) {
    drop(writeln!(io::stdout(), "{text}"));
}

/// So many a second; none at the very beginning.
pub fn per_second(done: u64, elapsed: Duration) -> f64 {
    if elapsed.is_zero() { 0.0 } else { done as f64 / elapsed.as_secs_f64() }
}

/// How long what is left takes at so many a second.
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
        let mut told = 0;
        let mut asked = |live: &Live| {
            live.at(1, |_| {
                format!("asked {}", {
                    told += 1;
                    told
                })
            })
        };
        let rare = Live { bar: None, ..Live::new(10, Duration::from_secs(3600)) };
        asked(&rare);
        let often = Live { bar: None, ..Live::new(10, Duration::ZERO) };
        asked(&often);
        asked(&often);
        assert_eq!(told, 2);
    }
}
