//! Command-line words: their syntax, and defaults for those that are missing.

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

use anyhow::{Context, Result};

/// Turns `-seed` into `--seed`, the usual form in engine tools.
pub fn two_dashes(word: OsString) -> OsString {
    let Some(name) = word.to_str().and_then(|text| text.strip_prefix('-')) else { return word };
    let is_name = name.len() > 1 && name.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_name { format!("--{name}").into() } else { word }
}

/// Returns the given folder, or that of the environment variable `variable`.
///
/// # Errors
/// If there is neither.
pub fn folder(named: Option<PathBuf>, variable: &str) -> Result<PathBuf> {
    named
        .or_else(|| env::var_os(variable).map(PathBuf::from))
        .with_context(|| format!("name a folder, or set {variable}"))
}

/// Returns the given number of threads, or the number of processors.
pub fn threads(named: Option<usize>) -> usize {
    named.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Maximum number of characters shown of a quotation.
const SHOWN: usize = 80;

/// Returns a message whose quotations, between `"` as Rust writes them or between backquotes, are cut to eighty characters and
/// an ellipsis.
pub fn with_short_quotations(message: &str) -> String {
    let mut short = String::with_capacity(message.len().min(1024));
    let mut rest = message;
    while let Some((before, quoted, behind)) = quotation(rest) {
        short += before;
        match cut(quoted) {
            Some(cut) => {
                short += &quoted[..cut];
                short.push('…');
            }
            None => short += quoted,
        }
        // The closing mark.
        let (mark, behind) = behind.split_at(1);
        short += mark;
        rest = behind;
    }
    short + rest
}

/// Splits text into the part up to the first opening mark, the quotation, and the rest from its closing mark on.
fn quotation(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find(['"', '`'])?;
    let mark = text.as_bytes()[open];
    let (before, inside) = text.split_at(open + 1);
    let mut is_escaped = false;
    let end = inside.bytes().position(|byte| {
        let ends = byte == mark && !is_escaped;
        is_escaped = mark == b'"' && byte == b'\\' && !is_escaped;
        ends
    })?;
    let (quoted, behind) = inside.split_at(end);
    Some((before, quoted, behind))
}

/// Returns the place where a long quotation is cut: between characters, and never inside an escape sequence.
fn cut(quoted: &str) -> Option<usize> {
    let (end, _) = quoted.char_indices().nth(SHOWN)?;
    let slashes = quoted[..end].bytes().rev().take_while(|byte| *byte == b'\\').count();
    Some(if slashes % 2 == 1 { end - 1 } else { end })
}

/// One of several parts of some work, such as `2/3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Number of the part, from 1.
    pub number: u64,
    /// Number of all parts.
    pub of: u64,
}

impl Share {
    /// Whether the `index`-th item, from 0, belongs to this part if items are dealt out in turn.
    pub const fn has(self, index: u64) -> bool {
        index % self.of == self.number - 1
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let share = numbers.map(|(number, of)| Self { number, of });
        share
            .filter(|share| (1..=share.of).contains(&share.number))
            .ok_or_else(|| "a part is written with how many there are, such as 2/5".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_quotations_are_cut_at_a_character_and_all_else_stays() {
        for message in
            ["", "nothing", "a.pgn: line 2: \"h2e2\" is not a legal move here", "a \" alone", "`x` and \"y\\\"z\""]
        {
            assert_eq!(with_short_quotations(message), message);
        }
        let exact = format!("{:?} is not a move, nor {:?}", "a".repeat(80), "马".repeat(80));
        assert_eq!(with_short_quotations(&exact), exact);
        let long = format!("x: {:?} is not a move, nor `{}`, nor {:?}", "a".repeat(81), "马".repeat(5000), "ok");
        let expected = format!("x: \"{}…\" is not a move, nor `{}…`, nor \"ok\"", "a".repeat(80), "马".repeat(80));
        assert_eq!(with_short_quotations(&long), expected);
        // A quotation mark or a backslash is written as two characters, of which both are shown or none.
        let marks = format!("{:?}", format!("{}\"{}", "a".repeat(79), "b".repeat(9)));
        assert_eq!(with_short_quotations(&marks), format!("\"{}…\"", "a".repeat(79)));
        let slashes = format!("{:?} ends", "\\".repeat(100));
        assert_eq!(with_short_quotations(&slashes), format!("\"{}…\" ends", "\\\\".repeat(40)));
    }

    #[test]
    fn names_get_a_second_dash_and_nothing_else_does() {
        for (word, expected) in
            [("-seed", "--seed"), ("--seed", "--seed"), ("-h", "-h"), ("-", "-"), ("a-b", "a-b"), ("-12", "-12")]
        {
            assert_eq!(two_dashes(word.into()), expected);
        }
    }

    #[test]
    fn all_shares_together_have_everything_once() {
        let has = |text: &str| -> Vec<u64> {
            let share: Share = text.parse().unwrap();
            (0..7).filter(|index| share.has(*index)).collect()
        };
        assert_eq!([has("1/3"), has("2/3"), has("3/3")], [vec![0, 3, 6], vec![1, 4], vec![2, 5]]);
        assert_eq!(("1/1".parse(), has("1/1").len()), (Ok(Share { number: 1, of: 1 }), 7));
        for text in ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_named_goes_before_what_is_usual() {
        assert_eq!(folder(Some("a".into()), "PATH").unwrap(), PathBuf::from("a"));
        let error = folder(None, "CHUHE_NOBODY_SETS_THIS").unwrap_err().to_string();
        assert_eq!(error, "name a folder, or set CHUHE_NOBODY_SETS_THIS");
        assert!(threads(Some(3)) == 3 && threads(None) > 0);
    }
}
