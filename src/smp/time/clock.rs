//! What is known when a move is asked for: the clocks, and what they lose besides.

use std::time::Duration;

/// The clocks when it is our turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What we have left.
    pub remaining: Duration,
    /// How it goes on.
    pub horizon: Horizon,
    /// What the opponent has left, if we know.
    pub opponent: Option<Duration>,
}

/// What the remaining time has to last for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// This move alone.
    ThisMove,
    /// The rest of the game; so much is added after every move.
    Game(Duration),
    /// So many moves, this one included; after every one of them something may be added besides.
    Moves {
        /// Until the clock is refilled.
        moves: u32,
        /// Added after every move.
        increment: Duration,
    },
}

/// What else matters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Circumstances {
    /// Lost on every move between the user and us.
    pub overhead: Duration,
    /// Lost besides on a machine that is busy with other things; zero on a quiet one.
    pub lateness: Duration,
    /// The user ponders with us: time spent is partly won back.
    pub ponder: bool,
    /// The number of the move to be made, 1 at the start of a game.
    pub move_number: u16,
}

impl Circumstances {
    /// What every move loses.
    pub(super) fn lost(&self) -> Duration {
        self.overhead.saturating_add(self.lateness)
    }
}
