//! What can be wrong with a line, with the offending text inside.

use std::time::Duration;

use crate::board::{FenError, MoveError};
use crate::engine::event::Fault;

/// Moves as a person may write them.
const MOVES_OF_PEOPLE: &str = "h2e2, C2=5 or 炮二平五";

/// The most that the engine may take for a move in a game against a person.
pub(super) const LONGEST_THOUGHT: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a line is not obeyed, or not to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command begins with this word.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// No command begins with this word, said to a person.
    #[error("unknown command {0:?}; \"help\" lists them")]
    UnknownToPerson(String),
    /// `setoption` and nothing else.
    #[error("setoption without the name of an option")]
    NoOption,
    /// `register` and its arguments.
    #[error("there is nothing to register")]
    NothingToRegister,
    /// `position` names no position.
    #[error("bad position: {0}")]
    Position(PositionError),
    /// `position` lists moves without the word for it; the start counts.
    #[error("the word moves is missing before {0:?}, which is not played")]
    MovesUnnamed(String),
    /// `position` lists something else among its moves; those before it count.
    #[error("the list of moves ends before {0:?}, which is not a move like h2e2")]
    ListEnds(String),
    /// `probe` names no position; the game is not touched.
    #[error(transparent)]
    Probe(PositionError),
    /// A word of `go` that limits the search, without the number that it needs; there is no other limit.
    #[error("there is no number behind {0:?}, so the search ends after a second")]
    NoLimit(String),
    /// The same where another word limits the search, or it shall have no limit.
    #[error("there is no number behind {0:?}, which limits nothing")]
    LimitsNothing(String),
    /// Words behind `go` that mean nothing.
    #[error("go does not know {}{}", few(.words), if *.ends { ", so the search ends after a second" } else { "" })]
    UnknownToGo {
        /// The words.
        words: Vec<String>,
        /// They may have been meant as limits, and there is no other.
        ends: bool,
    },
    /// A line of which no more than a beginning was kept, which is not obeyed.
    #[error("a line of more than {0} bytes is not obeyed")]
    TooLong(usize),
    /// Such a line where it names a position.
    #[error("bad position: a line of more than {0} bytes is not read")]
    PositionTooLong(usize),
    /// Such a line where it asks about one.
    #[error("a line of more than {0} bytes is not read")]
    ProbeTooLong(usize),
    /// `debug` and something else than on or off.
    #[error("debug is on or off, not {0:?}")]
    NoSwitch(String),
    /// `perft` of a tree that nobody can count.
    #[error("perft counts no more than {0} plies")]
    PerftTooDeep(u32),
    /// A word of people that takes a number of plies, and something else behind it.
    #[error("{word} takes a number of plies, not {found:?}")]
    NoPlies {
        /// The command.
        word: String,
        /// What stands in place of the number.
        found: String,
    },
    /// `move` with nothing behind it.
    #[error("move takes moves like {MOVES_OF_PEOPLE}")]
    NoMoves,
    /// `move` and something else than a move.
    #[error("{0:?} is not a move like {MOVES_OF_PEOPLE}")]
    NoSuchMove(String),
    /// `play` and something else than what it takes.
    #[error("play takes red, black or off, and a number of seconds up to {most}, not {0:?}", most = LONGEST_THOUGHT.as_secs())]
    NotToPlay(String),
    /// `domove` without a move.
    #[error("nothing to play: {0}")]
    DoMove(MoveError),
}

/// Most words that a message quotes, and most characters of each.
const MOST_WORDS: usize = 5;
const MOST_CHARACTERS: usize = 20;

/// The first of these words in quotation marks, and how many more there are.
fn few(words: &[String]) -> String {
    let quoted = |word: &String| match word.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{:?}", format!("{}...", &word[..end])),
        None => format!("{word:?}"),
    };
    let quotes: Vec<String> = words.iter().take(MOST_WORDS).map(quoted).collect();
    let more = words.len() - quotes.len();
    quotes.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// Why a text names no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// Neither of the words that begin one.
    #[error("neither fen nor startpos is given")]
    Missing,
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Moves are listed without the word for it.
    #[error("the word moves is missing before {0:?}")]
    MovesUnnamed(String),
    /// A move cannot be read.
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
