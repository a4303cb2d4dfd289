//! Tokens of a line: words between blanks, whatever bytes the line holds.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::engine::options::saturating_integer;

/// The words of a line that have not been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a>(&'a str);

/// Decodes a line. Paths come in the code pages of their users, so invalid UTF-8 is replaced rather than refused.
pub(crate) fn text_of(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line))
}

/// Returns the bytes from which [`text_of`] has made `rest`, the end of a line without the blanks after it.
pub(crate) fn bytes_of<'a>(line: &'a [u8], rest: &str) -> Vec<u8> {
    let valid = |text: &'a str| text.char_indices().map(|(at, c)| &text.as_bytes()[at..at + c.len_utf8()]);
    // An invalid sequence has become one character, whatever its length.
    let pieces = line.utf8_chunks().flat_map(|chunk| valid(chunk.valid()).chain([chunk.invalid()]));
    let pieces: Vec<&[u8]> = pieces.filter(|piece| !piece.is_empty()).collect();
    let is_blank = |piece: &&&[u8]| std::str::from_utf8(piece).is_ok_and(|text| text.chars().all(is_blank));
    let end = pieces.len() - pieces.iter().rev().take_while(is_blank).count();
    pieces[end.saturating_sub(rest.chars().count())..end].concat()
}

/// Converts bytes to a file name. Where names are bytes, they are taken as they are, in whatever encoding.
#[cfg(unix)]
pub(crate) fn file_name(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// Converts bytes to a file name, on systems whose names consist of characters.
#[cfg(not(unix))]
pub(crate) fn file_name(bytes: Vec<u8>) -> OsString {
    utf8_or_gbk(&bytes).into_owned().into()
}

/// Decodes UTF-8, or else the code page of Chinese programs for Windows; what is neither is replaced.
#[cfg(any(not(unix), test))]
fn utf8_or_gbk(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::GBK.decode_without_bom_handling(bytes).0,
    }
}

/// Whether a character separates words: blanks, tabs, line ends, and control characters.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self(line.trim_matches(is_blank))
    }

    /// Returns everything that is left, inner blanks included.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    /// Returns the next word without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.0.split(is_blank).next().filter(|word| !word.is_empty())
    }

    /// Whether the next word is one of these, in any case; it is not consumed.
    pub(crate) fn at_any(&self, words: &[&str]) -> bool {
        self.peek().is_some_and(|next| words.iter().any(|word| next.eq_ignore_ascii_case(word)))
    }

    /// Consumes the next word if it is `word`, in any case, and returns whether it was.
    pub(crate) fn accept(&mut self, word: &str) -> bool {
        let found = self.at_any(&[word]);
        if found {
            self.next();
        }
        found
    }

    /// Skips the words before the first of these, in any case; skips nothing if none of them follows.
    pub(crate) fn skip_to_any(&mut self, words: &[&str]) {
        let mut ahead = self.clone();
        while ahead.peek().is_some() {
            if ahead.at_any(words) {
                *self = ahead;
                return;
            }
            ahead.next();
        }
    }

    /// Consumes and returns the words before the next of `ends`.
    pub(crate) fn until(&mut self, ends: &[&str]) -> Vec<&'a str> {
        std::iter::from_fn(|| if self.at_any(ends) { None } else { self.next() }).collect()
    }

    /// Consumes the next word as a number of any length, rounded down if it is a fraction; another word is left.
    pub(crate) fn number(&mut self) -> Option<i64> {
        let number = rounded_down(self.peek()?)?;
        self.next();
        Some(number)
    }
}

