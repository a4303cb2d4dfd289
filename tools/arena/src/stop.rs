//! Whoever wants a match to end before its time: first in order, then at once.

use std::sync::atomic::{AtomicU8, Ordering};

use thiserror::Error;

/// Nothing was played: somebody wanted it to end before.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("interrupted before the first game")]
pub struct Interrupted;

/// How urgently a match shall end. Signals raise it, everybody may look.
#[derive(Default, Debug)]
pub struct Stop(AtomicU8);

/// A wish to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Running games are broken off, engines are told to quit.
    InOrder,
    /// Engines are killed; the standing is written nevertheless.
    AtOnce,
    /// Even that takes too long.
    Whatever,
}

impl Stop {
    /// Wishes more urgently than before; how urgently that is.
    pub fn raise(&self) -> Wish {
        match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => Wish::InOrder,
            1 => Wish::AtOnce,
            _ => Wish::Whatever,
        }
    }

    /// Whether the match shall end.
    pub fn is_wished(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether engines are killed: what they lose by that does not count.
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }
}
