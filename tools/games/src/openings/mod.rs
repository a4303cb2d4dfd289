//! Where games begin.

mod book;
mod fault;
mod pgn;
pub mod read;

use chuhe::board::{Move, Position};

/// A position from which the engines think for themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// Where it begins.
    pub start: Position,
    /// What is played from there.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The beginning of the game.
    pub fn start() -> Self {
        Self { name: None, start: Position::start(), moves: Vec::new() }
    }

    /// Where it leads.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.play(mv))
    }
}
