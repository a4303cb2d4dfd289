//! Progress reports while games are generated.

use std::time::Duration;

use chuhe_console::live::{Live, per_second, to_go};
use chuhe_games::game::Outcome;

use crate::game::{Game, Use};
use crate::tally::{Digest, Tally, percent, ratio};

/// Progress of a run.
pub struct Progress {
    live: Live,
    state: State,
}

/// State shown in the progress line.
#[derive(Clone, Default, Debug)]
struct State {
    /// Number of finished games, of this process and earlier ones.
    done: u64,
    /// Number of games requested.
    wanted: u64,
    /// Counts of the games made by this process.
    tally: Tally,
}

impl Progress {
    /// Creates the progress of a run in which `done` of `wanted` games exist already.
    ///
    /// Without a progress bar, a line is printed once per `interval`.
    pub fn new(done: u64, wanted: u64, interval: Duration) -> Self {
        Self { live: Live::new(wanted, interval), state: State { done, wanted, tally: Tally::default() } }
    }

    /// Prints a line.
    pub fn line(&self, text: &str) {
        self.live.line(text);
    }

    /// Adds games found in the journal of an earlier process.
    pub fn found(&mut self, games: u64) {
        self.state.done += games;
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &Game, digest: &Digest) {
        self.state.done += 1;
        self.state.tally.add(game, digest);
    }

    /// Updates the progress line.
    pub fn tick(&self) {
        self.live.at(self.state.done, |elapsed| self.state.line(elapsed));
    }

    /// Prints the final line.
    pub fn end(self) {
        self.live.line(&self.state.line(self.live.elapsed()));
        self.live.end();
    }
}

impl State {
    fn line(&self, elapsed: Duration) -> String {
        let Self { done, wanted, tally } = self;
        let speed = per_second(tally.games, elapsed);
        format!(
            "{done}/{wanted} games, {speed:.2}/s | {:.0} usable/s, {:.1} % unique | {:.1} % draws | {:.1} plies | {:.0} nodes \
             a move | {}",
            per_second(tally.with_use(Use::Usable), elapsed),
            100.0 * tally.unique_share(),
            percent(tally.with_result(Outcome::Drawn), tally.games),
            ratio(tally.plies, tally.games),
            ratio(tally.nodes, tally.positions),
            to_go(wanted.saturating_sub(*done), speed)
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
