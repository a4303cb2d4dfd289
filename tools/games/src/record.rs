//! What is known of a game once it is over: plain data for the journal, the statistics, the PGN and the report.

use chuhe::board::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::journal::Entry;

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// From 1 in the order in which the match planned them; games `2n - 1` and `2n` are a pair with colours exchanged.
    pub number: u32,
    /// From 1; the pairs of one opening and two engines belong to one round.
    pub round: u32,
    /// Name of the engine with the red pieces.
    pub red: String,
    /// Name of the engine with the black pieces.
    pub black: String,
    /// Where the engines began to think.
    pub start_fen: String,
    /// What the opening is called, if it has a name.
    pub opening: Option<String>,
    /// Where the moves of the opening begin, if some were played before the engines began to think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_fen: Option<String>,
    /// Those moves, like `h2e2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_moves: Vec<String>,
    /// The moves the engines played.
    pub moves: Vec<MoveRecord>,
    /// Who has won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// When it began, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The time control as it was given, for the heading.
    pub time_control: String,
    /// The engines that somebody killed in earlier attempts at this game, one for each attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub killed: Vec<String>,
}

impl GameRecord {
    /// The name of the engine that has lost, if one has.
    pub fn loser(&self) -> Option<&str> {
        match self.result {
            GameResult::Red => Some(&self.black),
            GameResult::Black => Some(&self.red),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// Where its moves have led, as far as they can be played; none if it begins nowhere.
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

/// One move and what its engine said about it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Like `h2e2`, ranks from 0.
    pub mv: String,
    /// The last score before the move, for the mover.
    pub eval: Option<Eval>,
    /// Plies.
    pub depth: Option<u32>,
    /// Deepest line, in plies.
    pub selective_depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes a second, as the engine said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// What the move cost on the clock, in milliseconds.
    pub time_ms: u64,
    /// What was left on the mover's clock afterwards, increment included, in milliseconds.
    pub left_ms: Option<u64>,
    /// The answer came from a ponder search that had guessed right.
    pub ponder_hit: bool,
    /// The engine offered a draw with it, or agreed to one.
    #[serde(default)]
    pub draw_offer: bool,
    /// What the engine had been forbidden at this move, like `h2e2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub banned: Vec<String>,
    /// What the runner itself added: from the arrival of the opponent's answer to the command to think, in microseconds;
    /// nothing at the first move and where a ponder search had to be stopped.
    #[serde(default)]
    pub latency_us: Option<u64>,
    /// The first move of the engine's lines of play that is not legal where it stands, and how it is reached there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_pv: Option<String>,
    /// What else the engine said and somebody wanted to be kept, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// A score, for the side that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Eval {
    /// Hundredths of a pawn, whatever the engine counts in.
    Centipawns(i32),
    /// Mate in so many moves; negative, or 0, when being mated.
    Mate(i32),
}

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`.
    Red,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`: interrupted, counts for nothing.
    Unfinished,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Red => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// Why a game ended: the class, and one line for people (the reason and the loop of a repetition, an exit code, an
/// illegal move).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The class, by which endings are counted.
    pub class: EndingClass,
    /// Details.
    pub text: String,
    /// What the process to blame wrote to its standard error, if one is to blame.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Ending {
    /// One that no process is to blame for.
    pub fn new(class: EndingClass, text: impl Into<String>) -> Self {
        Self { class, text: text.into(), stderr: String::new() }
    }
}

/// The classes of endings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum EndingClass {
    /// Mated.
    Mate,
    /// No legal move, which loses.
    Stalemate,
    /// A repetition, lost or drawn as the text says.
    Repetition,
    /// Too long without a capture.
    MoveLimit,
    /// Nothing left to attack with.
    NoAttackers,
    /// An engine resigned.
    Resignation,
    /// Both engines wanted a draw.
    Agreement,
    /// The runner called it a draw: quiet scores for long enough.
    DrawAdjudication,
    /// The runner called it won: decided scores for long enough.
    WinAdjudication,
    /// The runner's limit of moves.
    MaxMoves,
    /// The loser overran its clock.
    TimeLoss,
    /// The loser's process ended.
    Crash,
    /// The loser's process was killed by somebody else, in game after game.
    Killed,
    /// The loser did not answer.
    Hang,
    /// The loser played what the board forbids.
    IllegalMove,
    /// The loser played what it had been forbidden.
    BannedMove,
    /// The loser never got through the handshake.
    NoHandshake,
    /// The loser wrote what no protocol allows: a flood, an endless line, an answer that nobody had asked for.
    ProtocolViolation,
    /// The match was stopped.
    Interrupted,
}

impl EndingClass {
    /// Whether the loser is to blame as a program, not as a player.
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
