//! One game as the referee sees it: the moves, the position for the engines, the verdict. Knows no engine and no clock.

use std::fmt;
use std::time::Duration;

use chuhe::board::{Move, Position, Side};

/// A position that has come this often ends the game.
const OCCURRENCES: usize = 3;
/// So many plies without a capture make a draw.
const PLIES_WITHOUT_CAPTURE: u16 = 120;
/// No game is longer; a draw then.
const LONGEST_GAME: usize = 600;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Mate,
    Stalemate,
    /// One side alone gave check with every move of a repetition, and loses.
    PerpetualCheck,
    Repetition,
    NoCapture,
    TooLong,
    Resignation,
    /// The loser did not play by the protocol.
    Failure(Failure),
}

/// What an engine must never do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// A move that the board forbids, or none where there is one.
    IllegalMove(String),
    /// The answer came this long after the clock had run out.
    TimeLoss(Duration),
    /// The process ended, or ended badly.
    Crash(String),
    /// There was no answer at all.
    Hang(String),
    /// There was an answer that nobody had asked for.
    Unasked(String),
}

impl Ending {
    /// The kind of ending, without its details.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::PerpetualCheck => "perpetual check",
            Self::Repetition => "repetition",
            Self::NoCapture => "no capture",
            Self::TooLong => "length",
            Self::Resignation => "resignation",
            Self::Failure(failure) => failure.name(),
        }
    }
}

impl Failure {
    /// The class, without its details.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) => "ILLEGAL MOVE",
            Self::TimeLoss(_) => "TIME LOSS",
            Self::Crash(_) => "CRASH",
            Self::Hang(_) => "HANG",
            Self::Unasked(_) => "UNASKED ANSWER",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeLoss(late) => write!(f, "{}: {late:?} too late", self.name()),
            Self::IllegalMove(what) | Self::Crash(what) | Self::Hang(what) | Self::Unasked(what) => {
                write!(f, "{}: {what}", self.name())
            }
        }
    }
}

/// Who won, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    pub(crate) winner: Option<Side>,
    pub(crate) ending: Ending,
}

/// A game in progress, from the last capture on.
pub(crate) struct Game {
    /// The first is the start or the position after the last capture; never empty.
    positions: Vec<Position>,
    /// Between those positions.
    moves: Vec<Move>,
    plies: usize,
}

impl Game {
    pub(crate) fn new(start: Position) -> Self {
        Self { positions: vec![start], moves: vec![], plies: 0 }
    }

    pub(crate) fn position(&self) -> &Position {
        self.positions.last().expect("never empty")
    }

    /// Plies played so far.
    pub(crate) fn plies(&self) -> usize {
        self.plies
    }

    /// The command that tells an engine where we are: the position after the last capture and the moves since.
    pub(crate) fn command(&self) -> String {
        let mut command = format!("position fen {}", self.positions[0].to_fen());
        if !self.moves.is_empty() {
            command += " moves";
        }
        for mv in &self.moves {
            command += &format!(" {mv}");
        }
        command
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: Move) {
        let next = self.position().play(mv);
        if self.position().is_capture(mv) {
            self.positions.clear();
            self.moves.clear();
        } else {
            self.moves.push(mv);
        }
        self.positions.push(next);
        self.plies += 1;
    }

    /// The verdict, if the game is over.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let position = self.position();
        let draw = |ending| Some(Verdict { winner: None, ending });
        if !position.has_legal_move() {
            let ending = if position.in_check() { Ending::Mate } else { Ending::Stalemate };
            return Some(Verdict { winner: Some(!position.side()), ending });
        }
        if let Some(verdict) = self.repetition() {
            return Some(verdict);
        }
        if position.reversible_plies() >= PLIES_WITHOUT_CAPTURE {
            return draw(Ending::NoCapture);
        }
        if self.plies >= LONGEST_GAME { draw(Ending::TooLong) } else { None }
    }

    fn repetition(&self) -> Option<Verdict> {
        let key = self.position().key();
        let same = self.positions.iter().enumerate().rev().filter(|(_, position)| position.key() == key);
        let (first, _) = same.take(OCCURRENCES).nth(OCCURRENCES - 1)?;
        // The positions a side left behind it: the other side is to move, and in check if the move gave one.
        let always_checks = |side: Side| {
            self.positions[first + 1..].iter().filter(|after| after.side() != side).all(Position::in_check)
        };
        let checker = match Side::ALL.map(always_checks) {
            [true, false] => Some(Side::Red),
            [false, true] => Some(Side::Black),
            _ => None,
        };
        let ending = if checker.is_some() { Ending::PerpetualCheck } else { Ending::Repetition };
        Some(Verdict { winner: checker.map(|side| !side), ending })
    }
}
