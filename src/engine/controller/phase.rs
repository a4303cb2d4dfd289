//! The phases of the engine: boot, idle, and each kind of search.

use std::time::Duration;

use crate::board::Side;
use crate::engine::count::Count;
use crate::engine::ongoing::{Choice, Ongoing};

/// Phase of the engine: together with an event it decides what happens next (`machine.rs`).
#[derive(Debug)]
pub(super) enum Phase {
    /// Before the handshake; nothing may be printed yet.
    Boot,
    /// Waiting for commands.
    Idle,
    /// Searching: the answer goes out as soon as the workers have ended.
    Thinking(Ongoing),
    /// Pondering on the opponent's time: the answer waits for `ponderhit` or `stop`.
    Pondering(Ongoing),
    /// Workers have ended early: the answer is known and waits for `stop`, or for `ponderhit` as well.
    Holding {
        /// `None` if there is no move to play.
        choice: Option<Choice>,
        hit_is_enough: bool,
    },
    /// Counting leaves (perft), without a search.
    Counting(Count),
    /// Auto-ponder (`musing.rs`); to the user the engine is idle.
    Musing(Ongoing),
}

impl Phase {
    /// Returns the running search.
    pub(super) fn search(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) | Self::Musing(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) => None,
        }
    }

    /// Returns the running search if the user waits for its result.
    pub(super) fn search_asked_for(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) | Self::Musing(_) => None,
        }
    }
}

/// A game between a user at a terminal and the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    /// The engine's side.
    pub(super) side: Side,
    /// Time of the engine for each move.
    pub(super) time: Duration,
    /// Whether the running search is for the engine's next move.
    pub(super) is_thinking: bool,
}
