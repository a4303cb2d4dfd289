//! Scanner of PGN files: tags, words, brackets, and the beginnings of games.

use std::ops::Range;

/// Line and reason of an error.
pub(super) type Fault = (usize, String);

/// Maximum nesting depth of variations.
pub(super) const DEEPEST: usize = 100;

/// Results that end the moves of a game.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Error message for a curly bracket that is not closed.
const ENDLESS_COMMENT: &str = "a comment has no end";

/// Token of the move text.
pub(super) enum Token<'a> {
    Word(&'a str),
    /// Contents of round brackets.
    Bracket(&'a str),
}

/// Splits the text and counts its lines.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    rest: &'a str,
    /// Line of the next character, from 1.
    pub(super) line: usize,
    /// Bytes that are left at the end of the current line; valid while at least as many are left.
    line_end: usize,
    /// Range of remaining bytes, from exclusive to inclusive, at which a comment does not end before the next game.
    endless: (usize, usize),
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, line_end: usize::MAX, endless: (0, 0) }
    }

    /// Returns the number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) {
        self.take(self.rest.len() - self.rest.trim_start().len());
    }

    /// Returns the rest of the line. Its end is cached, as a line may hold many games.
    fn rest_of_line(&mut self) -> &'a str {
        if self.rest.len() < self.line_end {
            self.line_end = self.rest.len() - self.rest.find('\n').unwrap_or(self.rest.len());
        }
        &self.rest[..self.rest.len() - self.line_end]
    }

    fn skip_line(&mut self) {
        let length = self.rest_of_line().len();
        self.take(self.rest.len().min(length + 1));
    }

    /// Returns the length of the comment at the front; `None` if it does not end in this game.
    fn comment(&mut self) -> Option<usize> {
        let bytes = self.rest.as_bytes();
        let (fewest, most) = self.endless;
        if (fewest + 1..=most).contains(&bytes.len()) {
            return None;
        }
        let end = bytes.iter().enumerate().find(|&(at, &byte)| byte == b'}' || begins_game(bytes, at));
        let end = end.map(|(at, &byte)| (at, byte));
        if let Some((at, b'}')) = end {
            return Some(at + 1);
        }
        self.endless = (bytes.len() - end.map_or(bytes.len(), |(at, _)| at), bytes.len());
        None
    }

    /// Moves to the next line or to a tag in this line. Comments are skipped whole, even across lines.
    fn skip_line_with_comments(&mut self) {
        while let Some(at) = self.rest.find(['{', ';', '[', '\n']) {
            self.take(at);
            let length = match self.rest.as_bytes()[0] {
                b'{' => self.comment(),
                b'[' if is_tag(self.rest_of_line()) => return,
                b'[' => Some(1),
                _ => None,
            };
            match length {
                Some(length) => drop(self.take(length)),
                None => return self.skip_line(),
            }
        }
        self.take(self.rest.len());
    }

    /// Skips blanks and comments, but not round brackets; returns whether an empty line was among them.
    pub(super) fn skip_comments(&mut self) -> Result<bool, Fault> {
        let mut empty_line = false;
        loop {
            let line = self.line;
            self.skip_blanks();
            empty_line |= self.line > line + 1;
            let length = match self.rest.as_bytes().first() {
                Some(b'{') => self.comment().ok_or_else(|| (self.line, ENDLESS_COMMENT.to_owned()))?,
                Some(b';' | b'%') => self.rest_of_line().len(),
                _ => return Ok(empty_line),
            };
            self.take(length);
        }
    }

    /// Skips text between a result and the next game, such as the greetings of web sites.
    pub(super) fn skip_advertisement(&mut self) {
        if begins_with_first_move(self.rest) {
            return;
        }
        self.skip_line_with_comments();
        while !self.rest.is_empty() && !self.is_at_game() {
            self.skip_line();
        }
    }

    /// Whether another game may begin here, after the result of a game.
    fn is_at_game(&self) -> bool {
        let mut ahead = *self;
        ahead.take(self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len());
        let line = ahead.rest_of_line();
        let moves = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut stands_alone = || {
            ahead.skip_line();
            ahead.rest_of_line().trim().is_empty()
        };
        line.starts_with('{')
            // A line in square brackets that is not a tag and stands alone may be an address.
            || line.starts_with('[') && (begins_tag(line.as_bytes()) || parts_of_tag(line).is_some() || !stands_alone())
            || moves.len() < line.len() && moves.starts_with('.')
    }

    /// Skips the tags at the front and moves to the next tag; with `in_moves` also to a first move after an empty line or a
    /// result. Text in comments begins no game.
    pub(super) fn skip_to_game(&mut self, in_moves: bool) {
        while self.rest.starts_with('[') {
            self.skip_line();
        }
        let mut behind_game = ends_with_result(self.rest_of_line());
        self.skip_line_with_comments();
        while !self.rest.is_empty() && !self.rest.starts_with('[') {
            if in_moves && behind_game && begins_with_first_move(self.rest) {
                return;
            }
            let line = self.rest_of_line();
            behind_game = line.trim().is_empty() || ends_with_result(line);
            self.skip_line_with_comments();
        }
    }

    /// Parses `[Name "value"]` if a tag comes next. A line may hold several tags.
    pub(super) fn tag(&mut self) -> Result<Option<(String, String)>, Fault> {
        self.skip_comments()?;
        if !self.rest.starts_with('[') {
            return Ok(None);
        }
        let text = self.rest_of_line();
        let (name, value, behind) =
            parts_of_tag(text).ok_or_else(|| (self.line, format!("{:?} is not a tag", text.trim())))?;
        self.take(text.len() - behind.len());
        Ok(Some((name.to_owned(), unescaped(value))))
    }

    /// Returns the next word or bracket of the moves, and its line; `None` before a tag and at the end.
    pub(super) fn token(&mut self) -> Result<Option<(Token<'a>, usize)>, Fault> {
        self.skip_comments()?;
        if self.rest.starts_with('[') || self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        if self.rest.starts_with('(') {
            let range = bracket(self.rest).map_err(|reason| (line, reason))?;
            let text = self.take(range.end + 1);
            return Ok(Some((Token::Bracket(&text[range]), line)));
        }
        let end =
            self.rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | ';')).unwrap_or(self.rest.len());
        // A closing bracket without an opening one is a word, but not a move.
        Ok(Some((Token::Word(self.take(end.max(1))), line)))
    }
}

