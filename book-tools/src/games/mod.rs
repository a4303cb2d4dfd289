//! Recorded games of every format as one kind of value.

mod dhtmlxq;
mod list;
mod pgn;
mod pieces;
mod placement;
mod xqf;

use std::path::Path;

use anyhow::Result;
use chuhe::board::{Move, Position, Side};
pub use chuhe_arena::pgn::read::Variation;
use chuhe_arena::pgn::read::decode;
pub use pieces::Pieces;

/// A game that replays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Where it begins.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Move>,
    /// What might have been played.
    pub variations: Vec<Variation>,
    /// Who has won, if that is known.
    pub result: Option<Outcome>,
    /// Ratings of red and black; 0 if not known.
    pub ratings: [u16; 2],
}

impl Game {
    /// Moves of which nothing else is known.
    fn bare(start: Position, moves: Vec<Move>) -> Self {
        Self { start, moves, variations: vec![], result: None, ratings: [0; 2] }
    }
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Somebody has won.
    Won(Side),
    /// Nobody has.
    Drawn,
}

impl Outcome {
    fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Won(Side::Red)),
            "0-1" => Some(Self::Won(Side::Black)),
            "1/2-1/2" => Some(Self::Drawn),
            _ => None,
        }
    }
}

/// A game that does not replay: where it stands in its file, and why.
pub type Faulty = String;

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Tags and moves.
    Pgn,
    /// The format of Xiangqi Studio.
    Xqf,
    /// The text of web pages.
    DhtmlXq,
    /// A line of moves a game.
    List,
}

impl Format {
    /// What the beginning of a file says, or else its name.
    pub fn of(path: &Path, start: &[u8]) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        let has_dhtmlxq = start.windows(DHTMLXQ.len()).any(|part| part == DHTMLXQ);
        match ending.as_str() {
            _ if start.starts_with(b"XQ") && start.get(2).is_some_and(|version| *version < b' ') => Self::Xqf,
            "xqf" => Self::Xqf,
            _ if has_dhtmlxq => Self::DhtmlXq,
            "pgn" => Self::Pgn,
            _ if start.starts_with(b"[") => Self::Pgn,
            _ => Self::List,
        }
    }
}

const DHTMLXQ: &[u8] = b"DhtmlXQ_";

/// The games of a file in their order, those that do not replay among them.
///
/// # Errors
/// If the file as a whole cannot be read.
pub fn read(format: Format, bytes: Vec<u8>) -> Result<Vec<Result<Game, Faulty>>> {
    Ok(match format {
        Format::Pgn => pgn::read(&decode(bytes)?),
        Format::Xqf => vec![xqf::read(&bytes)],
        Format::DhtmlXq => dhtmlxq::read(&decode(bytes)?),
        Format::List => list::read(&decode(bytes)?),
    })
}
