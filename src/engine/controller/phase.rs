//! Phases of the engine: boot, idle, and each kind of search.

use std::time::Duration;

use crate::board::Side;
use crate::engine::active::ActiveSearch;
use crate::engine::choice::Choice;
use crate::engine::count::Count;

/// Phase of the engine. Together with an event it decides what happens next.
#[derive(Debug)]
pub(super) enum Phase {
    /// No protocol has been chosen yet; nothing may be said.
    Boot,
    /// Waiting for commands.
    Idle,
    /// Searching; the answer is sent as soon as the workers have ended.
    Thinking(ActiveSearch),
    /// Searching on the opponent's time; the answer waits for `ponderhit` or `stop`.
    Pondering(ActiveSearch),
    /// The workers have ended; the answer waits for `stop`, or for `ponderhit` as well.
    Holding {
        /// `None` if there is no move to play.
        choice: Option<Choice>,
        hit_is_enough: bool,
    },
    /// Counting leaves (perft).
    Counting(Count),
    /// Pondering without having been asked to; for the user, the engine is idle.
    AutoPonder(ActiveSearch),
}

impl Phase {
    /// Returns the active search.
    pub(super) fn search(&mut self) -> Option<&mut ActiveSearch> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) | Self::AutoPonder(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) => None,
        }
    }

    /// Returns the active search, if the user has asked for it.
    pub(super) fn requested_search(&mut self) -> Option<&mut ActiveSearch> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) | Self::AutoPonder(_) => None,
        }
    }
}

/// A game of the user at a terminal against the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    /// The engine's side.
    pub(super) side: Side,
    /// Time for each of its moves.
    pub(super) time: Duration,
    /// Whether the active search is for the engine's next move.
    pub(super) is_thinking: bool,
}
