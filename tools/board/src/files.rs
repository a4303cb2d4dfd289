//! Games from pasted texts and uploaded files of all formats.

use std::path::Path;

use chuhe::board::Position;
use chuhe_games::encoding::decode;
use chuhe_games::files::{self, Format};
use chuhe_games::pgn::read::PgnReader;
use serde_json::{Value, json};

use crate::refusal::{Answer, Refusal};
use crate::tree::{Tree, from_moves, read_pgn};

/// Maximum number of games in an answer.
const MOST_GAMES: usize = 500;

/// Maximum number of faults in an answer.
const MOST_FAULTS: usize = 20;

/// Maximum number of bytes at the start of a file by which its format is detected.
const START: usize = 4096;

/// Games of a file, and the faults of those that cannot be read.
#[derive(Default)]
struct Found {
    games: Vec<Value>,
    faults: Vec<String>,
    more: usize,
}

impl Found {
    fn add(&mut self, game: Result<Tree, String>) {
        match game {
            Ok(_) if self.games.len() >= MOST_GAMES => self.more += 1,
            Ok(tree) => self.games.push(tree.json()),
            Err(_) if self.faults.len() >= MOST_FAULTS => {}
            Err(fault) => self.faults.push(Refusal::new("unreadable", fault).detail),
        }
    }

    fn message(self, format: &str) -> Answer {
        if self.games.is_empty() {
            let fault = self.faults.into_iter().next();
            return Err(Refusal::new("unreadable", fault.unwrap_or_else(|| "there is no game in it".to_owned())));
        }
        let Self { games, faults, more } = self;
        Ok(json!({ "type": "games", "format": format, "games": games, "faults": faults, "more": more }))
    }
}

/// Reads a pasted text.
pub(crate) fn read_text(text: &str) -> Answer {
    let trimmed = text.trim();
    if !trimmed.contains('\n')
        && trimmed.contains('/')
        && let Ok(position) = Position::from_fen(trimmed.strip_prefix("fen ").unwrap_or(trimmed))
        && !trimmed.contains("moves")
    {
        let mut found = Found::default();
        found.add(Ok(Tree::new(position)));
        return found.message("fen");
    }
    read_file("", text.as_bytes().to_vec())
}

/// Reads a file; only the ending of its name counts.
pub(crate) fn read_file(name: &str, bytes: Vec<u8>) -> Answer {
    let format = Format::of(Path::new(name), &bytes[..bytes.len().min(START)]);
    match format {
        Format::Pgn => pgn(bytes)?.message("pgn"),
        Format::List => list(bytes),
        Format::Xqf => plain(format, bytes)?.message("xqf"),
        Format::DhtmlXq => plain(format, bytes)?.message("dhtmlxq"),
        Format::CcBridge => plain(format, bytes)?.message("cbr"),
        Format::Che => plain(format, bytes)?.message("che"),
        Format::Mxq => plain(format, bytes)?.message("mxq"),
        Format::Journal => plain(format, bytes)?.message("journal"),
    }
}

/// Reads a list of moves: a game per line or, where only the first line begins with move 1 or lines are not games, one game
/// over all lines.
fn list(bytes: Vec<u8>) -> Answer {
    let lines = plain(Format::List, bytes.clone())?;
    let is_list = lines.faults.is_empty() && !lines.games.is_empty();
    if is_list && !is_numbered(&bytes) {
        return lines.message("list");
    }
    match pgn(bytes) {
        Ok(whole) if whole.faults.is_empty() && !whole.games.is_empty() => whole.message("list"),
        _ => lines.message("list"),
    }
}

/// Whether the first line begins with the number 1 and no other one does.
fn is_numbered(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.next().is_some_and(|first| first.starts_with(b"1.")) && !lines.any(|line| line.starts_with(b"1."))
}

fn plain(format: Format, bytes: Vec<u8>) -> Result<Found, Refusal> {
    let games = files::read(format, bytes).map_err(unreadable)?;
    let mut found = Found::default();
    for game in games {
        found.add(game.and_then(|game| from_moves(&game).map_err(|refusal| refusal.detail)));
    }
    Ok(found)
}

fn pgn(bytes: Vec<u8>) -> Result<Found, Refusal> {
    let text = decode(bytes).map_err(unreadable)?;
    let mut found = Found::default();
    for game in PgnReader::new(&text) {
        let tree = game.map_err(|fault| fault.to_string());
        found.add(tree.and_then(|game| read_pgn(&game, &text).map_err(|refusal| refusal.detail)));
    }
    Ok(found)
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal::new("unreadable", format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(answer: &Value) -> Vec<String> {
        let nodes = answer["games"][0]["nodes"].as_array().unwrap();
        nodes.iter().map(|node| node["mv"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn pasted_texts_of_all_kinds_are_read() {
        for (text, format) in [
            ("[Red \"a\"]\n\n1. h2e2 {good} h9g7 *\n", "pgn"),
            ("h2e2 h9g7", "list"),
            ("炮二平五 马８进７", "list"),
            ("1. 炮二平五 马8进7", "list"),
            ("1. 炮二平五\n马8进7\n", "list"),
            ("1. C2=5 H8+7", "list"),
            ("position startpos moves h2e2 h9g7", "list"),
            ("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]", "dhtmlxq"),
        ] {
            let answer = read_text(text).unwrap();
            assert_eq!(
                (answer["format"].as_str(), moves(&answer)),
                (Some(format), vec!["h2e2".to_owned(), "h9g7".to_owned()]),
                "{text}"
            );
        }
        let position = read_text(" 4k4/9/9/9/9/9/9/9/R8/3K5 w ").unwrap();
        assert_eq!(position["format"], "fen");
        assert_eq!(position["games"][0]["start"], "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1");
    }

    #[test]
    fn what_is_no_game_is_refused_with_its_place() {
        for (text, part) in [("", "no game"), ("hello", "line 1"), ("h2e2 h2e2", "ply 2"), ("9/9 w", "line 1")] {
            let refusal = read_text(text).unwrap_err();
            assert!(refusal.code == "unreadable" && refusal.detail.contains(part), "{text}: {}", refusal.detail);
        }
        assert_eq!(read_file("a.xqf", b"XQ\x12".to_vec()).unwrap_err().code, "unreadable");
    }

    #[test]
    fn most_games_of_a_large_file_are_counted_only() {
        let answer = read_text(&"h2e2 h9g7\n".repeat(MOST_GAMES + 3)).unwrap();
        assert_eq!((answer["games"].as_array().unwrap().len(), &answer["more"]), (MOST_GAMES, &json!(3)));
    }
}
