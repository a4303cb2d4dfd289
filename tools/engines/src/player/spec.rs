//! Specification of an engine before it runs: plain data, from the command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chuhe::rules::RuleSet;
use serde::{Deserialize, Serialize};

/// Specification of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Name in tables.
    pub name: String,
    /// Program; searched in `dir`, then in the current directory, then in the search path.
    pub command: PathBuf,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory.
    pub dir: Option<PathBuf>,
    /// Protocol.
    pub protocol: ProtocolChoice,
    /// Options to set after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// Time control.
    pub time: TimeControl,
    /// Whether the engine thinks on its opponent's time.
    pub ponder: bool,
    /// Time by which an answer may exceed the clock.
    pub time_margin: Duration,
    /// Rules of the match, set in the engine if it has an option for them.
    #[serde(skip)]
    pub rules: Option<RuleSet>,
    /// Policy for replacing the process by a new one.
    pub restart: Restart,
    /// Notation and units, where they cannot or should not be detected.
    #[serde(rename = "habits")]
    pub quirks: Quirks,
    /// Timeouts for everything that no clock measures.
    pub timeouts: Timeouts,
    /// Lines for the process before its protocol begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_lines: Vec<String>,
    /// File to which the standard error of the process is appended.
    #[serde(skip)]
    pub stderr: Option<PathBuf>,
    /// Whether its scores are those of Red, whichever side moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scores_for_red: bool,
    /// Whether unrequested answers and floods pass with a note.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lenient: bool,
}

impl EngineSpec {
    /// Specifies a program, named after its file, with one second per move.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        let command = command.into();
        Self {
            name: command.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            command,
            args: Vec::new(),
            dir: None,
            protocol: ProtocolChoice::Auto,
            options: Vec::new(),
            time: TimeControl { move_time: Some(Duration::from_secs(1)), ..TimeControl::default() },
            ponder: false,
            time_margin: Duration::ZERO,
            rules: None,
            restart: Restart::Auto,
            quirks: Quirks::default(),
            timeouts: Timeouts::default(),
            first_lines: Vec::new(),
            stderr: None,
            scores_for_red: false,
            is_lenient: false,
        }
    }

    /// Returns a setting that the chosen protocol cannot express, if there is one.
    pub fn unsupported(&self) -> Option<&'static str> {
        match self.protocol {
            ProtocolChoice::Xboard if self.ponder => Some("ponder"),
            ProtocolChoice::Xboard if self.time.nodes.is_some() => Some("nodes="),
            _ => None,
        }
    }
}

/// Choice of a protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ProtocolChoice {
    /// `ucci` first, `uci` if that is not understood.
    #[default]
    Auto,
    /// UCCI.
    Ucci,
    /// UCI.
    Uci,
    /// Version 2 of the XBoard protocol; never guessed.
    Xboard,
}

/// Policy for replacing the process between games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Restart {
    /// After a failure.
    #[default]
    Auto,
    /// Before every game.
    On,
    /// Never: an engine that has failed forfeits the rest of its games.
    Off,
}

/// Differences between engines of one protocol; `None` means detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Quirks {
    /// Unit of UCCI clocks.
    pub unit: Option<ClockUnit>,
    /// Number of the first rank.
    pub ranks: Option<RankBase>,
    /// Letters of horses and elephants in FENs; those of the protocol by default.
    pub letters: Option<PieceLetters>,
    /// Centipawns per score of 100: by default a minor piece in UCCI, otherwise a pawn.
    #[serde(rename = "hundred", default)]
    pub score_unit: Option<u32>,
}

/// Unit of the times in UCCI's `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ClockUnit {
    /// 1/1000 s.
    Milliseconds,
    /// Whole seconds.
    Seconds,
}

/// Numbering of ranks in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RankBase {
    /// 0 to 9.
    Zero,
    /// 1 to 10.
    One,
}

/// Letters of horses and elephants in FENs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum PieceLetters {
    /// `n` and `b`.
    #[default]
    KnightBishop,
    /// `h` and `e`.
    HorseElephant,
}

/// Timeouts of an engine where no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Timeouts {
    /// Time from the start to the end of the handshake.
    pub handshake: Duration,
    /// Time for `isready`.
    pub ready: Duration,
    /// Time for the preparation of a game, if not the same.
    #[serde(skip)]
    pub new_game: Option<Duration>,
    /// Time for an answer after `stop`; after that the engine counts as hung.
    pub stop: Duration,
    /// Time for a move without a clock.
    pub unclocked_move: Duration,
    /// Time for the end of the process after `quit`.
    pub quit: Duration,
}

