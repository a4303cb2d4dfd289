//! JSON from files that may hold anything.

use anyhow::{Error, Result};
use serde::de::DeserializeOwned;

/// Parses JSON.
///
/// # Errors
/// If the bytes do not parse, with a reason in one line: the messages of `serde_json` quote names and values of the file, which
/// may contain line breaks and control sequences of terminals.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| Error::msg(error.to_string().replace(|c: char| c.is_control(), " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Head {
        depth: u32,
    }

    #[test]
    fn foreign_words_make_neither_lines_nor_colours() {
        assert_eq!(read::<Head>(b"{\"depth\":5}").unwrap().depth, 5);
        let told = |text: &str| read::<Head>(text.as_bytes()).unwrap_err().to_string();
        assert!(told("{\"\\n\\u001bgine\":5}").starts_with("unknown field `  gine`, expected `depth`"));
        assert!(told("{\"depth\":\"\\u009b2J\"}").starts_with("invalid type: string "));
        for text in ["{\"\\n\\u001bgine\":5}", "{\"depth\":\"\\u009b2J\"}"] {
            assert!(!told(text).contains(char::is_control), "{:?}", told(text));
        }
    }
}
