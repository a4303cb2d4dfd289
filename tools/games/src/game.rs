//! A recorded game as one kind of value, whatever format it was read from.

use chuhe::board::{Move, Position, Side};

/// A game that replays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Where it begins.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Move>,
    /// What might have been played.
    pub variations: Vec<Variation>,
    /// Which variations break off before their end, and why.
    pub broken: Vec<Faulty>,
    /// Who has won, if that is known.
    pub result: Option<Outcome>,
    /// Ratings of red and black; 0 if not known.
    pub ratings: [u16; 2],
}

impl Game {
    /// Moves of which nothing else is known.
    pub(crate) fn bare(start: Position, moves: Vec<Move>) -> Self {
        Self { start, moves, variations: vec![], broken: vec![], result: None, ratings: [0; 2] }
    }
}

/// Moves that leave the game, or another variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Plies of the game before its first move.
    pub ply: usize,
    /// Where it begins.
    pub start: Position,
    /// What is played.
    pub moves: Vec<Move>,
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Somebody has won.
    Won(Side),
    /// Nobody has.
    Drawn,
}

impl Outcome {
    /// As PGN writes it; none if that is nothing yet.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Won(Side::Red)),
            "0-1" => Some(Self::Won(Side::Black)),
            "1/2-1/2" => Some(Self::Drawn),
            _ => None,
        }
    }
}

/// A game that does not replay: where it stands in its file, and why.
pub type Faulty = String;