impl Timeouts {
    /// Returns the timeouts multiplied by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let [handshake, ready, stop, unclocked_move, quit] =
            [self.handshake, self.ready, self.stop, self.unclocked_move, self.quit].map(|time| time.mul_f64(factor));
        Self { handshake, ready, new_game: None, stop, unclocked_move, quit }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            new_game: None,
            stop: Duration::from_secs(2),
            unclocked_move: Duration::from_secs(600),
            quit: Duration::from_secs(2),
        }
    }
}

/// Longest time of a clock that is taken: a year.
pub const LONGEST_TIME: Duration = Duration::from_secs(366 * 24 * 3600);

/// Limits of an engine's searches. Several limits apply together; the command line rejects having none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time on the clock at the start, besides one increment, and added again after each session of `moves`.
    pub base: Option<Duration>,
    /// Time on the clock before the first move, and added after each move.
    pub increment: Duration,
    /// Moves of a session.
    pub moves: Option<u32>,
    /// Time for each move, instead of a clock.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        !self.measures_time() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Whether the clock has no time before the first move.
    pub fn has_no_time(&self) -> bool {
        self.base.is_some_and(|base| base.is_zero() && self.increment.is_zero())
    }

    /// Returns the limit with all times multiplied by `factor`, in whole milliseconds of at least one.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let scaled = |time: Duration| {
            let milliseconds = (time.as_secs_f64() * factor * 1000.0).round().max(1.0);
            if time.is_zero() { time } else { Duration::from_millis(milliseconds as u64) }
        };
        Self {
            base: self.base.map(scaled),
            increment: scaled(self.increment),
            move_time: self.move_time.map(scaled),
            ..self
        }
    }

    /// Whether there is a time limit.
    pub fn measures_time(&self) -> bool {
        self.base.is_some() || self.move_time.is_some()
    }
}

/// Writes `40/60+0.6`, `st=0.5`, `inf nodes=1000`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.base, self.move_time) {
            (Some(base), _) => {
                if let Some(moves) = self.moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if !self.increment.is_zero() {
                    write!(f, "+{}", self.increment.as_secs_f64())?;
                }
            }
            (None, Some(time)) => write!(f, "st={}", time.as_secs_f64())?,
            (None, None) => f.write_str("inf")?,
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes={nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth={depth}")?;
        }
        Ok(())
    }
}

/// Error for a text that is not `[moves/]seconds[+increment]`, `[moves/]minutes:seconds[+increment]` or `inf`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a time control like 40/60+0.6, 1:30+1 or inf")]
pub struct TimeControlError(pub String);

/// Parses the clock, as in `tc=`.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        if matches!(text, "inf" | "infinite") {
            return Ok(Self::default());
        }
        read_clock(text).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

fn read_clock(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?).filter(|&moves| moves > 0), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let base = match base.split_once(':') {
        Some((minutes, rest)) => Duration::from_secs(minutes.parse::<u32>().ok()?.into()) * 60 + seconds(rest)?,
        None => seconds(base)?,
    };
    let is_possible = [base, increment].into_iter().all(|time| time <= LONGEST_TIME);
    is_possible.then_some(TimeControl { base: Some(base), increment, moves, ..TimeControl::default() })
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_read_as_it_is_written() {
        for text in ["40/60+0.6", "10+0.1", "5", "inf", "0.25+0.001"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("40/1:30+1".parse::<TimeControl>().unwrap().to_string(), "40/90+1");
        let limited = TimeControl { nodes: Some(100), depth: Some(3), ..TimeControl::default() };
        assert_eq!(limited.to_string(), "inf nodes=100 depth=3");
    }

    #[test]
    fn all_times_of_a_limit_are_scaled_and_nothing_else() {
        let scaled = |text: &str, factor: f64| text.parse::<TimeControl>().unwrap().scaled(factor).to_string();
        assert_eq!(scaled("40/10+0.1", 1.25), "40/12.5+0.125");
        assert_eq!(scaled("10", 0.3333), "3.333");
        assert_eq!(scaled("0.001+0.001", 0.1), "0.001+0.001");
        let each = TimeControl { move_time: Some(Duration::from_secs(1)), nodes: Some(5), ..TimeControl::default() };
        assert_eq!(each.scaled(2.0).to_string(), "st=2 nodes=5");
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in ["", "ten", "-1", "1+", "/5", "NaN", "1e400", "1e10", "1+1e10", "9999999:00"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError(text.to_owned())), "{text}");
        }
    }
}
