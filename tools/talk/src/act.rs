//! Acts of the user in a conversation, and their text form for replays.

use std::time::Duration;

use anyhow::{Context, Result, bail};

/// An act of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Writes a line; the line end is added.
    Say(Vec<u8>),
    /// Writes part of a line as it stands.
    Part(Vec<u8>),
    /// Waits for a while.
    Pause(Duration),
    /// Waits for the answer to a search, at most this long.
    Await(Duration),
    /// Writes `isready` and waits for the answer.
    Ask,
    /// Writes `quit` and waits for the end.
    Quit,
    /// Closes the input and waits for the end.
    Close,
}

/// Prefix of the engine's lines in a transcript; replays skip them.
pub const HEARD: &str = "< ";
/// Prefix of comments in a transcript; replays skip them.
pub const COMMENT: &str = "# ";

impl Act {
    /// Returns the act as a line of a transcript.
    pub fn write(&self) -> String {
        match self {
            Self::Say(line) => format!("> {}", line.escape_ascii()),
            Self::Part(bytes) => format!("+ {}", bytes.escape_ascii()),
            Self::Pause(time) => format!("pause {}", time.as_micros()),
            Self::Await(time) => format!("await {}", time.as_micros()),
            Self::Ask => "ask".into(),
            Self::Quit => "quit".into(),
            Self::Close => "close".into(),
        }
    }

    fn read(line: &str) -> Result<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let time = || rest.parse().map(Duration::from_micros).context("a time in microseconds");
        Ok(match word {
            ">" => Self::Say(unescape(rest)?),
            "+" => Self::Part(unescape(rest)?),
            "pause" => Self::Pause(time()?),
            "await" => Self::Await(time()?),
            "ask" => Self::Ask,
            "quit" => Self::Quit,
            "close" => Self::Close,
            _ => bail!("no act begins with {word:?}"),
        })
    }
}

/// Parses the acts of a transcript; the engine's lines are skipped.
///
/// # Errors
/// If a line is not an act.
pub fn read_transcript(text: &str) -> Result<Vec<Act>> {
    let is_act = |line: &&str| !line.is_empty() && !line.starts_with(HEARD.trim()) && !line.starts_with(COMMENT.trim());
    text.lines().filter(is_act).map(|line| Act::read(line).with_context(|| line.to_owned())).collect()
}

/// Inverse of `escape_ascii`.
fn unescape(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().context("nothing after a backslash")? {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let digits = [rest.next(), rest.next()].into_iter().flatten().collect();
                u8::from_str_radix(&String::from_utf8(digits)?, 16)?
            }
            byte => byte,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_read_as_they_are_written() {
        let acts = [
            Act::Say((0..=255).collect()),
            Act::Part(b"position startp".to_vec()),
            Act::Say(Vec::new()),
            Act::Pause(Duration::from_micros(1234)),
            Act::Await(Duration::from_millis(5)),
            Act::Ask,
            Act::Quit,
            Act::Close,
        ];
        let heard = ["# a comment", "< readyok", "#", ""].map(str::to_owned);
        let text: Vec<String> = acts.iter().map(Act::write).chain(heard).collect();
        assert_eq!(read_transcript(&text.join("\n")).unwrap(), acts);
        assert!(read_transcript("shout x").is_err());
    }
}
