//! What is known of an engine before it runs: plain data, as the command line gives it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chuhe::rules::RuleSet;
use serde::{Deserialize, Serialize};

/// An engine that can be started.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// In the tables.
    pub name: String,
    /// The program; looked for in `dir`, then from here, then in the search path.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: Option<PathBuf>,
    /// What it speaks.
    pub protocol: ProtocolChoice,
    /// Set after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub time: TimeControl,
    /// Whether it thinks on its opponent's time.
    pub ponder: bool,
    /// So much later than its clock allows may an answer come.
    pub time_margin: Duration,
    /// Rules of the match, set in the engine where it has an option for them.
    #[serde(skip)]
    pub rules: Option<RuleSet>,
    /// When a new process replaces the old one.
    pub restart: Restart,
    /// How it writes, where that cannot or shall not be found out.
    pub habits: Habits,
    /// How long it may take for what no clock measures.
    pub timeouts: Timeouts,
}

impl EngineSpec {
    /// A program named after its file, with a second a move.
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
            habits: Habits::default(),
            timeouts: Timeouts::default(),
        }
    }

    /// What is wanted of the engine and cannot be said in the protocol that was named.
    pub fn unsayable(&self) -> Option<&'static str> {
        match self.protocol {
            ProtocolChoice::Xboard if self.ponder => Some("ponder"),
            ProtocolChoice::Xboard if self.time.nodes.is_some() => Some("nodes="),
            _ => None,
        }
    }
}

/// Which protocol to speak.
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

/// When a new process replaces the old one between games.
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

/// Differences between engines of one protocol; `None` is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Habits {
    /// The unit of UCCI's clocks.
    pub unit: Option<ClockUnit>,
    /// The number of the first rank.
    pub ranks: Option<RankBase>,
    /// The letters of horses and elephants in FENs: those of the protocol if nothing is said.
    pub letters: Option<PieceLetters>,
    /// What a score of 100 is worth in centipawns: in UCCI a minor piece if nothing is said, otherwise a pawn.
    #[serde(default)]
    pub hundred: Option<u32>,
}

/// The unit of the times in UCCI's `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ClockUnit {
    /// 1/1000 s.
    Milliseconds,
    /// Whole seconds.
    Seconds,
}

/// How ranks are numbered in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RankBase {
    /// 0 to 9.
    Zero,
    /// 1 to 10.
    One,
}

/// The letters of horses and elephants in FENs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum PieceLetters {
    /// `n` and `b`.
    #[default]
    KnightBishop,
    /// `h` and `e`.
    HorseElephant,
}

/// How long an engine may take where no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Timeouts {
    /// From its start to the end of the handshake.
    pub handshake: Duration,
    /// For `isready`.
    pub ready: Duration,
    /// For an answer after `stop`: after that it hangs.
    pub stop: Duration,
    /// For a move without a clock.
    pub unclocked_move: Duration,
    /// To end after `quit`.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            stop: Duration::from_secs(2),
            unclocked_move: Duration::from_secs(600),
            quit: Duration::from_secs(2),
        }
    }
}

/// What limits an engine's thinking. Several limits hold together; none at all is refused by the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// On the clock at the start, with one increment, and added again after each session of `moves`.
    pub base: Option<Duration>,
    /// On the clock before the first move, and added after each move.
    pub increment: Duration,
    /// Moves of a session.
    pub moves: Option<u32>,
    /// For each move, instead of a clock.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Whether nothing limits it.
    pub fn is_unlimited(&self) -> bool {
        !self.measures_time() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Whether its clock has nothing on it before the first move.
    pub fn has_no_time(&self) -> bool {
        self.base.is_some_and(|base| base.is_zero() && self.increment.is_zero())
    }

    /// Whether a clock limits it.
    pub fn measures_time(&self) -> bool {
        self.base.is_some() || self.move_time.is_some()
    }
}

/// `40/60+0.6`, `st=0.5`, `inf nodes=1000`.
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

/// The text is not `[moves/]seconds[+increment]`, `[moves/]minutes:seconds[+increment]` or `inf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeControlError(pub String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no time control like 40/60+0.6, 1:30+1 or inf", self.0)
    }
}

impl std::error::Error for TimeControlError {}

/// The clock, as `tc=` gives it.
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
    Some(TimeControl { base: Some(base), increment, moves, ..TimeControl::default() })
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
    fn what_is_no_time_control_is_refused() {
        for text in ["", "ten", "-1", "1+", "/5", "NaN", "1e400"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError(text.to_owned())), "{text}");
        }
    }
}
