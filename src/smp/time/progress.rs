//! Progress of a search as time management sees it, independent of the game.

use crate::smp::table::Bound;

/// An iteration, finished or not, as time management sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Best move, as any number that tells moves apart.
    pub best: u16,
    /// Value of the best move for the side to move, in hundredths of the game's unit.
    pub score: i32,
    /// Relation of `score` to the true value.
    pub bound: Bound,
    /// Share of the nodes that were spent below the best move, in thousandths.
    pub best_permille: u32,
}
