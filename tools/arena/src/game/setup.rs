//! Conditions of one game: plain data.

use chuhe::board::{Move, Position};
use chuhe::rules::Rules;

use super::tables::TableReferee;

/// Everything about a game except its players.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSetup {
    /// Number of the game in the schedule, from 1.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Start position of the opening.
    pub start: Position,
    /// Moves played before the engines begin to think; the game starts before the first illegal one.
    pub opening_moves: Vec<Move>,
    /// Name of the opening.
    pub opening_name: Option<String>,
    /// Rules of the referee.
    pub rules: Rules,
    /// Treatment of a loop that loses under the rules.
    pub perpetual: Perpetual,
    /// Whether draw offers of both engines in succession end the game in a draw.
    pub draw_offers: bool,
    /// Draw adjudication.
    pub draw: Option<DrawAdjudication>,
    /// Resign adjudication.
    pub resign: Option<ResignAdjudication>,
    /// Full moves of the engines after which the game is a draw.
    pub max_moves: Option<u32>,
    /// Endgame tablebases that end games.
    pub tables: Option<TableReferee>,
}

impl GameSetup {
    /// Returns a game from `start` under the rules of the league, without adjudication.
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
            tables: None,
        }
    }
}

/// Treatment of a loop that loses under the rules, such as perpetual check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Perpetual {
    /// The side to blame loses.
    #[default]
    Lose,
    /// The side to blame must not continue the loop.
    Ban,
}

/// Draw adjudication from move `move_number` on: both engines report scores within `score` for `move_count` moves each,
/// counted from the last capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawAdjudication {
    /// Full moves of the game before which there is no draw adjudication.
    pub move_number: u32,
    /// Number of consecutive moves of each side.
    pub move_count: u32,
    /// Largest score of either side, in centipawns.
    pub score: i32,
}

/// Resign adjudication: an engine loses if it reports a score of at most `-score` for `move_count` moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignAdjudication {
    /// Number of consecutive moves of the loser, and of the winner if `two_sided`.
    pub move_count: u32,
    /// Score in centipawns.
    pub score: i32,
    /// Whether the opponent must report a winning score too.
    pub two_sided: bool,
}
