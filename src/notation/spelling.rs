//! What the tests of WXF and of Chinese notation ask alike.

use super::Notation;
use crate::board::{Move, MoveList, Position};

/// One notation, and its way to read.
pub(super) struct Spelling {
    pub(super) notation: Notation,
    pub(super) candidates: fn(&Position, &str) -> Option<MoveList>,
}

impl Spelling {
    /// The moves that `text` may mean, in coordinates.
    #[track_caller]
    pub(super) fn meaning(&self, position: &Position, text: &str) -> String {
        let moves = (self.candidates)(position, text).unwrap_or_else(|| panic!("{text} is readable"));
        moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Every move is written as its first spelling and read from each.
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
