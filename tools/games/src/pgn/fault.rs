//! Errors in games of a PGN file.

use chuhe::board::FenError;
use chuhe::notation::NotationError;

/// Reason why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnReason {
    /// A line begins like a tag but is not one.
    #[error("{0:?} is not a tag")]
    Tag(String),
    /// A curly bracket is not closed.
    #[error("a comment has no end")]
    Comment,
    /// A round bracket is not closed.
    #[error("a bracket has no end")]
    Bracket,
    /// Variations are nested too deeply.
    #[error("variations are more than {DEEPEST} deep")]
    Depth,
    /// The starting position is invalid.
    #[error("it starts from no position: {0}")]
    Start(FenError),
    /// A move cannot be played.
    #[error("ply {ply}: {error}")]
    Move {
        /// Ply of the move, from 1.
        ply: usize,
        /// Reason.
        error: NotationError,
    },
}

/// Error in a PGN file, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: game {game}: {reason}")]
pub struct PgnFault {
    /// Line, from 1.
    pub line: usize,
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// Reason.
    pub reason: PgnReason,
}

/// Maximum nesting depth of variations.
pub(super) const DEEPEST: usize = 100;
