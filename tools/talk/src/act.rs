//! What the user of a conversation does, and how that is written down so that it can be done again.

use std::time::Duration;

use anyhow::{Context, Result, bail};

/// One thing that the user does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Says a line; its end is added.
    Say(Vec<u8>),
    /// Says a part of a line, as it stands.
    Part(Vec<u8>),
    /// Says nothing for a while.
    Pause(Duration),
    /// Waits for the answer to a search, but no longer than this.
    Await(Duration),
    /// Says `isready` and waits for the answer.
    Ask,
    /// Says `quit` and waits for the end.
    Quit,
    /// Closes the input and waits for the end.
    Close,
}

/// What begins a line in which the engine spoke; replays skip it.
pub const HEARD: &str = "< ";
/// What begins a line for people; replays skip it.
pub const COMMENT: &str = "# ";

impl Act {
    /// The act as a line of a transcript.
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

/// The acts of a transcript, without what the engine said.
///
/// # Errors
/// If a line is none of a transcript.
pub fn read_transcript(text: &str) -> Result<Vec<Act>> {
    let is_act = |line: &&str| !line.is_empty() && !line.starts_with(HEARD.trim()) && !line.starts_with(COMMENT.trim());
    text.lines().filter(is_act).map(|line| Act::read(line).with_context(|| line.to_owned())).collect()
}

/// The bytes that `escape_ascii` has written.
fn unescape(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().context("nothing behind a backslash")? {
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
