//! Faults in lines of input: messages that occur in several places, and the errors of positions.

use crate::board::{DEEPEST_PERFT, FenError, MoveError};
use crate::engine::event::Fault;

/// Reason why a text names no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum PositionError {
    /// Neither `fen` nor `startpos`.
    #[error("neither fen nor startpos is given")]
    Missing,
    /// A FEN with an error.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Moves without the word `moves`.
    #[error("the word moves is missing before {0:?}")]
    MovesUnnamed(String),
    /// A move that cannot be read.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// Returns the fault of a line that begins with an unknown word; a user at a terminal learns how to go on.
pub(super) fn unknown_command(word: &str, at_terminal: bool) -> Fault {
    let hint = if at_terminal { "; \"help\" lists them" } else { "" };
    Fault::NotUnderstood(format!("unknown command {word:?}{hint}"))
}

/// Returns the fault of a command with the text `found` in place of a number of plies.
pub(super) fn no_plies(command: &str, found: &str) -> Fault {
    Fault::BadArgument(format!("{command} takes a number of plies, not {found:?}"))
}

/// Checks the depth of a `perft`.
///
/// # Errors
/// If the tree is too large to count.
pub(super) fn perft_depth(depth: u32) -> Result<u32, Fault> {
    let too_deep = || Fault::BadArgument(format!("perft counts no more than {DEEPEST_PERFT} plies"));
    (depth <= DEEPEST_PERFT).then_some(depth).ok_or_else(too_deep)
}

/// Maximum number of words that a message quotes, and of characters of each.
const MOST_WORDS: usize = 5;
const MOST_CHARACTERS: usize = 20;

/// Quotes the first of these words, and gives the number of the others.
pub(super) fn quote(words: &[String]) -> String {
    let quoted = |word: &String| match word.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{:?}", format!("{}...", &word[..end])),
        None => format!("{word:?}"),
    };
    let quotes: Vec<String> = words.iter().take(MOST_WORDS).map(quoted).collect();
    let more = words.len() - quotes.len();
    quotes.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
