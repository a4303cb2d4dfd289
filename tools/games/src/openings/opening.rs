//! One opening of a game.

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position};

/// Moves to the position from which the engines search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Name, if the opening has one.
    pub name: Option<String>,
    /// Position before the first move.
    pub start: Position,
    /// Moves from there.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Returns the starting position without moves.
    pub fn start() -> Self {
        Self { name: None, start: Position::start(), moves: Vec::new() }
    }

    /// Checks that the game can go on.
    ///
    /// # Errors
    /// If the position after the moves has no legal move.
    pub fn check(&self) -> Result<()> {
        let position = self.position();
        ensure!(position.has_legal_move(), "{} has no legal move", position.to_fen());
        Ok(())
    }

    /// Returns the position after the moves.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.play(mv))
    }
}
