//! Games in PGN: tags, comments, numbered moves in any notation, and a result.

use chuhe::board::{FenError, Move, Position};
use chuhe::notation::{NotationError, read_any};
use encoding_rs::GB18030;

/// A recorded game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    tags: Vec<(String, String)>,
    /// The moves as written.
    pub(crate) moves: Vec<String>,
    /// The result token after the moves, which ends the game.
    pub(crate) result: Option<String>,
}

/// Error in a PGN file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PgnError {
    #[error("the text is neither UTF-8 nor GB18030")]
    Encoding,
    #[error("{0:?} is not a tag")]
    Tag(String),
    #[error("a comment has no end")]
    Comment,
    #[error("the game starts from no position: {0}")]
    Start(#[from] FenError),
    #[error("ply {ply}: {error}")]
    Move {
        /// Number of the ply, from 1.
        ply: usize,
        error: NotationError,
    },
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Record {
    /// Reads a file with one game.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, PgnError> {
        decode(bytes)?.parse()
    }

    /// Returns the value of a tag; case does not matter in its name.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the position before the first move.
    pub(crate) fn start(&self) -> Result<Position, FenError> {
        self.tag("FEN").map_or_else(|| Ok(Position::start()), Position::from_fen)
    }

    /// Returns every move with the position before it.
    pub(crate) fn replay(&self) -> Result<Vec<(Position, Move)>, PgnError> {
        let mut position = self.start()?;
        let play = |(index, text): (usize, &String)| {
            let mv = read_any(&position, text).map_err(|error| PgnError::Move { ply: index + 1, error })?;
            let before = position;
            position = position.play(mv);
            Ok((before, mv))
        };
        self.moves.iter().enumerate().map(play).collect()
    }
}

fn decode(bytes: &[u8]) -> Result<String, PgnError> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Ok(text.trim_start_matches('\u{feff}').to_owned());
    }
    let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(String::from).ok_or(PgnError::Encoding)
}

impl std::str::FromStr for Record {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<Self, PgnError> {
        let mut rest = text.trim_start();
        let mut tags = vec![];
        while rest.starts_with('[') {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            tags.push(read_tag(line.trim()).ok_or_else(|| PgnError::Tag(line.trim().to_owned()))?);
            rest = after.trim_start();
        }
        let mut record = Self { tags, moves: vec![], result: None };
        while let Some((token, after)) = next_token(rest)? {
            if RESULTS.contains(&token) {
                record.result = Some(token.to_owned());
                break;
            }
            let mv = without_number(token);
            if !mv.is_empty() {
                record.moves.push(mv.to_owned());
            }
            rest = after;
        }
        Ok(record)
    }
}

/// Reads a tag, `[Name "value"]`.
fn read_tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.to_owned()))
}

/// Returns the next word outside comments, and the text after it.
fn next_token(text: &str) -> Result<Option<(&str, &str)>, PgnError> {
    let mut text = text.trim_start();
    while text.starts_with(['{', '(']) {
        text = after_comment(text).ok_or(PgnError::Comment)?.trim_start();
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '{' | '(')).unwrap_or(text.len());
    Ok((end > 0).then(|| text.split_at(end)))
}

/// Returns the text after the comment that `text` begins with; parentheses may be nested.
fn after_comment(text: &str) -> Option<&str> {
    if let Some(comment) = text.strip_prefix('{') {
        return comment.split_once('}').map(|(_, after)| after);
    }
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[at + c.len_utf8()..]);
        }
    }
    None
}

/// Strips a move number: `12.`, `12...` and `...` are not moves, `12.炮二平五` contains one, and `62.5` is one.
fn without_number(token: &str) -> &str {
    let after_number = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_dots = after_number.trim_start_matches(['.', '…']);
    let numbered = after_dots.len() < after_number.len() && !after_dots.starts_with(|c: char| c.is_ascii_digit());
    if numbered || after_number.is_empty() { after_dots } else { token }
}
