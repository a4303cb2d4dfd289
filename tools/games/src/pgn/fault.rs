//! What can be wrong with a game of a PGN file.

use chuhe::board::FenError;
use chuhe::notation::NotationError;

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnReason {
    /// A line begins like a tag and is none.
    #[error("{0:?} is not a tag")]
    Tag(String),
    /// A curly bracket is not closed.
    #[error("a comment has no end")]
    Comment,
    /// A round bracket is not closed.
    #[error("a bracket has no end")]
    Bracket,
    /// Variations stand in variations of variations, and so on, too often.
    #[error("variations are more than {DEEPEST} deep")]
    Depth,
    /// It begins nowhere.
    #[error("it starts from no position: {0}")]
    Start(FenError),
    /// A move cannot be played.
    #[error("ply {ply}: {error}")]
    Move {
        /// From 1.
        ply: usize,
        /// Why.
        error: NotationError,
    },
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: game {game}: {reason}")]
pub struct PgnFault {
    /// From 1.
    pub line: usize,
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// What is wrong.
    pub reason: PgnReason,
}

/// How many variations may stand in one another.
pub(super) const DEEPEST: usize = 100;
