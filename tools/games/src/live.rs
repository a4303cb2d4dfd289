//! Games under way: a small file beside the journal of a match, which is rewritten in place while games are played. Programs that
//! show a running match read it; nothing else depends on it, and it is removed at the end of the match.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use chuhe::file;
use serde::{Deserialize, Serialize};

use crate::json;
use crate::record::{Eval, MoveRecord};

/// Extension that is added to the name of the journal.
const EXTENSION: &str = "live";

/// Beginning of such a file.
const START: &str = "{\"live\":";

/// Number of attempts to read a file that is being rewritten.
const ATTEMPTS: u32 = 4;

/// First line of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    /// Number of the rewriting, from 1.
    live: u64,
    /// Number of games that follow, a line for each.
    games: usize,
}

/// Last line of the file: with another number than the first one, the file is being rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Tail {
    end: u64,
}

/// Games under way of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Live {
    /// Number of the rewriting, from 1: it grows every few seconds while the match is running.
    pub number: u64,
    /// Games by seat; one that has just ended stays until the next one takes its place.
    pub games: Vec<LiveGame>,
}

/// A game under way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LiveGame {
    /// Number of the concurrent game, from 1; the next game there takes its place.
    pub seat: u32,
    /// Number of the game, as in the journal.
    pub number: u32,
    /// Round, as in the journal.
    pub round: u32,
    /// Name of the engine with the red pieces.
    pub red: String,
    /// Name of the engine with the black pieces.
    pub black: String,
    /// Position in which the engines began to think.
    pub start_fen: String,
    /// Name of the opening, if it has one.
    pub opening: Option<String>,
    /// Time control.
    pub time_control: String,
    /// Time of the start, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// Time of the last move, or of the start, in milliseconds since 1970.
    pub moved_at_ms: u64,
    /// Time left to Red and Black after their last moves, in milliseconds; `None` without a clock.
    pub clocks_ms: [Option<u64>; 2],
    /// The moves the engines have played.
    pub moves: Vec<LiveMove>,
}

/// A move of a game under way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LiveMove {
    /// Move such as `h2e2`.
    pub mv: String,
    /// Score before the move, for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// Depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time spent on the clock, in milliseconds.
    pub time_ms: u64,
}

impl From<&MoveRecord> for LiveMove {
    fn from(record: &MoveRecord) -> Self {
        let MoveRecord { ref mv, eval, depth, nodes, time_ms, .. } = *record;
        Self { mv: mv.clone(), eval, depth, nodes, time_ms }
    }
}

/// Returns the place of the games under way of a match with this journal.
pub fn path_for(journal: &Path) -> PathBuf {
    journal.with_added_extension(EXTENSION)
}

/// Whether a file that begins with `start` holds games under way.
pub fn is_live(start: &[u8]) -> bool {
    start.starts_with(START.as_bytes())
}

/// Returns the text of the file; `lines` are the games as JSON, without line breaks.
pub fn text<'a>(number: u64, lines: impl ExactSizeIterator<Item = &'a String>) -> String {
    let line = |value: serde_json::Result<String>| value.expect("numbers can be written as JSON") + "\n";
    let mut text = line(serde_json::to_string(&Head { live: number, games: lines.len() }));
    for game in lines {
        text.push_str(game);
        text.push('\n');
    }
    text + &line(serde_json::to_string(&Tail { end: number }))
}

/// Reads the games under way of the match with this journal; `None` if there is no such file, as after the match.
///
/// # Errors
/// If the file cannot be read, or holds something else.
pub fn read(journal: &Path) -> io::Result<Option<Live>> {
    let path = path_for(journal);
    let mut before = Vec::new();
    for _ in 0..ATTEMPTS {
        let bytes = match file::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        // Two equal reads in a row with equal numbers at both ends were not overtaken by the writer.
        if bytes == before
            && let Some(live) = parse(&bytes)
        {
            return Ok(Some(live));
        }
        before = bytes;
    }
    Err(io::Error::new(ErrorKind::InvalidData, format!("{} holds no games under way", path.display())))
}

/// Parses the whole text; `None` if it is incomplete.
fn parse(bytes: &[u8]) -> Option<Live> {
    let mut lines = bytes.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let head: Head = json::read(lines.next()?).ok()?;
    let tail: Tail = json::read(lines.next_back()?).ok()?;
    let games: Vec<LiveGame> = lines.map(|line| json::read(line).ok()).collect::<Option<_>>()?;
    (head.live == tail.end && head.games == games.len()).then_some(Live { number: head.live, games })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn game(seat: u32) -> LiveGame {
        LiveGame {
            seat,
            number: 7,
            round: 4,
            red: "A".into(),
            black: "B".into(),
            start_fen: chuhe::board::START_FEN.into(),
            opening: None,
            time_control: "1+0".into(),
            started_at_ms: 5,
            moved_at_ms: 6,
            clocks_ms: [Some(900), None],
            moves: vec![LiveMove {
                mv: "h2e2".into(),
                eval: Some(Eval::Mate(3)),
                depth: Some(9),
                nodes: None,
                time_ms: 100,
            }],
        }
    }

    #[test]
    fn games_come_back_and_half_written_ones_do_not() {
        let games = [game(1), game(2)];
        let lines = games.each_ref().map(|game| serde_json::to_string(game).unwrap());
        let whole = text(3, lines.iter());
        assert_eq!(parse(whole.as_bytes()), Some(Live { number: 3, games: games.to_vec() }));
        assert!(is_live(whole.as_bytes()) && whole.lines().count() == 4);
        for length in 0..whole.len() {
            assert_eq!(parse(&whole.as_bytes()[..length]), None, "{length}");
        }
        // The beginning of the next text and the end of this one.
        let next = text(4, lines.iter());
        assert_eq!(parse(&[&next.as_bytes()[..20], &whole.as_bytes()[20..]].concat()), None);
        assert_eq!(parse(text(5, lines[..0].iter()).as_bytes()), Some(Live { number: 5, games: vec![] }));
    }

    #[test]
    fn a_match_without_the_file_has_no_games_under_way() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("a.journal");
        assert_eq!(read(&journal).unwrap(), None);
        let line = serde_json::to_string(&game(1)).unwrap();
        fs::write(folder.path().join("a.journal.live"), text(1, [line].iter())).unwrap();
        assert_eq!(read(&journal).unwrap(), Some(Live { number: 1, games: vec![game(1)] }));
        fs::write(path_for(&journal), "my diary\n").unwrap();
        assert!(read(&journal).unwrap_err().to_string().ends_with("holds no games under way"));
    }
}
