//! The bytes of texts: UTF-8, and the code page of older Chinese programs.

use anyhow::{Context, Result};
use encoding_rs::GB18030;

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// For newer readers.
    #[default]
    Utf8,
    /// For readers that know the Chinese code page only.
    Gb18030,
}

impl Encoding {
    /// `text` in this encoding; both can write every character.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Gb18030 => GB18030.encode(text).0.into_owned(),
        }
    }
}

/// The text of a file in UTF-8 or in the encoding of older Chinese programs.
///
/// # Errors
/// If it is neither.
pub fn decode(bytes: Vec<u8>) -> Result<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            let text = GB18030.decode_without_bom_handling_and_without_replacement(error.as_bytes());
            text.map(String::from).context("neither UTF-8 nor GB18030")
        }
    }
}
