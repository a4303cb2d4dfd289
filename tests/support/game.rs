//! One game as the referee sees it: the moves, the position for the engines, the verdict. Knows no engine and no clock.

use std::fmt;
use std::time::Duration;

use chuhe::board::{Move, Position, Side};
use chuhe::rules::{self, RuleSet};

/// No game is longer; a draw then.
const LONGEST_GAME: usize = 600;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// By the rules of the game.
    Rules(rules::Ending),
    /// Stopped as a draw.
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
            Self::Rules(ending) => ending.name(),
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

    /// The verdict, if the game is over; repetitions are judged by the Asian rules.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        match rules::judge(&self.positions, &RuleSet::Asian.rules()) {
            Some(rules::Verdict { loser, ending }) => {
                Some(Verdict { winner: loser.map(|side| !side), ending: Ending::Rules(ending) })
            }
            None if self.plies >= LONGEST_GAME => Some(Verdict { winner: None, ending: Ending::TooLong }),
            None => None,
        }
    }
}
