//! Checks shared by the tests of WXF and of Chinese notation.

use super::Notation;
use crate::board::{Move, MoveList, Position};

/// A notation with its reader.
pub(super) struct Spelling {
    pub(super) notation: Notation,
    pub(super) candidates: fn(&Position, &str) -> Option<MoveList>,
}

impl Spelling {
    /// Returns the moves that `text` may mean, in coordinates.
    #[track_caller]
    pub(super) fn meaning(&self, position: &Position, text: &str) -> String {
        let moves = (self.candidates)(position, text).unwrap_or_else(|| panic!("{text} is readable"));
        moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Checks that every move is written as its first spelling and read from each.
    #[track_caller]
    pub(super) fn check(&self, fen: &str, spellings: &[(&str, &[&str])]) {
        let position = Position::from_fen(fen).unwrap();
        for (mv, texts) in spellings {
            assert_eq!(super::write(&position, mv.parse().unwrap(), self.notation), texts[0]);
            for text in *texts {
                assert_eq!(self.meaning(&position, text), *mv, "{text}");
            }
        }
    }
}
