//! Openings from files: lists of positions, games, and opening books. A list is read whole and every line is checked in
//! advance, so that an error in line 366 does not end a match at game 731.

use std::path::Path;

use anyhow::{Context, Error, Result, ensure};
use chuhe::board::Position;
use chuhe::file;

use super::opening::Opening;
use super::{book, pgn};
use crate::encoding::decode;

/// Format of a file of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One position per line, as FEN or EPD.
    Epd,
    /// Games as PGN.
    Pgn,
    /// An opening book of any format that the engine reads.
    Book,
}

impl Format {
    /// Guesses the format from the name of a file.
    pub fn of(path: &Path) -> Self {
        let is = |wanted: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
        if is("pgn") {
            Self::Pgn
        } else if ["book", "dat", "obk", "pfBook"].into_iter().any(is) {
            Self::Book
        } else {
            Self::Epd
        }
    }
}

/// Reads the openings of a file: games up to `plies`, or random lines of `plies` plies from a book, drawn with `seed`.
///
/// # Errors
/// If an opening cannot be read; the message names the file, and the line at fault if there is one.
pub fn read_file(path: &Path, format: Format, plies: Option<usize>, seed: u64) -> Result<Vec<Opening>> {
    if format == Format::Book {
        return book::read_openings(path, plies, seed);
    }
    let name = path.display();
    let bytes = file::read(path).with_context(|| format!("{name} cannot be read"))?;
    let text = decode(bytes).with_context(|| name.to_string())?;
    let openings = if format == Format::Pgn { pgn::read_openings(&text, plies) } else { read_epd(&text) };
    let openings = openings.map_err(|(line, error)| error.context(format!("{name}:{line}")))?;
    ensure!(!openings.is_empty(), "{name} holds no opening");
    Ok(openings)
}

fn read_epd(text: &str) -> Result<Vec<Opening>, (usize, Error)> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(text, line)| read_line(text).map_err(|error| (line, error))).collect()
}

/// Parses a position of up to six fields, then EPD operations: `id "name";`, or a bare name after a semicolon.
fn read_line(line: &str) -> Result<Opening> {
    let mut parts = outside_quotes(line);
    let head = parts.remove(0);
    let mut fields = head.split_whitespace().peekable();
    let mut fen: Vec<&str> = fields.by_ref().take(2).collect();
    let is_counter = |field: &&str| *field == "-" || field.bytes().all(|byte| byte.is_ascii_digit());
    while let Some(field) = fields.next_if(|field| fen.len() < 6 && is_counter(field)) {
        fen.push(field);
    }
    let operation = fields.collect::<Vec<_>>().join(" ");
    let operations: Vec<&str> = [operation.as_str()].into_iter().chain(parts).map(str::trim).collect();
    let name =
        operations.iter().find_map(|part| id(part)).or_else(|| operations.iter().find_map(|part| bare_name(part)));
    let name = name.map(str::to_owned);
    ensure!(fen.len() > 1, "{line:?} is not a position: it does not say who moves");
    if fen.len() <= BEFORE_COUNTERS {
        let counter = |name: &str| operations.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix(' '));
        if let (Some(plies), Some(number)) = (counter("hmvc"), counter("fmvn")) {
            fen.resize(BEFORE_COUNTERS, "-");
            fen.extend([plies, number]);
        }
    }
    let start = Position::from_fen(&fen.join(" ")).with_context(|| format!("{line:?} is not a position"))?;
    let opening = Opening { name, start, moves: Vec::new() };
    opening.check()?;
    Ok(opening)
}

/// Number of fields in a FEN before its counters, which EPD has as operations.
const BEFORE_COUNTERS: usize = 4;

/// Operations of the EPD standard; `id` is another one.
const OPERATIONS: [&str; 36] = [
    "acd", "acn", "acs", "am", "bm", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "ce", "dm", "eco",
    "fmvn", "hmvc", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi", "v0", "v1", "v2", "v3",
    "v4", "v5",
];