/// Parses the tag at the front of `text`; returns its name, its value and the text after it. The value ends at a quotation
/// mark directly before the closing bracket, as some writers leave quotation marks in a value unescaped. A mark after a
/// backslash ends it only if there is no other one, as some writers leave backslashes unescaped.
fn parts_of_tag(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut ends = rest.match_indices('"').filter_map(|(at, mark)| {
        let behind = rest[at + mark.len()..].trim_start().strip_prefix(']')?;
        Some((name, &rest[..at], behind))
    });
    let is_escaped = |value: &str| (value.len() - value.trim_end_matches('\\').len()) % 2 == 1;
    ends.clone().find(|(_, value, _)| !is_escaped(value)).or_else(|| ends.next())
}

/// Removes the backslashes that escape quotation marks and backslashes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '\\' | '"'));
        text.push(escaped.unwrap_or(letter));
    }
    text
}

/// Whether a line begins with a tag whose value has no quotation marks: a cheap test for lines with many brackets.
fn is_tag(line: &str) -> bool {
    let mut parts = line.splitn(3, '"');
    begins_tag(line.as_bytes()) && parts.nth(2).is_some_and(|behind| behind.trim_start().starts_with(']'))
}

fn ends_with_result(line: &str) -> bool {
    line.split_whitespace().next_back().is_some_and(|word| RESULTS.contains(&word))
}

/// Whether the first move of a game comes next, with its number.
fn begins_with_first_move(text: &str) -> bool {
    let behind_number = text.trim_start_matches([' ', '\t']).strip_prefix("1.");
    behind_number.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether the text begins with a bracket, a name, blanks and a quotation mark.
fn begins_tag(text: &[u8]) -> bool {
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !b"[]\"{}();".contains(byte);
    let Some(inside) = text.strip_prefix(b"[") else { return false };
    let (name, value) = inside.split_at(inside.iter().take_while(|byte| is_name(byte)).count());
    !name.is_empty() && !value.starts_with(b"\"") && value.trim_ascii_start().starts_with(b"\"")
}

/// Whether another game begins at byte `at`: with a tag after an empty line that no tag precedes. A line feed is part of a
/// character in none of the encodings, so this can be tested before the encoding is known.
pub(crate) fn begins_game(bytes: &[u8], at: usize) -> bool {
    if at == 0 || bytes[at - 1] != b'\n' || !begins_tag(&bytes[at..]) {
        return false;
    }
    let before = bytes[..at].trim_ascii_end();
    let is_behind_empty_line = bytes[before.len()..at].iter().filter(|byte| **byte == b'\n').count() > 1;
    let line = &before[before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)..];
    let is_behind_tag = line.strip_suffix(b"]").is_some_and(|inside| {
        // Moves or the result of the previous game may stand in front of a tag.
        inside.trim_ascii_start().starts_with(b"[") || inside.trim_ascii_end().ends_with(b"\"")
    });
    is_behind_empty_line && !before.is_empty() && !is_behind_tag
}

/// Returns the range inside the round brackets at the front of `text`; brackets in comments do not count. Every level is parsed
/// by a recursive call that scans its text again, so the depth is limited.
fn bracket(text: &str) -> Result<Range<usize>, String> {
    let (mut depth, mut in_comment) = (0_usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' if begins_game(text.as_bytes(), at) => break,
            b'}' => in_comment = false,
            _ if in_comment => {}
            b'{' => in_comment = true,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        match depth {
            0 => return Ok(1..at),
            1..=DEEPEST => {}
            _ => return Err(format!("variations are more than {DEEPEST} deep")),
        }
    }
    Err(if in_comment { ENDLESS_COMMENT } else { "a bracket has no end" }.to_owned())
}
