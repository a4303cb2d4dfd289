//! The phases of the engine: boot, idle, and each kind of search.

use std::time::Duration;

use crate::board::Side;
use crate::engine::count::Count;
use crate::engine::ongoing::{Choice, Ongoing};

/// Together with an event it decides what happens next, see `machine.rs`.
#[derive(Debug)]
pub(super) enum Phase {
    /// Nobody has asked for our protocol yet; nothing may be said.
    Boot,
    /// Waiting for orders.
    Idle,
    /// The answer goes out as soon as the workers have ended.
    Thinking(Ongoing),
    /// On the opponent's time: the answer waits for `ponderhit` or `stop`.
    Pondering(Ongoing),
    /// The workers have ended too early: the answer is known and waits for `stop`, or for `ponderhit` as well.
    Holding {
        /// None: there is no move to play.
        choice: Option<Choice>,
        hit_is_enough: bool,
    },
    /// Leaves are counted, no answer is looked for.
    Counting(Count),
    /// Nobody has asked for it, see `musing.rs`; to the user the engine is idle.
    Musing(Ongoing),
}

impl Phase {
    /// The search under way.
    pub(super) fn search(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) | Self::Musing(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) => None,
        }
    }

    /// The same if the user waits for what it finds.
    pub(super) fn search_asked_for(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Counting(_) | Self::Musing(_) => None,
        }
    }
}

/// A game of a person against the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    /// The engine's side.
    pub(super) side: Side,
    /// For each of its moves.
    pub(super) time: Duration,
    /// The search under way is for the engine's next move.
    pub(super) is_thinking: bool,
}
