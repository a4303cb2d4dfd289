//! A position on the command line: a FEN or `startpos`, and moves from there.

use anyhow::{Context, Result};
use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, read_any, write};
use clap::Args;

/// Where to look.
#[derive(Args)]
pub(super) struct PositionArguments {
    /// Where to begin
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Moves from there, in ICCS, WXF or Chinese notation
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

impl PositionArguments {
    pub(super) fn read(&self) -> Result<Position> {
        Ok(self.line(Notation::Iccs)?.1)
    }

    /// Where the moves begin.
    pub(super) fn start(&self) -> Result<Position> {
        read_fen(&self.fen)
    }

    /// Whether nothing was said.
    pub(super) fn is_default(&self) -> bool {
        self.fen == "startpos" && self.moves.is_empty()
    }

    /// The moves as this notation writes them, and where they lead.
    pub(super) fn line(&self, notation: Notation) -> Result<(Vec<String>, Position)> {
        let mut position = self.start()?;
        let mut line = vec![];
        for text in &self.moves {
            let mv = read_move(&position, text)?;
            line.push(write(&position, mv, notation));
            position = position.play(mv);
        }
        Ok((line, position))
    }
}

/// `startpos` or a FEN.
pub(super) fn read_fen(text: &str) -> Result<Position> {
    if text == "startpos" {
        return Ok(Position::start());
    }
    Position::from_fen(text).with_context(|| format!("{text:?} is not a position"))
}

/// A legal move in any notation.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move> {
    read_any(position, text).with_context(|| format!("in {}", position.to_fen()))
}
