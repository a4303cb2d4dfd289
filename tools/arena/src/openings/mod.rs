//! Where games begin.

mod pgn;
pub mod read;

use chuhe::board::Position;

/// A position from which the engines think for themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// Where it leads.
    pub position: Position,
}

impl Opening {
    /// The beginning of the game.
    pub fn start() -> Self {
        Self { name: None, position: Position::start() }
    }
}
