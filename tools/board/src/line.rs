//! A position as requests name it: a start and the moves from there.

use chuhe::board::{Move, Position};
use serde::Deserialize;

use crate::refusal::Refusal;

/// Maximum number of moves of a line.
const LONGEST: usize = 2000;

/// A line as it is written in a request.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct LineText {
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// Positions from the start, and the moves between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) positions: Vec<Position>,
    pub(crate) moves: Vec<Move>,
}

impl Line {
    pub(crate) fn read(text: &LineText) -> Result<Self, Refusal> {
        if text.moves.len() > LONGEST {
            return Err(Refusal::new("too_large", format!("more than {LONGEST} moves")));
        }
        let mut line = Self { positions: vec![start(text.start.as_deref())?], moves: Vec::new() };
        for (index, word) in text.moves.iter().enumerate() {
            let last = *line.last();
            let mv: Option<Move> = word.parse().ok().filter(|&mv| last.is_legal(mv));
            let mv = mv.ok_or_else(|| illegal(word, index + 1))?;
            line.positions.push(last.play(mv));
            line.moves.push(mv);
        }
        Ok(line)
    }

    pub(crate) fn last(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the line up to a ply.
    pub(crate) fn until(&self, ply: usize) -> Self {
        Self { positions: self.positions[..=ply].to_vec(), moves: self.moves[..ply].to_vec() }
    }
}

fn illegal(word: &str, number: usize) -> Refusal {
    Refusal::new("bad_move", format!("{word:?} is not legal as move {number}"))
}

/// Reads the position in which a game starts.
pub(crate) fn start(fen: Option<&str>) -> Result<Position, Refusal> {
    fen.map_or_else(
        || Ok(Position::start()),
        |fen| Position::from_fen(fen).map_err(|error| Refusal::new("bad_position", error)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: Option<&str>, moves: &str) -> Result<Line, Refusal> {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Line::read(&LineText { start: start.map(str::to_owned), moves })
    }

    #[test]
    fn a_line_is_replayed() {
        let read = line(None, "h2e2 h9g7").unwrap();
        assert_eq!((read.positions.len(), read.moves.len()), (3, 2));
        assert_eq!(read.until(1), line(None, "h2e2").unwrap());
    }

    #[test]
    fn the_first_wrong_part_of_a_line_is_named() {
        assert_eq!(line(Some("9/9 w"), "").unwrap_err().code, "bad_position");
        let refusal = line(None, "h2e2 h2e2").unwrap_err();
        assert_eq!((refusal.code, &*refusal.detail), ("bad_move", "\"h2e2\" is not legal as move 2"));
        assert_eq!(line(None, &"h2e2 ".repeat(2001)).unwrap_err().code, "too_large");
    }
}
