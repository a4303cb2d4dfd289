//! Text encodings: UTF-8, and the code pages of older Chinese programs, of mainland China and of Taiwan and Hong Kong.

use anyhow::{Result, bail};
use encoding_rs::{BIG5, GB18030};

/// Encoding of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8, for newer readers.
    #[default]
    Utf8,
    /// GB18030, for readers that support only the Chinese code page.
    Gb18030,
}

impl Encoding {
    /// Encodes `text`; both encodings have every character.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Gb18030 => GB18030.encode(text).0.into_owned(),
        }
    }
}

/// Characters of moves in Chinese notation, simplified and traditional, and of results: nearly every text about games has
/// some of them, and in the wrong code page hardly any.
const OF_GAMES: &str = "进進退平车車俥马馬傌炮砲包兵卒相象仕士帅帥将將前中后後红紅黑胜勝负負和一二三四五六七八九局棋";

/// Decodes a file in UTF-8 or in a code page of older Chinese programs; its lines end with line feeds.
///
/// Nearly every text in Big5 can be read as GB18030 too, as other characters: the code page is taken in which more
/// characters of moves appear, GB18030 if both have as many.
///
/// # Errors
/// If the bytes are in none of the encodings.
pub fn decode(mut bytes: Vec<u8>) -> Result<String> {
    end_lines(&mut bytes);
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            let mut texts = readings(error.as_bytes());
            let Some(last) = texts.pop() else { bail!("neither UTF-8 nor GB18030 nor Big5") };
            let of_games = |text: &String| text.chars().filter(|&c| OF_GAMES.contains(c)).count();
            Ok(texts.pop().filter(|first| of_games(first) >= of_games(&last)).unwrap_or(last))
        }
    }
}

/// Returns the texts that the bytes may be in the code pages, GB18030 first.
pub(crate) fn readings(bytes: &[u8]) -> Vec<String> {
    let pages = [GB18030, BIG5].into_iter();
    let texts = pages.map(|page| page.decode_without_bom_handling_and_without_replacement(bytes));
    texts.flatten().map(String::from).collect()
}

/// Replaces carriage returns that end lines alone, as on old Macintoshes, by line feeds; those before a line feed stay. A
/// carriage return is part of a character in none of the encodings.
pub(crate) fn end_lines(bytes: &mut [u8]) {
    let mut before_line_feed = false;
    for byte in bytes.iter_mut().rev() {
        match *byte {
            b'\n' => before_line_feed = true,
            b'\r' if before_line_feed => {}
            b'\r' => *byte = b'\n',
            _ => before_line_feed = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_the_ways_of_all_systems() {
        for (bytes, text) in
            [("a\rb\r\rc\r", "a\nb\n\nc\n"), ("a\r\nb\r\r\nc\nd", "a\r\nb\r\r\nc\nd"), ("\u{feff}a\n\rb", "a\n\nb")]
        {
            assert_eq!(decode(bytes.into()).unwrap(), text);
        }
    }

    #[test]
    fn the_code_page_is_the_one_in_which_games_make_sense() {
        let traditional = "[Red \"許銀川\"]\n1. 炮二平五 馬８進７ 2. 馬二進三 車９平８ 1-0\n";
        let simplified = "[Red \"许银川\"]\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n";
        assert_eq!(decode(BIG5.encode(traditional).0.into_owned()).unwrap(), traditional);
        assert_eq!(decode(GB18030.encode(traditional).0.into_owned()).unwrap(), traditional);
        assert_eq!(decode(GB18030.encode(simplified).0.into_owned()).unwrap(), simplified);
        for text in ["紅勝", "士四進五", "將５平４"] {
            assert_eq!(decode(BIG5.encode(text).0.into_owned()).unwrap(), text);
            assert_eq!(decode(GB18030.encode(text).0.into_owned()).unwrap(), text);
        }
        assert!(decode(vec![0xFF, 0xFF, 0xFF]).is_err());
    }
}
