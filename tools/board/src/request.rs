//! Requests of the page, as they are written.

use std::collections::BTreeMap;

use chuhe::rules::{RuleSet, Rules};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::line::LineText;
use crate::refusal::Refusal;
use crate::score::ScoreText;

/// A request, by the `type` of its message.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Ping,
    Position {
        #[serde(flatten)]
        line: LineText,
        #[serde(default)]
        rules: RulesText,
    },
    Names {
        #[serde(flatten)]
        line: LineText,
    },
    ReadMove {
        #[serde(flatten)]
        line: LineText,
        text: String,
    },
    Knowledge {
        #[serde(flatten)]
        line: LineText,
    },
    CheckFen {
        fen: String,
    },
    Read {
        text: String,
    },
    Export(Export),
    Play(Play),
    Hint(Play),
    Analyse(Analyse),
    Annotate(Annotate),
    Stop {
        job: u64,
    },
    Cancel {
        job: u64,
    },
    Journals,
    Watch {
        name: String,
    },
    JournalGame {
        name: String,
        number: u32,
        #[serde(default)]
        playing: bool,
    },
    Engines,
    EnginesSave {
        engines: Vec<EngineEntry>,
    },
    EngineTest {
        engine: String,
    },
}

/// A file to be made for the page.
#[derive(Debug, Deserialize)]
pub(crate) struct Export {
    pub(crate) format: ExportFormat,
    #[serde(flatten)]
    pub(crate) line: LineText,
    pub(crate) game: Option<GameText>,
    #[serde(default)]
    pub(crate) notation: NotationName,
    #[serde(default)]
    pub(crate) coordinates: CoordinatesName,
    #[serde(default)]
    pub(crate) pieces: PiecesName,
    #[serde(default)]
    pub(crate) flipped: bool,
    #[serde(default)]
    pub(crate) arrows: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExportFormat {
    Pgn,
    Fen,
    Svg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotationName {
    #[default]
    Iccs,
    Wxf,
    Chinese,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CoordinatesName {
    None,
    #[default]
    Iccs,
    Wxf,
    Chinese,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PiecesName {
    #[default]
    Character,
    Letter,
}

/// A game with variations, as a flat list of moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct GameText {
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) result: Option<String>,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) nodes: Vec<NodeText>,
}

/// A move of a game, with the index of the move before it, or -1.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct NodeText {
    pub(crate) parent: i64,
    pub(crate) mv: String,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) nags: Vec<u16>,
}

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct Limits {
    pub(crate) movetime: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) clock: Option<Clock>,
}

/// Clocks of both sides, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Clock {
    pub(crate) red: u64,
    pub(crate) black: u64,
    #[serde(default)]
    pub(crate) red_inc: u64,
    #[serde(default)]
    pub(crate) black_inc: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Play {
    pub(crate) engine: String,
    #[serde(flatten)]
    pub(crate) line: LineText,
    #[serde(default)]
    pub(crate) rules: RulesText,
    pub(crate) elo: Option<i32>,
    #[serde(default)]
    pub(crate) limits: Limits,
    #[serde(default)]
    pub(crate) draw_offered: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Analyse {
    pub(crate) slot: String,
    pub(crate) engine: String,
    #[serde(flatten)]
    pub(crate) line: LineText,
    #[serde(default)]
    pub(crate) rules: RulesText,
    #[serde(default)]
    pub(crate) limits: Limits,
    pub(crate) multipv: Option<u32>,
    pub(crate) threads: Option<u32>,
    pub(crate) hash: Option<u32>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Annotate {
    pub(crate) engine: String,
    #[serde(flatten)]
    pub(crate) line: LineText,
    #[serde(default)]
    pub(crate) rules: RulesText,
    #[serde(default)]
    pub(crate) limits: Limits,
    pub(crate) threads: Option<u32>,
    pub(crate) hash: Option<u32>,
    /// Values of the first positions, from an analysis that was interrupted.
    #[serde(default)]
    pub(crate) known: Vec<KnownValue>,
}

/// Value of a position, as the progress of an analysis reports it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct KnownValue {
    pub(crate) score: ScoreText,
    pub(crate) depth: Option<u32>,
    pub(crate) expectation: f64,
    #[serde(default)]
    pub(crate) pv: Vec<String>,
}

/// An engine in the user's file and in messages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, serde::Serialize)]
pub(crate) struct EngineEntry {
    pub(crate) name: String,
    #[serde(default, skip_deserializing, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) builtin: bool,
    #[serde(default)]
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) args: Vec<String>,
    #[serde(default)]
    pub(crate) dir: String,
    #[serde(default = "auto")]
    pub(crate) protocol: String,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
}

fn auto() -> String {
    "auto".to_owned()
}

/// The rules of repetition that a request names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RulesText(pub(crate) RuleSet);

impl Default for RulesText {
    fn default() -> Self {
        Self(RuleSet::Asian)
    }
}

impl RulesText {
    pub(crate) fn rules(self) -> Rules {
        self.0.rules()
    }
}

impl<'de> Deserialize<'de> for RulesText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = Option::<String>::deserialize(from)?;
        name.map_or_else(|| Ok(Self::default()), |name| name.parse().map(Self).map_err(serde::de::Error::custom))
    }
}

/// Reads a message: its number, if it has one, and the request.
pub(crate) fn read(text: &str) -> (Option<u64>, Result<Request, Refusal>) {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return (None, Err(Refusal::new("bad_message", error))),
    };
    let Some(id) = value.get("id").and_then(Value::as_u64) else {
        return (None, Err(Refusal::new("bad_message", "a request needs a number \"id\"")));
    };
    let request = Request::deserialize(value).map_err(|error| {
        let detail = error.to_string();
        let is_unknown = detail.starts_with("unknown variant") && detail.contains("`ping`");
        Refusal::new(if is_unknown { "unknown_type" } else { "bad_message" }, detail)
    });
    (Some(id), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> (Option<u64>, &'static str) {
        let (id, request) = read(text);
        (id, request.unwrap_err().code)
    }

    #[test]
    fn requests_name_their_line() {
        let (id, request) = read(r#"{"id": 7, "type": "position", "moves": ["h2e2"], "rules": "chinese", "more": 1}"#);
        let Ok(Request::Position { line, rules }) = request else { panic!("{request:?}") };
        assert_eq!((id, line.start, line.moves.len(), rules.0), (Some(7), None, 1, RuleSet::Chinese));
        let text =
            r#"{"id": 8, "type": "play", "engine": "Chuhe", "limits": {"nodes": 5, "clock": {"red": 1, "black": 2}}}"#;
        let Ok(Request::Play(play)) = read(text).1 else { panic!("a play") };
        assert_eq!((play.limits.nodes, play.limits.clock.unwrap().black, play.elo), (Some(5), 2, None));
    }

    #[test]
    fn what_is_no_request_says_why() {
        assert_eq!(code("hello"), (None, "bad_message"));
        assert_eq!(code(r#"{"type": "ping"}"#), (None, "bad_message"));
        assert_eq!(code(r#"{"id": 1}"#), (Some(1), "bad_message"));
        assert_eq!(code(r#"{"id": 2, "type": "launch"}"#), (Some(2), "unknown_type"));
        assert_eq!(code(r#"{"id": 3, "type": "position", "rules": "fifa"}"#), (Some(3), "bad_message"));
        assert_eq!(code(r#"{"id": 4, "type": "stop", "job": "all"}"#), (Some(4), "bad_message"));
        let deep = format!(r#"{{"id": 5, "type": "ping", "x": {}}}"#, "[".repeat(100_000));
        assert_eq!(code(&deep).1, "bad_message");
    }
}
