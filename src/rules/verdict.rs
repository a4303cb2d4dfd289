//! Verdicts: how a game has ended, and which side has lost it.

use super::repetition::Loop;
use crate::board::Side;

/// The way a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move, which loses too.
    Stalemate,
    /// A loop; the conduct of both sides says why it is lost or drawn.
    Repetition(Loop),
    /// Too many moves without a capture (the move limit).
    MoveLimit,
    /// Neither side has a piece left that can cross the river.
    NoAttackers,
}

impl Ending {
    /// The ending in a few words, for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Checkmate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition(judged) => judged.name(),
            Self::MoveLimit => "move limit",
            Self::NoAttackers => "no attackers",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The side that has lost; `None` in a draw.
    pub loser: Option<Side>,
    /// The way the game ended.
    pub ending: Ending,
}