/// Parses `12` and `12.5`, rounded down.
fn rounded_down(text: &str) -> Option<i64> {
    let Some((whole, fraction)) = text.split_once('.') else { return saturating_integer(text) };
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let number = match whole {
        "" | "+" | "-" => 0,
        _ => saturating_integer(whole)?,
    };
    let below = whole.starts_with('-') && fraction.bytes().any(|byte| byte != b'0');
    is_fraction.then(|| number.saturating_sub(i64::from(below)))
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.0 = self.0[word.len()..].trim_start_matches(is_blank);
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blanks_of_every_kind_are_one_separator() {
        let text = text_of(b"\xef\xbb\xbf \tsetoption   pruning\t large \x00\r\n");
        assert_eq!(Tokens::new(&text).collect::<Vec<_>>(), ["setoption", "pruning", "large"]);
        assert_eq!(Tokens::new(" \r\n").next(), None);
    }

    #[test]
    fn the_rest_keeps_its_inner_blanks() {
        let mut tokens = Tokens::new("setoption  logfile  C:\\my  log.txt \r\n");
        assert!(tokens.accept("SETOPTION"));
        assert!(!tokens.accept("bookfiles"));
        assert_eq!(tokens.next(), Some("logfile"));
        assert_eq!(tokens.rest(), "C:\\my  log.txt");
    }

    #[test]
    fn the_bytes_behind_a_text_are_found_again() {
        for (line, rest) in [
            (
                b"setoption bookfiles C:\\\xcf\xf3 \xc6\xe5\\b.dat\r\n".as_slice(),
                b"C:\\\xcf\xf3 \xc6\xe5\\b.dat".as_slice(),
            ),
            (b"\xef\xbb\xbfsetoption \xff /tmp/\xe5\xbc\x88 \t", b"/tmp/\xe5\xbc\x88"),
            (b"setoption a", b""),
            (b"setoption a \xff\xfe\xe5\xbc", b"\xff\xfe\xe5\xbc"),
        ] {
            let text = text_of(line);
            let mut tokens = Tokens::new(&text);
            tokens.by_ref().take(2).for_each(drop);
            assert_eq!(bytes_of(line, tokens.rest()), rest, "{text}");
        }
    }

    #[test]
    fn names_of_files_are_utf8_or_gbk() {
        for (bytes, text) in [
            (b"C:\\\xcf\xf3\xc6\xe5\\book.obk".as_slice(), "C:\\象棋\\book.obk"),
            // Characters of two bytes of which the second is a backslash or a bar, and one of four bytes.
            (b"D:\\\x83\x5c\x94\x7c;\x81\x30\x81\x30", "D:\\僜攟;\u{80}"),
            ("C:\\象棋\\book.obk".as_bytes(), "C:\\象棋\\book.obk"),
            (b"C:\\books\\a b.obk", "C:\\books\\a b.obk"),
            (b"\xff.log", "\u{fffd}.log"),
            (b"", ""),
        ] {
            assert_eq!(utf8_or_gbk(bytes), text);
        }
    }

    #[test]
    fn only_numbers_are_taken_as_numbers() {
        let mut tokens = Tokens::new("-50 99999999999999999999 x");
        assert_eq!((tokens.number(), tokens.number(), tokens.number()), (Some(-50), Some(i64::MAX), None));
        assert_eq!(tokens.next(), Some("x"));
        assert_eq!(tokens.number(), None);
    }

    #[test]
    fn fractions_are_rounded_down() {
        let number = |text| Tokens::new(text).number();
        assert_eq!((number("2.5"), number("0.9"), number(".9"), number("7.0")), (Some(2), Some(0), Some(0), Some(7)));
        assert_eq!((number("-2.5"), number("-2.0"), number("-.1")), (Some(-3), Some(-2), Some(-1)));
        assert_eq!(number("99999999999999999999.5"), Some(i64::MAX));
        for text in [".", "2.", "2.5.1", "2.x", "x.2", "1e3", "2,5", "--2.5", "-"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_line_comes_apart(line in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = text_of(&line);
            let words: Vec<_> = Tokens::new(&text).collect();
            prop_assert!(words.iter().all(|word| !word.is_empty() && !word.contains(is_blank)));
            let lengths: usize = words.iter().map(|word| word.len()).sum();
            prop_assert_eq!(lengths, text.chars().filter(|&c| !is_blank(c)).map(char::len_utf8).sum::<usize>());
        }
    }
}
