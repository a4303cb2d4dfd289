//! A search shared by all workers, and its scores.

use std::sync::Arc;

use chuhe::smp::shared::{NodeCounters, StopFlag};
use chuhe::smp::table::Table;

use super::current_moves::CurrentMoves;
use crate::board::Board;
use crate::cell::{CELLS, Cell};

/// Score of a game that is won; a win in `n` plies scores `WIN - n`.
pub const WIN: i32 = 30_000;
/// Lowest score of a proven win.
pub const SURE: i32 = WIN - CELLS as i32 - 1;
/// Greatest depth of an iteration, in plies.
pub const MAX_DEPTH: i32 = 64;

/// A search, shared by all workers.
pub struct Task {
    /// Id of the search.
    pub id: u64,
    /// Root position.
    pub board: Board,
    /// Root moves to choose from; never empty.
    pub root_moves: Vec<Cell>,
    /// Whether every root move is searched, not only those near a stone or against a threat.
    pub looks_at_all: bool,
    /// Aim of the search.
    pub aim: Aim,
    /// Whether the search may end after one iteration if there is only one root move.
    pub in_game: bool,
    /// Shared transposition table (TT).
    pub table: Arc<Table>,
    /// Stop flag, raised to end the search.
    pub stop: StopFlag,
    /// Nodes searched by each worker.
    pub counters: NodeCounters,
    /// Moves that the workers are searching now.
    pub current_moves: CurrentMoves,
    /// Depth limit, in plies.
    pub depth: i32,
}

/// Aim of a search among the root moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// The best move.
    Best,
    /// The best move, and the best of those that are not symmetric to it.
    BestTwo,
    /// The worst move for the side to move.
    Worst,
}

/// Whether a score is a proven win or loss.
pub fn is_decided(score: i32) -> bool {
    score.abs() >= SURE
}

/// Converts a score for the table, where wins are counted from the node instead of the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    i16::try_from(score + shift).unwrap_or(if score > 0 { i16::MAX } else { -i16::MAX })
}

/// Inverse of [`to_table`], possibly at another ply.
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    let score = i32::from(score);
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    score - shift
}
