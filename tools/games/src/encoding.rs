//! Text encodings: UTF-8, and the code page of older Chinese programs.

use anyhow::{Context, Result};
use encoding_rs::GB18030;

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

/// Decodes a file in UTF-8 or in the encoding of older Chinese programs; its lines end with line feeds.
///
/// # Errors
/// If the bytes are neither.
pub fn decode(mut bytes: Vec<u8>) -> Result<String> {
    end_lines(&mut bytes);
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            let text = GB18030.decode_without_bom_handling_and_without_replacement(error.as_bytes());
            text.map(String::from).context("neither UTF-8 nor GB18030")
        }
    }
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
}
