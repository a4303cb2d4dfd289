//! The search: principal variation search (PVS) over few moves, with proofs by continuous fours (VCF) at its leaves.
//!
//! | word | meaning |
//! |---|---|
//! | five, four, three | as in [`crate::pattern`]; a straight four cannot be stopped, an open three threatens one |
//! | continuous fours | a win in which every move of the winner is a four, so that every answer is forced |
//! | continuous threes | a win by fours and open threes (VCT), to each of which there are few answers |
//!
//! A score is in hundredths of an open two, or a win or loss in a number of plies.

mod current_moves;
mod deepening;
mod fours;
mod moves;
mod task;
mod threes;
mod tree;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};

use chuhe::smp::pool;

use crate::board::Board;
use crate::cell::Cell;
use crate::event::{Event, Iteration};
pub use current_moves::CurrentMoves;
pub use task::{Aim, MAX_DEPTH, SURE, Task, WIN, is_decided};
use worker::{Memory, Worker};

/// A worker, with the memory it keeps between searches.
pub struct Searcher {
    number: usize,
    memory: Memory,
}

impl Searcher {
    /// Creates a worker with an empty memory; worker 0 reports the iterations.
    pub fn new(number: usize) -> Self {
        Self { number, memory: Memory::empty() }
    }

    /// Searches until everything is proven or the stop flag is raised.
    ///
    /// Returns `None` only if stopped before the end of the first iteration, which cannot happen to worker 0.
    pub fn search(&mut self, task: &Task, report: &mut dyn FnMut(Iteration)) -> Option<Iteration> {
        Worker::new(self.number, task, &mut self.memory).deepen(report)
    }
}

impl pool::Worker for Searcher {
    type Task = Task;
    type Report = Event;

    fn skip(worker: usize, task: &Task) -> Option<Event> {
        let late = worker > 0 && task.stop.is_raised();
        late.then_some(Event::Finished { search: task.id, worker, last: None })
    }

    fn run(&mut self, task: &Task, report: &mut dyn FnMut(Event)) -> Event {
        let (number, search) = (self.number, task.id);
        let mut on_iteration = |iteration| {
            if number == 0 {
                report(Event::Iteration(search, iteration));
            }
        };
        // A panic costs the memory and one vote, not the game: unfinished work is dropped, and the table consists of atomics in
        // which any value is valid.
        let found = catch_unwind(AssertUnwindSafe(|| self.search(task, &mut on_iteration)));
        let last = found.unwrap_or_else(|_| {
            *self = Self::new(number);
            None
        });
        Event::Finished { search, worker: number, last }
    }

    fn forget(&mut self) {
        self.memory = Memory::empty();
    }
}

/// Searches at most `nodes` positions for a win by continuous fours (VCF) of the side to move.
///
/// Returns the plies until five and the first move.
pub fn continuous_fours(board: &Board, nodes: u32) -> Option<(u32, Cell)> {
    fours::solve(&mut board.clone(), nodes)
}
