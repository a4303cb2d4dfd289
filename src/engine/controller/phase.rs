//! What the engine is doing, and what waits until it is done.

use std::time::Duration;

use crate::board::Side;
use crate::engine::event::Event;
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
    /// Nobody has asked for it, see `musing.rs`; to the user the engine is idle.
    Musing(Ongoing),
}

impl Phase {
    /// The search under way.
    pub(super) fn search(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) | Self::Musing(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } => None,
        }
    }

    /// The same if the user waits for what it finds.
    pub(super) fn search_asked_for(&mut self) -> Option<&mut Ongoing> {
        match self {
            Self::Thinking(search) | Self::Pondering(search) => Some(search),
            Self::Boot | Self::Idle | Self::Holding { .. } | Self::Musing(_) => None,
        }
    }
}

/// Input that is not due yet.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) event: Event,
    /// It waits for its turn in batch mode, so its time begins when that comes; otherwise its clock runs already.
    pub(super) for_its_turn: bool,
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
