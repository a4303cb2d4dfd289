//! The conditions of one game: plain data.

use chuhe::board::{Move, Position};
use chuhe::rules::Rules;

/// Everything about a game but its players.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSetup {
    /// From 1 in the order in which the match planned them.
    pub number: u32,
    /// From 1.
    pub round: u32,
    /// Where the opening begins.
    pub start: Position,
    /// Played before the engines begin to think; legal, or the game begins before the first that is not.
    pub opening_moves: Vec<Move>,
    /// What the opening is called.
    pub opening_name: Option<String>,
    /// By which the referee judges.
    pub rules: Rules,
    /// What becomes of a loop that loses.
    pub perpetual: Perpetual,
    /// Whether both engines wanting a draw in succession makes one.
    pub draw_offers: bool,
    /// When quiet games are called a draw.
    pub draw: Option<DrawAdjudication>,
    /// When decided games are called won.
    pub resign: Option<ResignAdjudication>,
    /// Full moves of the engines after which the game is a draw.
    pub max_moves: Option<u32>,
}

impl GameSetup {
    /// A game from `start` under the rules of the league, without adjudication.
    pub fn new(start: Position) -> Self {
        Self {
            number: 1,
            round: 1,
            start,
            opening_moves: Vec::new(),
            opening_name: None,
            rules: Rules::default(),
            perpetual: Perpetual::Lose,
            draw_offers: true,
            draw: None,
            resign: None,
            max_moves: None,
        }
    }
}

/// What becomes of a loop that loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Perpetual {
    /// It loses.
    #[default]
    Lose,
    /// The engine to blame is forbidden to go on with it.
    Ban,
}

/// A draw from move `move_number` on, once both engines have kept within `score` for `move_count` moves each since the last
/// capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawAdjudication {
    /// Full moves before which nothing is called a draw.
    pub move_number: u32,
    /// Moves of each side.
    pub move_count: u32,
    /// The most that either side may claim, in centipawns.
    pub score: i32,
}

/// An engine that sees itself `score` behind for `move_count` moves has lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignAdjudication {
    /// Moves of the loser, and of the winner if `two_sided`.
    pub move_count: u32,
    /// In centipawns.
    pub score: i32,
    /// Whether its opponent must see it too.
    pub two_sided: bool,
}
