//! What a worker tells its surroundings, and what it found.

use crate::board::Move;
use crate::score::Score;

/// How a score relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// It is the value.
    Exact,
    /// The value is at least this (the aspiration window failed high).
    AtLeast,
    /// The value is at most this (the aspiration window failed low).
    AtMost,
}

/// One finished iteration of one worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Nominal depth, in plies.
    pub depth: u32,
    /// Deepest line looked at, in plies.
    pub selective_depth: u32,
    /// Value of the root for the side to move.
    pub score: Score,
    /// Whether `score` is exact; time is managed by exact iterations alone.
    pub bound: ScoreBound,
    /// The expected line, best move first; never empty.
    pub pv: Vec<Move>,
    /// Nodes of this worker since the search began.
    pub nodes: u64,
    /// Share of those nodes spent below the best move, in thousandths.
    pub best_move_permille: u32,
}

/// What one worker ends with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Depth of the last finished iteration, in plies; 0 if none was finished.
    pub depth: u32,
    /// Deepest line looked at, in plies.
    pub selective_depth: u32,
    /// Value of the best move.
    pub score: Score,
    /// The expected line, best move first; never empty, even when stopped at once.
    pub pv: Vec<Move>,
    /// Nodes of this worker.
    pub nodes: u64,
}

/// What a worker would end with if the iteration were its last.
impl From<&Iteration> for Outcome {
    fn from(iteration: &Iteration) -> Self {
        Self {
            depth: iteration.depth,
            selective_depth: iteration.selective_depth,
            score: iteration.score,
            pv: iteration.pv.clone(),
            nodes: iteration.nodes,
        }
    }
}

/// The search's way to talk; the controller, `bench` and tools implement it.
pub trait Reporter {
    /// An iteration (or an aspiration failure inside one) is done.
    fn iteration(&mut self, iteration: Iteration);
}

/// Says nothing: for helper workers, tests and data generation.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Reporter for Silent {
    fn iteration(&mut self, _: Iteration) {}
}
