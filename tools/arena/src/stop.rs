//! Early end of a match: first in order, then at once.

use std::sync::atomic::{AtomicU8, Ordering};

use thiserror::Error;

/// Error: the match was interrupted before its first game.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("interrupted before the first game")]
pub struct Interrupted;

/// Urgency with which a match is to end, raised by signals and polled by all threads.
#[derive(Default, Debug)]
pub struct Stop(AtomicU8);

/// Level of urgency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopLevel {
    /// Running games are interrupted, and engines receive `quit`.
    Graceful,
    /// Engines are killed; the standing is still written.
    KillEngines,
    /// The process exits immediately.
    Exit,
}

impl Stop {
    /// Raises the urgency by one level, and returns the new level.
    pub fn raise(&self) -> StopLevel {
        match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => StopLevel::Graceful,
            1 => StopLevel::KillEngines,
            _ => StopLevel::Exit,
        }
    }

    /// Whether the match is to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether engines are killed, so that their games do not count.
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }
}
