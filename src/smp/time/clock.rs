//! Inputs of time management: the clocks when a move is asked for, and what they lose besides.

use std::time::Duration;

/// Clocks at the beginning of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Own remaining time.
    pub remaining: Duration,
    /// Period for which the remaining time has to last.
    pub horizon: Horizon,
    /// Remaining time of the opponent, if known.
    pub opponent: Option<Duration>,
}

/// Period for which the remaining time has to last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// This move alone.
    ThisMove,
    /// The rest of the game, with this increment after every move.
    Game(Duration),
    /// A number of moves, this one included, with an increment after each.
    Moves {
        /// Moves until the clock is refilled.
        moves: u32,
        /// Increment added after every move.
        increment: Duration,
    },
}

/// Circumstances of a move beside the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Circumstances {
    /// Overhead: time lost on every move between user and engine.
    pub overhead: Duration,
    /// Latency: time lost besides on a machine that is busy with other things; zero on a quiet one.
    pub lateness: Duration,
    /// Whether the user lets the engine ponder: time spent is partly won back.
    pub ponder: bool,
    /// Number of the move to be made, 1 at the start of a game.
    pub move_number: u16,
}

impl Circumstances {
    /// Returns the time that every move loses: overhead and latency.
    pub(super) fn lost(&self) -> Duration {
        self.overhead.saturating_add(self.lateness)
    }
}
