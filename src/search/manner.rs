//! What of the user's preferences every node looks at, copied out of the context for speed.

use super::context::SearchContext;
use super::preferences::{PositionValues, Preferences, Pruning};
use crate::board::Position;
use crate::rules::Rules;
use crate::score::Score;

/// How one search is conducted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'a> {
    /// A free move of the opponent may prove a node.
    pub(super) passes: bool,
    /// Late moves, and nodes without a known move, are searched less deep.
    pub(super) reduces: bool,
    /// Static margins may decide a node.
    pub(super) prunes_nodes: bool,
    /// Moves may be left out.
    pub(super) prunes_moves: bool,
    /// By which rules repetitions are judged.
    pub(super) rules: &'a Rules,
    /// What the user says of single positions.
    pub(super) position_values: &'a PositionValues,
    /// What keeps apart in the table what was found in another manner.
    pub(super) table_salt: u64,
    /// By the side to move.
    draws: [Score; 2],
}

impl<'a> Manner<'a> {
    pub(super) fn of(context: &'a SearchContext) -> Self {
        let (preferences, limits) = (&context.preferences, &context.limits);
        let root = context.root().side();
        // Who asks for a mate wants to know for certain.
        let pruning = if limits.mate.is_some() { Pruning::None } else { preferences.pruning };
        let salted = Preferences { pruning, ..preferences.clone() };
        Self {
            passes: pruning >= Pruning::Small,
            reduces: pruning >= Pruning::Small,
            prunes_nodes: pruning >= Pruning::Medium,
            prunes_moves: pruning >= Pruning::Large,
            rules: &context.rules,
            position_values: &preferences.position_values,
            table_salt: salted.table_salt(root),
            draws: preferences.draw_values(root).map(Score::from_eval),
        }
    }

    /// What a draw is worth to the side to move of `position`.
    pub(super) fn draw(&self, position: &Position) -> Score {
        self.draws[position.side().index()]
    }
}
