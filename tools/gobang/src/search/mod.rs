//! The search: principal variation search (PVS) over few moves, with proofs by continuous fours (VCF) at its leaves.
//!
//! | word | meaning |
//! |---|---|
//! | five, four, three | as in [`crate::pattern`]; a straight four cannot be stopped, an open three threatens one |
//! | continuous fours | a win in which every move of the winner is a four, so that every answer is forced |
//! | continuous threes | a win by fours and open threes (VCT), to each of which there are few answers |
//!
//! A score is in hundredths of an open two, or a win or loss in a number of plies.

mod deepening;
mod fours;
mod moves;
mod threes;
mod tree;
mod underway;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use chuhe::smp::pool;
use chuhe::smp::shared::{NodeCounters, StopFlag, Stopped};
use chuhe::smp::table::Table;

use crate::board::Board;
use crate::cell::{CELLS, Cell};
use crate::event::{Event, Iteration};
pub use underway::Underway;

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
    pub underway: Underway,
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

/// A worker, with the memory it keeps between searches.
pub struct Searcher {
    number: usize,
    memory: Memory,
}

/// Memory kept between searches.
struct Memory {
    /// History of beta cutoffs by side and cell; recent ones weigh more.
    history: Box<[[i32; CELLS]; 2]>,
}

impl Memory {
    fn empty() -> Self {
        Self { history: Box::new([[0; CELLS]; 2]) }
    }
}

/// A worker during a search.
struct Worker<'a> {
    number: usize,
    task: &'a Task,
    board: Board,
    memory: &'a mut Memory,
    nodes: u64,
    /// Whether the stop flag is checked: worker 0 always finishes the first iteration.
    heeds_stop: bool,
    killers: [[Option<Cell>; 2]; MAX_PLY],
    /// Principal variation (PV) from each ply on.
    lines: Box<[Vec<Cell>; MAX_PLY]>,
    root_depth: i32,
}

/// Maximum length of a line, in plies.
const MAX_PLY: usize = CELLS + 1;
/// Number of nodes after which a worker publishes its count.
const PUBLISH_INTERVAL: u64 = 256;

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

impl<'a> Worker<'a> {
    fn new(number: usize, task: &'a Task, memory: &'a mut Memory) -> Self {
        Self {
            number,
            task,
            board: task.board.clone(),
            memory,
            nodes: 0,
            heeds_stop: number > 0,
            killers: [[None; 2]; MAX_PLY],
            lines: Box::new([const { Vec::new() }; MAX_PLY]),
            root_depth: 1,
        }
    }

    /// Counts a node; fails if the search has to stop.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            self.task.counters.publish(self.number, self.nodes, 0);
        }
        if self.heeds_stop && self.task.stop.is_raised() { Err(Stopped) } else { Ok(()) }
    }

    /// Static evaluation, from the side to move's point of view.
    fn evaluate(&self) -> i32 {
        let side = self.board.side();
        let balance = self.board.total(side) * OWN_PERCENT / 100 - self.board.total(side.other());
        balance.clamp(-MOST, MOST)
    }
}

/// Weight of the side to move's own patterns, in percent: it moves first.
const OWN_PERCENT: i32 = 118;
/// Greatest absolute value of an evaluation.
const MOST: i32 = SURE - 1;

/// Whether a score is a proven win or loss.
pub fn is_decided(score: i32) -> bool {
    score.abs() >= SURE
}

/// Converts a score for the table, where wins are counted from the node instead of the root.
fn to_table(score: i32, ply: usize) -> i16 {
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    i16::try_from(score + shift).unwrap_or(if score > 0 { i16::MAX } else { -i16::MAX })
}

/// Inverse of [`to_table`], possibly at another ply.
fn from_table(score: i16, ply: usize) -> i32 {
    let score = i32::from(score);
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    score - shift
}

/// Searches at most `nodes` positions for a win by continuous fours (VCF) of the side to move.
///
/// Returns the plies until five and the first move.
pub fn continuous_fours(board: &Board, nodes: u32) -> Option<(u32, Cell)> {
    fours::solve(&mut board.clone(), nodes)
}
