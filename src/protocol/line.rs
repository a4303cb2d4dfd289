//! Building blocks of lines in both protocols.

use std::fmt::{self, Display, Write};

use crate::board::{Move, RankBase, Spelled, Square};
use crate::engine::event::Effort;
use crate::protocol::message::MAX_LINE;

/// A label and a value, or nothing.
pub(super) struct Labelled<T>(pub(super) &'static str, pub(super) Option<T>);

impl<T: Display> Display for Labelled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.as_ref().map_or(Ok(()), |value| write!(f, "{}{value}", self.0))
    }
}

/// Appends these moves to the line, as many as there is room for, and a line end.
pub(super) fn with_moves(mut line: String, moves: &[Move], base: RankBase) -> String {
    for &mv in moves {
        let length = line.len();
        write!(line, " {}", Spelled(mv, base)).expect("a string takes everything");
        if line.len() >= MAX_LINE {
            line.truncate(length);
            break;
        }
    }
    line.push('\n');
    line
}

/// Returns messages about proven root moves in the form of AGI's `INFO WIN` and `INFO LOSE`: none for a list without moves.
pub(super) fn proven(winning: &[Move], losing: &[Move], base: RankBase) -> Vec<String> {
    let spelled = |moves: &[Move]| moves.iter().map(|&mv| format!(" {}", Spelled(mv, base))).collect::<String>();
    let lists = [("win", winning), ("lose", losing)].into_iter().filter(|(_, moves)| !moves.is_empty());
    lists.map(|(word, moves)| format!("{word}{}", spelled(moves))).collect()
}

/// Formats the current position in lines that programs know from other engines.
pub(super) fn board(fen: &str, key: u64, checkers: &[Square], base: RankBase) -> String {
    let square = |square: &Square| {
        format!("{}{}", char::from(b'a' + square.file() as u8), square.rank() + usize::from(base == RankBase::One))
    };
    let checkers: Vec<String> = checkers.iter().map(square).collect();
    format!("Fen: {fen}\nKey: {key:016X}\nCheckers: {}\n", checkers.join(" "))
}

/// Returns the nodes per second.
pub(super) fn nodes_per_second(effort: &Effort) -> u128 {
    u128::from(effort.nodes) * 1_000_000 / effort.elapsed.as_micros().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_reported_in_three_lines() {
        let checkers = ["e3", "a9"].map(|square| square.parse().unwrap());
        assert_eq!(
            board("9/9 w", 255, &checkers, RankBase::Zero),
            "Fen: 9/9 w\nKey: 00000000000000FF\nCheckers: e3 a9\n"
        );
        assert!(board("", 0, &checkers, RankBase::One).ends_with("Checkers: e4 a10\n"));
    }

    #[test]
    fn moves_fill_a_line_and_no_more() {
        let mv: Move = "a9b9".parse().unwrap();
        assert_eq!(with_moves("info pv".into(), &[mv, mv], RankBase::One), "info pv a10b10 a10b10\n");
        for base in [RankBase::Zero, RankBase::One] {
            let line = with_moves("info pv".into(), &[mv; 400], base);
            assert!(line.len() <= MAX_LINE && line.len() > MAX_LINE - 8, "{}", line.len());
            assert!(line.ends_with(&format!(" {}\n", Spelled(mv, base))));
        }
    }
}
