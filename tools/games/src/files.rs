//! Files of games of any format: which one it is, and the games.

use std::path::Path;

use anyhow::Result;

use crate::encoding::decode;
use crate::game::{Faulty, Game};
use crate::{dhtmlxq, list, pieces, xqf};

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
        Format::Pgn => pieces::games(bytes),
        Format::Xqf => vec![xqf::read(&bytes)],
        Format::DhtmlXq => dhtmlxq::read(&decode(bytes)?),
        Format::List => list::read(&decode(bytes)?),
    })
}
