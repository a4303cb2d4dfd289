//! Records of finished games: plain data for the journal, the statistics, the PGN and the report.

use chuhe::board::{Move, Position, Side};
use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::journal::Entry;

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number from 1, in the order planned by the match; games `2n - 1` and `2n` are a pair with colours exchanged.
    pub number: u32,
    /// Round, from 1; all pairs of one opening and two engines belong to one round.
    pub round: u32,
    /// Name of the engine with the red pieces.
    pub red: String,
    /// Name of the engine with the black pieces.
    pub black: String,
    /// Position in which the engines began to think.
    pub start_fen: String,
    /// Name of the opening, if it has one.
    pub opening: Option<String>,
    /// Position before the opening, if moves were played before the engines began to think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_fen: Option<String>,
    /// Moves of the opening, such as `h2e2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_moves: Vec<String>,
    /// The moves the engines played.
    pub moves: Vec<MoveRecord>,
    /// Result.
    pub result: GameResult,
    /// Reason for the result.
    pub ending: Ending,
    /// Time of the start, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// Duration, in milliseconds.
    pub duration_ms: u64,
    /// Time control as given by the user and scaled by `-clockscale`, for the heading.
    pub time_control: String,
    /// Engines whose processes were killed from outside in earlier attempts at this game, one for each attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub killed: Vec<String>,
}

impl GameRecord {
    /// Returns the name of the engine that has lost, if any.
    pub fn loser(&self) -> Option<&str> {
        match self.result {
            GameResult::Red => Some(&self.black),
            GameResult::Black => Some(&self.red),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// Returns the position after the moves that can be played; `None` if the start is invalid.
    pub fn last_position(&self) -> Option<Position> {
        let mut position = Position::from_fen(&self.start_fen).ok()?;
        for record in &self.moves {
            let Some(mv) = record.mv.parse().ok().filter(|mv: &Move| position.is_legal(*mv)) else { break };
            position = position.play(mv);
        }
        Some(position)
    }
}

impl Entry for GameRecord {
    const WHAT: &'static str = "game";
}

/// A move, with the engine's output about it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Move such as `h2e2`, ranks from 0.
    pub mv: String,
    /// Last score before the move, for the mover.
    pub eval: Option<Eval>,
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Selective depth, in plies.
    pub selective_depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second, as reported by the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// Filling of the engine's transposition table, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u32>,
    /// Positions that the engine found in endgame tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// Time spent on the clock, in milliseconds.
    pub time_ms: u64,
    /// Time of the search as the engine measures it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_ms: Option<u64>,
    /// Time left on the mover's clock afterwards, increment included, in milliseconds.
    pub left_ms: Option<u64>,
    /// Whether the move came from a ponder search with the right prediction.
    pub ponder_hit: bool,
    /// Whether the engine offered a draw with the move, or agreed to one.
    #[serde(default)]
    pub draw_offer: bool,
    /// Moves forbidden to the engine at this point, such as `h2e2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub banned: Vec<String>,
    /// Latency of the runner, from the arrival of the opponent's answer to the `go` command, in microseconds;
    /// `None` at the first move and where a ponder search had to be stopped.
    #[serde(default)]
    pub latency_us: Option<u64>,
    /// First illegal move in the engine's principal variations, with the moves that lead to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_pv: Option<String>,
    /// Last principal variation of the engine up to its first illegal move, at most 32 plies: moves such as `h2e2`, separated
    /// by spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
    /// Further lines of engine output that were to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl MoveRecord {
    /// Returns the time on the clock beyond the time that the engine reports, in milliseconds.
    pub fn latency_ms(&self) -> Option<i64> {
        let signed = |time: u64| i64::try_from(time).unwrap_or(i64::MAX);
        Some(signed(self.time_ms) - signed(self.reported_ms?))
    }
}

/// A score, for the side that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Eval {
    /// Hundredths of a pawn, whatever unit the engine uses.
    Centipawns(i32),
    /// Mate in this number of moves; negative, or 0, when being mated.
    Mate(i32),
}

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`.
    Red,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`: interrupted, not counted.
    Unfinished,
}

impl GameResult {
    /// Returns the outcome; `None` if the game was interrupted.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Red => Some(Outcome::Won(Side::Red)),
            Self::Black => Some(Outcome::Won(Side::Black)),
            Self::Draw => Some(Outcome::Drawn),
            Self::Unfinished => None,
        }
    }

    /// Returns the result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Red => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// Ending of a game: its class, and one line of details (the reason and the loop of a repetition, an exit code, an
/// illegal move).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Class, for counting.
    pub class: EndingClass,
    /// Details.
    pub text: String,
    /// Standard error of the process at fault, if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Ending {
    /// Creates an ending without a process at fault.
    pub fn new(class: EndingClass, text: impl Into<String>) -> Self {
        Self { class, text: text.into(), stderr: String::new() }
    }
}

/// Classes of endings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum EndingClass {
    /// Checkmate.
    Mate,
    /// No legal move, which loses.
    Stalemate,
    /// A repetition, lost or drawn as the details say.
    Repetition,
    /// Too many moves without a capture.
    MoveLimit,
    /// No attacking piece is left.
    NoAttackers,
    /// An engine resigned.
    Resignation,
    /// Both engines agreed on a draw.
    Agreement,
    /// Draw adjudicated by the runner: quiet scores for long enough.
    DrawAdjudication,
    /// Win adjudicated by the runner: decisive scores for long enough.
    WinAdjudication,
    /// The runner's limit on the number of moves.
    MaxMoves,
    /// Draw by the runner's endgame tablebases.
    TablebaseDraw,
    /// Win by the runner's endgame tablebases.
    TablebaseWin,
    /// The loser overran its clock.
    TimeLoss,
    /// The loser's process ended.
    Crash,
    /// The loser's process was killed from outside, in game after game.
    Killed,
    /// The loser did not answer.
    Hang,
    /// The loser played an illegal move.
    IllegalMove,
    /// The loser played a move that it had been forbidden.
    BannedMove,
    /// The loser did not complete the handshake.
    NoHandshake,
    /// The loser violated the protocol: a flood, an endless line, an unrequested answer.
    ProtocolViolation,
    /// The match was stopped.
    Interrupted,
}

impl EndingClass {
    /// Whether the loser failed as a program, not as a player.
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Self::TimeLoss
                | Self::Crash
                | Self::Killed
                | Self::Hang
                | Self::IllegalMove
                | Self::BannedMove
                | Self::NoHandshake
                | Self::ProtocolViolation
        )
    }
}
