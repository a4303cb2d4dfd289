//! A position on the command line: a FEN or `startpos`, and moves from there.

use anyhow::{Context, Result};
use chuhe::board::{Move, Position};
use chuhe::notation::read_any;
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
        let mut position = read_fen(&self.fen)?;
        for text in &self.moves {
            position = position.play(read_move(&position, text)?);
        }
        Ok(position)
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
