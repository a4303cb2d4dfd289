//! What happens to the engine, all of it in one queue: lines come in, and workers report.

use crate::cell::Cell;

/// What happens.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was read.
    Line(String),
    /// There will be no more lines.
    End,
    /// Worker 0 has finished an iteration of the search with this number.
    Iteration(u64, Iteration),
    /// A worker has ended, with its last iteration if it has finished one.
    Finished {
        /// Of this search.
        search: u64,
        /// Who.
        worker: usize,
        /// With what.
        last: Option<Iteration>,
    },
}

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Nominal depth, in plies.
    pub depth: i32,
    /// What the chosen move is worth to the side to move.
    pub score: i32,
    /// The expected line; never empty.
    pub line: Vec<Cell>,
    /// The second move of a search for two.
    pub second: Option<Cell>,
    /// Share of the nodes below the chosen move, in thousandths.
    pub best_permille: u32,
    /// Root moves known to win.
    pub winning: Vec<Cell>,
    /// Root moves known to lose.
    pub losing: Vec<Cell>,
}