/// Returns the name in `id "name"`.
fn id(operation: &str) -> Option<&str> {
    operation.strip_prefix("id ").map(|name| name.trim().trim_matches('"')).filter(|name| !name.is_empty())
}

/// Returns a text that is not an EPD operation.
fn bare_name(part: &str) -> Option<&str> {
    let opcode = part.split(' ').next()?;
    let is_operation =
        part.contains('"') || OPERATIONS.contains(&opcode) || part.split(' ').count() == 2 && opcode.len() <= 3;
    (!is_operation && !part.is_empty()).then_some(part)
}

/// Splits at semicolons outside quotation marks.
fn outside_quotes(line: &str) -> Vec<&str> {
    let mut quoted = false;
    line.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use std::fs;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    fn names(text: &str) -> Vec<Option<String>> {
        read_epd(text).unwrap().into_iter().map(|opening| opening.name).collect()
    }

    #[test]
    fn positions_have_four_or_six_fields_and_perhaps_a_name() {
        let text = format!(
            "# comment\n\n{START} w\n{START} w - -\n{START} w - - 0 1\n{START} b - - 0 1; \u{4e2d}\u{70ae} \n\
             {START} w - - id \"one; two\";\n{START} w - - 0 1 ce 30; id \"three\";\n{START} r; four words of name\n"
        );
        let expected =
            [None, None, None, Some("\u{4e2d}\u{70ae}"), Some("one; two"), Some("three"), Some("four words of name")];
        assert_eq!(names(&text), expected.map(|name| name.map(str::to_owned)));
    }

    #[test]
    fn operations_of_epd_are_no_names_and_say_the_counters() {
        let text = format!("{START} w - - hmvc 7; fmvn 12; id \"start\";\n{START} w - - bm h2e2 c3c4; resign;\n");
        assert_eq!(names(&text), [Some("start".to_owned()), None]);
        let openings = read_epd(&text).unwrap();
        assert!(openings[0].start.to_fen().ends_with(" w - - 7 12"), "{}", openings[0].start.to_fen());
    }

    #[test]
    fn the_openings_of_the_tests_are_read() {
        let text = include_str!("../../../../tests/data/openings.epd");
        let names = names(text);
        assert!(names.len() >= 20 && names.iter().all(Option::is_some));
    }

    #[test]
    fn lists_come_in_the_line_ends_and_encodings_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.epd");
        for ends in ["\n", "\r\n", "\r"] {
            let text = format!("{START} w; \u{4e2d}\u{70ae}{ends}{START} b; two{ends}");
            for bytes in [format!("\u{feff}{text}").into_bytes(), Encoding::Gb18030.encode(&text)] {
                fs::write(&path, bytes).unwrap();
                let openings = read_file(&path, Format::Epd, None, 1).unwrap();
                let names: Vec<_> = openings.iter().filter_map(|opening| opening.name.as_deref()).collect();
                assert_eq!(names, ["\u{4e2d}\u{70ae}", "two"], "{ends:?}");
            }
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.epd");
        for bad in ["hello", "hello world", "9/9 w", "3k5/9/9/9/9/9/9/9/9/3K5 w", "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"] {
            fs::write(&path, format!("{START} w\n{bad}\n")).unwrap();
            let error = format!("{:#}", read_file(&path, Format::Epd, None, 1).unwrap_err());
            assert!(error.starts_with(&format!("{}:2: ", path.display())), "{error}");
        }
        fs::write(&path, "[FEN \"9/9 w\"]\n\n1. h2e2 *\n").unwrap();
        let error = format!("{:#}", read_file(&path, Format::Pgn, Some(1), 1).unwrap_err());
        assert_eq!(error.matches("number of ranks").count(), 1, "{error}");
        fs::write(&path, "# nothing\n").unwrap();
        assert!(read_file(&path, Format::Epd, None, 1).is_err());
        let missing = read_file(&folder.path().join("none"), Format::Epd, None, 1).unwrap_err().to_string();
        assert!(missing.ends_with("none cannot be read"), "{missing}");
    }
}
