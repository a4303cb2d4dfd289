//! The first moves of recorded games, in any notation, several games a file.

use anyhow::{Context, Result, anyhow};
use chuhe::board::Position;
use chuhe::notation::read_any;
use encoding_rs::GB18030;

use super::Opening;
use super::read::{Fault, check};

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The text of a file in UTF-8 or in the encoding of older Chinese programs.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            let text = GB18030.decode_without_bom_handling_and_without_replacement(error.as_bytes());
            text.map(String::from).context("neither UTF-8 nor GB18030")
        }
    }
}

/// The position of each game after its first `plies`, or after all its moves.
pub(super) fn read_openings(text: &str, plies: Option<usize>) -> Result<Vec<Opening>, Fault> {
    let mut scanner = Scanner { rest: text, line: 1 };
    let mut openings = Vec::new();
    while let Some(opening) = read_game(&mut scanner, plies)? {
        openings.push(opening);
    }
    Ok(openings)
}

/// The next game, if there is one.
fn read_game(scanner: &mut Scanner<'_>, plies: Option<usize>) -> Result<Option<Opening>, Fault> {
    let mut tags: Vec<(&str, &str)> = Vec::new();
    let mut first_line = scanner.line;
    while let Some(tag) = scanner.tag()? {
        if tags.is_empty() {
            first_line = scanner.line;
        }
        tags.push(tag);
    }
    let tag = |name: &str| {
        let value = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
        value.filter(|value| !value.is_empty() && *value != "?")
    };
    let at = |line: usize| move |error: anyhow::Error| Fault { line, error };
    let start = match tag("FEN") {
        None => Position::start(),
        Some(fen) => Position::from_fen(fen).map_err(|error| at(first_line)(anyhow!(error).context("FEN")))?,
    };
    let (mut position, mut moves) = (start, Vec::new());
    let mut any_word = false;
    while let Some((word, line)) = scanner.word()? {
        any_word = true;
        if RESULTS.contains(&word) {
            break;
        }
        let text = without_number(word);
        if text.is_empty() || text.starts_with('$') || plies.is_some_and(|plies| moves.len() >= plies) {
            continue;
        }
        let mv = read_any(&position, text).map_err(|error| at(line)(anyhow!(error)))?;
        position = position.play(mv);
        moves.push(mv);
    }
    if tags.is_empty() && !any_word {
        return Ok(None);
    }
    check(&position).map_err(at(first_line))?;
    let name = tag("Opening").or_else(|| tag("ECCO")).map(str::to_owned);
    Ok(Some(Opening { name, start, moves }))
}

/// `12.`, `12...` and `...` are no moves, `12.炮二平五` holds one, and `62.5` is one.
fn without_number(word: &str) -> &str {
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    let numbered = behind_dots.len() < behind_digits.len() && !behind_dots.starts_with(|c: char| c.is_ascii_digit());
    if numbered || behind_digits.is_empty() { behind_dots } else { word }
}

/// Cuts the text and counts its lines.
struct Scanner<'a> {
    rest: &'a str,
    /// Of the next character, from 1.
    line: usize,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) {
        self.take(self.rest.len() - self.rest.trim_start().len());
    }

    /// Skips blanks and comments of all kinds, variations included.
    fn skip_comments(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_blanks();
            let line = self.line;
            let length = match self.rest.as_bytes().first() {
                Some(b'{') => self.rest.find('}').map(|at| at + 1),
                Some(b'(') => variation_length(self.rest),
                Some(b';' | b'%') => Some(self.rest.find('\n').unwrap_or(self.rest.len())),
                _ => return Ok(()),
            };
            let length = length.ok_or_else(|| Fault { line, error: anyhow!("a comment has no end") })?;
            self.take(length);
        }
    }

    /// `[Name "value"]`, if a tag comes next.
    fn tag(&mut self) -> Result<Option<(&'a str, &'a str)>, Fault> {
        self.skip_comments()?;
        if !self.rest.starts_with('[') {
            return Ok(None);
        }
        let line = self.line;
        let text = self.take(self.rest.find('\n').unwrap_or(self.rest.len())).trim();
        let read = || {
            let (name, value) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(char::is_whitespace)?;
            Some((name, value.trim().strip_prefix('"')?.strip_suffix('"')?))
        };
        read().map(Some).ok_or_else(|| Fault { line, error: anyhow!("{text:?} is not a tag") })
    }

    /// The next word of the moves and its line; `None` before a tag and at the end.
    fn word(&mut self) -> Result<Option<(&'a str, usize)>, Fault> {
        self.skip_comments()?;
        if self.rest.starts_with('[') || self.rest.is_empty() {
            return Ok(None);
        }
        let end =
            self.rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | ';')).unwrap_or(self.rest.len());
        let line = self.line;
        // A closing bracket without an opening one is a word, and no move.
        Ok(Some((self.take(end.max(1)), line)))
    }
}

/// Bytes of the brackets in which `text` begins.
fn variation_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[Game \"Chinese Chess\"]\n[Opening \"central cannon\"]\n\n\
        1. 炮二平五 {good} 马８进７ ; rest\n2. H2+3 (2. C2+4 (x) y) R9=8 1-0\n\n\
        [Event \"second\"]\n[FEN \"4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1\"]\n\n1.F1-E1 *\n1. h2e2 h9g7 1/2-1/2";

    fn fens(text: &str, plies: Option<usize>) -> Vec<String> {
        read_openings(text, plies).unwrap().iter().map(|opening| opening.position().to_fen()).collect()
    }

    #[test]
    fn several_games_are_cut_after_so_many_plies() {
        let all = read_openings(GAMES, None).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].name.as_deref(), Some("central cannon"));
        let after = |moves: &[&str]| {
            moves.iter().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap())).to_fen()
        };
        assert_eq!(all[0].position().to_fen(), after(&["h2e2", "h9g7", "h0g2", "i9h9"]));
        let cut = fens(GAMES, Some(1));
        assert_eq!(cut[0], after(&["h2e2"]));
        assert_eq!(cut[2], after(&["h2e2"]));
    }

    #[test]
    fn older_files_are_in_another_encoding() {
        let (bytes, _, _) = GB18030.encode("1. 炮二平五");
        assert_eq!(fens(&decode(bytes.into_owned()).unwrap(), None), fens("1. h2e2", None));
    }

    #[test]
    fn faults_have_a_line() {
        for (text, line) in [
            ("[A \"b\"]\n\n1. h2e2\nh2h9 *", 4),
            ("[A b]\n", 1),
            ("1. h2e2\n{ no end", 2),
            ("[A \"b\"]\n[FEN \"9/9 w\"]\n\n*", 1),
        ] {
            assert_eq!(read_openings(text, None).unwrap_err().line, line, "{text}");
        }
    }
}
