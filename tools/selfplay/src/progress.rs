//! What is told while games are made: a live bar for who watches, a line now and then for a file.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::game::{Game, GameResult};
use crate::tally::{Digest, Tally, percent, ratio};

/// How far a run is.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// How often a line is said where there is no bar.
    interval: Duration,
    started: Instant,
    last: Instant,
    state: State,
}

/// What the line is about.
#[derive(Clone, Default, Debug)]
struct State {
    /// Games that are finished, of this process or earlier ones.
    done: u64,
    /// Games that are wanted.
    wanted: u64,
    /// What this process has made.
    tally: Tally,
}

impl Progress {
    /// Of `wanted` games, `done` are finished already.
    pub fn new(done: u64, wanted: u64, interval: Duration) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(wanted);
            bar.set_style(ProgressStyle::with_template("{bar:20} {msg}").expect("a template without faults"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Self { bar, interval, started: now, last: now, state: State { done, wanted, tally: Tally::default() } }
    }

    /// Says a line.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Games that an earlier process has left in a journal.
    pub fn found(&mut self, games: u64) {
        self.state.done += games;
    }

    /// A game is finished.
    pub fn add(&mut self, game: &Game, digest: &Digest) {
        self.state.done += 1;
        self.state.tally.add(game, digest);
    }

    /// Time has passed.
    pub fn tick(&mut self) {
        let text = || self.state.line(self.started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_position(self.state.done);
            bar.set_message(text());
        } else if self.last.elapsed() >= self.interval {
            say(&text());
            self.last = Instant::now();
        }
    }

    /// Says the last line.
    pub fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say(&self.state.line(self.started.elapsed()));
    }
}

/// Nobody reads it any more: the games are what counts.
fn say(text: &str) {
    drop(writeln!(io::stdout(), "{text}"));
}

impl State {
    fn line(&self, elapsed: Duration) -> String {
        let Self { done, wanted, tally } = self;
        let per_second = |count: u64| if elapsed.is_zero() { 0.0 } else { count as f64 / elapsed.as_secs_f64() };
        let speed = per_second(tally.games);
        let left = wanted.saturating_sub(*done);
        let time = Duration::try_from_secs_f64(left as f64 / speed).ok();
        format!(
            "{done}/{wanted} games, {speed:.2}/s | {:.0} usable/s, {:.1} % unique | {:.1} % draws | {:.1} plies | {:.0} nodes \
             a move | {}",
            per_second(tally.usable),
            100.0 * tally.unique_share(),
            percent(tally.with_result(GameResult::Draw), tally.games),
            ratio(tally.plies, tally.games),
            ratio(tally.nodes, tally.positions),
            match time {
                _ if left == 0 => "done".to_owned(),
                Some(time) => format!("{} to go", HumanDuration(time)),
                None => "time to go unknown".to_owned(),
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::game;

    #[test]
    fn the_line_says_how_far_and_how_fast() {
        let mut state = State { done: 20, wanted: 120, tally: Tally::default() };
        assert!(state.line(Duration::ZERO).ends_with("time to go unknown"));
        let game = game("h2e2", &[("h7e7", -20), ("e2e6", 31), ("d9e8", -90)]);
        for _ in 0..20 {
            state.tally.add(&game, &Digest::of(&game));
        }
        assert_eq!(
            state.line(Duration::from_secs(10)),
            "20/120 games, 2.00/s | 2 usable/s, 5.0 % unique | 100.0 % draws | 4.0 plies | 33 nodes a move | 50 seconds to go"
        );
        state.done = 120;
        assert!(state.line(Duration::from_secs(10)).ends_with("| done"));
    }
}
