//! A position on the command line: a FEN or `startpos`, and moves from there.

use anyhow::{Context, Result};
use chuhe::board::{Move, Position};
use chuhe::notation::{Notation, read_any, write};
use clap::Args;

/// The word for the position at the start of a game.
const START: &str = "startpos";

/// Position to show.
#[derive(Args)]
pub(super) struct PositionArguments {
    /// Position to begin with; `moves` and some may follow it, as in a position command
    #[arg(long, value_name = "FEN", default_value = START)]
    fen: String,
    /// Moves from there, in ICCS, WXF or Chinese notation; `startpos` and `moves` may precede them
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

impl PositionArguments {
    pub(super) fn read(&self) -> Result<Position> {
        Ok(self.line(Notation::Iccs)?.1)
    }

    /// Returns the position before the moves.
    pub(super) fn start(&self) -> Result<Position> {
        read_fen(self.parts().0)
    }

    /// Returns the position, and the moves that follow it in the same text.
    fn parts(&self) -> (&str, &str) {
        self.fen.split_once(" moves").unwrap_or((&self.fen, ""))
    }

    /// Returns the moves that stand alone, without the words of a position command before them.
    fn moves(&self) -> impl Iterator<Item = &str> {
        let mut words = self.moves.iter().map(String::as_str).peekable();
        if self.fen == START && words.next_if_eq(&START).is_some() {
            words.next_if_eq(&"moves");
        }
        words
    }

    /// Whether neither option was given.
    pub(super) fn is_default(&self) -> bool {
        self.fen == START && self.moves.is_empty()
    }

    /// Returns the moves in this notation, and the position after them.
    pub(super) fn line(&self, notation: Notation) -> Result<(Vec<String>, Position)> {
        let mut position = self.start()?;
        let mut line = vec![];
        for text in self.parts().1.split_whitespace().chain(self.moves()) {
            let mv = read_move(&position, text)?;
            line.push(write(&position, mv, notation));
            position = position.play(mv);
        }
        Ok((line, position))
    }
}

/// Parses `startpos` or a FEN.
pub(super) fn read_fen(text: &str) -> Result<Position> {
    if text == START {
        return Ok(Position::start());
    }
    Position::from_fen(text).with_context(|| format!("{text:?} is not a position"))
}

/// Parses a legal move in any notation.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move> {
    read_any(position, text).with_context(|| format!("in {}", position.to_fen()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_may_stand_behind_the_position() {
        let arguments = |fen: &str, moves: &[&str]| PositionArguments {
            fen: fen.to_owned(),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
        };
        let apart = arguments("startpos", &["h2e2", "h9g7"]);
        for together in [arguments("startpos moves h2e2", &["h9g7"]), arguments("startpos moves h2e2 h9g7", &[])] {
            assert_eq!(together.read().unwrap(), apart.read().unwrap());
            assert_eq!(together.start().unwrap(), Position::start());
        }
        for command in [&["startpos", "h2e2", "h9g7"][..], &["startpos", "moves", "h2e2", "h9g7"]] {
            assert_eq!(arguments("startpos", command).read().unwrap(), apart.read().unwrap());
        }
        assert!(arguments("startpos moves h2h2", &[]).read().is_err());
        assert!(arguments("startpos", &["h2e2", "startpos"]).read().is_err());
    }
}
