//! Events of the engine, all in one queue: lines of input and reports of the workers.

use crate::cell::Cell;

/// An event.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of input.
    Line(String),
    /// The end of the input.
    End,
    /// Worker 0 has finished an iteration of the search with this id.
    Iteration(u64, Iteration),
    /// A worker has ended.
    Finished {
        /// Id of the search.
        search: u64,
        /// Number of the worker.
        worker: usize,
        /// Last iteration that the worker finished, if any.
        last: Option<Iteration>,
    },
}

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Nominal depth, in plies.
    pub depth: i32,
    /// Score of the chosen move for the side to move.
    pub score: i32,
    /// Principal variation (PV); never empty.
    pub line: Vec<Cell>,
    /// Second move, in a search for two.
    pub second: Option<Cell>,
    /// Share of the nodes below the chosen move, in thousandths.
    pub best_permille: u32,
    /// Root moves that are proven wins.
    pub winning: Vec<Cell>,
    /// Root moves that are proven losses.
    pub losing: Vec<Cell>,
}
