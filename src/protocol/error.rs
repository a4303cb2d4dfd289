//! Errors in lines of input, with the offending text.

use std::time::Duration;

use crate::board::{FenError, MoveError};
use crate::engine::event::Fault;

/// Examples of moves as a user may write them.
const MOVES_OF_PEOPLE: &str = "h2e2, C2=5 or 炮二平五";

/// Maximum time of the engine for a move in a game against a user.
pub(super) const LONGEST_THOUGHT: Duration = Duration::from_secs(24 * 60 * 60);

/// Reason why a line is not carried out, or not completely.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command begins with this word.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// No command begins with this word: the message to a user at a terminal.
    #[error("unknown command {0:?}; \"help\" lists them")]
    UnknownToPerson(String),
    /// `setoption` without a name.
    #[error("setoption without the name of an option")]
    NoOption,
    /// `register`, with any arguments.
    #[error("there is nothing to register")]
    NothingToRegister,
    /// `position` without a valid position.
    #[error("bad position: {0}")]
    Position(PositionError),
    /// `position` with moves but without the word `moves`; the start counts.
    #[error("the word moves is missing before {0:?}, which is not played")]
    MovesUnnamed(String),
    /// `position` with a text that is not a move in its list; the moves before it count.
    #[error("the list of moves ends before {0:?}, which is not a move like h2e2")]
    ListEnds(String),
    /// `probe` without a valid position; the game is not changed.
    #[error(transparent)]
    Probe(PositionError),
    /// `go` with a limit that lacks its number, and without any other limit.
    #[error("there is no number behind {0:?}, so the search ends after a second")]
    NoLimit(String),
    /// `go` with a limit that lacks its number, beside another limit or `infinite`.
    #[error("there is no number behind {0:?}, which limits nothing")]
    LimitsNothing(String),
    /// `go` with unknown words.
    #[error("go does not know {}{}", few(.words), if *.ends { ", so the search ends after a second" } else { "" })]
    UnknownToGo {
        /// The words.
        words: Vec<String>,
        /// Whether they may have been meant as limits, and there is no other.
        ends: bool,
    },
    /// A line of which only the beginning was kept; it is not carried out.
    #[error("a line of more than {0} bytes is not obeyed")]
    TooLong(usize),
    /// A line of that length that names a position.
    #[error("bad position: a line of more than {0} bytes is not read")]
    PositionTooLong(usize),
    /// A line of that length that probes a position.
    #[error("a line of more than {0} bytes is not read")]
    ProbeTooLong(usize),
    /// `debug` without on or off.
    #[error("debug is on or off, not {0:?}")]
    NoSwitch(String),
    /// `perft` of a tree that is too large to count.
    #[error("perft counts no more than {0} plies")]
    PerftTooDeep(u32),
    /// A command at a terminal with another text than its number of plies.
    #[error("{word} takes a number of plies, not {found:?}")]
    NoPlies {
        /// The command.
        word: String,
        /// The text in place of the number.
        found: String,
    },
    /// `move` without a move.
    #[error("move takes moves like {MOVES_OF_PEOPLE}")]
    NoMoves,
    /// `move` with a text that is not a move.
    #[error("{0:?} is not a move like {MOVES_OF_PEOPLE}")]
    NoSuchMove(String),
    /// `play` with an unknown argument.
    #[error("play takes red, black or off, and a number of seconds up to {most}, not {0:?}", most = LONGEST_THOUGHT.as_secs())]
    NotToPlay(String),
    /// `domove` without a move.
    #[error("nothing to play: {0}")]
    DoMove(MoveError),
}

/// Maximum number of words that a message quotes, and of characters of each.
const MOST_WORDS: usize = 5;
const MOST_CHARACTERS: usize = 20;

/// Quotes the first of these words, and gives the number of the others.
fn few(words: &[String]) -> String {
    let quoted = |word: &String| match word.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{:?}", format!("{}...", &word[..end])),
        None => format!("{word:?}"),
    };
    let quotes: Vec<String> = words.iter().take(MOST_WORDS).map(quoted).collect();
    let more = words.len() - quotes.len();
    quotes.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// Reason why a text names no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
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

impl From<CommandError> for Fault {
    fn from(error: CommandError) -> Self {
        let text = error.to_string();
        match error {
            CommandError::Unknown(_)
            | CommandError::UnknownToPerson(_)
            | CommandError::NoOption
            | CommandError::NothingToRegister => Self::NotUnderstood(text),
            CommandError::Position(_) | CommandError::PositionTooLong(_) => Self::BadPosition(text),
            CommandError::Probe(_) | CommandError::ProbeTooLong(_) => Self::BadProbe(text),
            CommandError::MovesUnnamed(_)
            | CommandError::ListEnds(_)
            | CommandError::NoLimit(_)
            | CommandError::LimitsNothing(_)
            | CommandError::UnknownToGo { .. } => Self::InPart(text),
            CommandError::TooLong(_)
            | CommandError::NoSwitch(_)
            | CommandError::PerftTooDeep(_)
            | CommandError::NoPlies { .. }
            | CommandError::NoMoves
            | CommandError::NoSuchMove(_)
            | CommandError::NotToPlay(_)
            | CommandError::DoMove(_) => Self::BadArgument(text),
        }
    }
}
