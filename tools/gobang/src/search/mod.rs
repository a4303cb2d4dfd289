//! The search: principal variation search over few moves, with proofs by continuous fours at its leaves.
//!
//! | word | meaning |
//! |---|---|
//! | five, four, three | as in [`crate::pattern`]; a straight four cannot be stopped, an open three threatens one |
//! | continuous fours | a win in which every move of the winner is a four, so that every answer is forced |
//! | continuous threes | the same with open threes among them; the answers are few |
//!
//! A score is in hundredths of an open two, or a win or a loss in so many plies.

mod deepening;
mod fours;
mod moves;
mod threes;
mod tree;
mod underway;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use chuhe::smp::counters::NodeCounters;
use chuhe::smp::pool::Thinker;
use chuhe::smp::stop::{StopFlag, Stopped};
use chuhe::smp::table::Table;

use crate::board::Board;
use crate::cell::{CELLS, Cell};
use crate::event::{Event, Iteration};
pub use underway::Underway;

/// The score of having won; a win in so many plies is less by as many.
pub const WIN: i32 = 30_000;
/// Scores from here on are wins.
pub const SURE: i32 = WIN - CELLS as i32 - 1;
/// The deepest iteration, in plies.
pub const MAX_DEPTH: i32 = 64;

/// One search, shared by all workers.
pub struct Task {
    /// Which search this is.
    pub id: u64,
    /// The position.
    pub board: Board,
    /// The moves to choose from; never empty.
    pub root_moves: Vec<Cell>,
    /// Whether each of them has to be looked at, not only those that stand near something or answer a threat.
    pub looks_at_all: bool,
    /// What is looked for.
    pub aim: Aim,
    /// Whether a single move may be played without a thought.
    pub in_game: bool,
    /// The shared table.
    pub table: Arc<Table>,
    /// Raised when the search shall end.
    pub stop: StopFlag,
    /// Nodes searched by each worker.
    pub counters: NodeCounters,
    /// The moves that the workers look at now.
    pub underway: Underway,
    /// The deepest iteration.
    pub depth: i32,
}

/// What a search looks for among the root moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// The best one.
    Best,
    /// The best one, and the best of those that no symmetry makes the same.
    BestTwo,
    /// The one that is worst for the side to move.
    Worst,
}

/// One worker: what it remembers from search to search.
pub struct Searcher {
    number: usize,
    memory: Memory,
}

/// What searches have taught.
struct Memory {
    /// How often a move of a side has cut, more recent ones counting more.
    history: Box<[[i32; CELLS]; 2]>,
}

impl Memory {
    fn empty() -> Self {
        Self { history: Box::new([[0; CELLS]; 2]) }
    }
}

/// A worker in a search.
struct Worker<'a> {
    number: usize,
    task: &'a Task,
    board: Board,
    memory: &'a mut Memory,
    nodes: u64,
    /// Whether the stop flag counts already: worker 0 finishes the first iteration whatever happens.
    heeds_stop: bool,
    killers: [[Option<Cell>; 2]; MAX_PLY],
    /// The expected line from each ply on.
    lines: Box<[Vec<Cell>; MAX_PLY]>,
    root_depth: i32,
}

/// No line is longer.
const MAX_PLY: usize = CELLS + 1;
/// How often a worker publishes its nodes.
const PUBLISH_INTERVAL: u64 = 256;

impl Searcher {
    /// A worker with an empty memory; worker 0 is the one that reports.
    pub fn new(number: usize) -> Self {
        Self { number, memory: Memory::empty() }
    }

    /// Searches until there is nothing more to find or the stop flag is raised. None only if it was stopped before the
    /// first iteration, which does not happen to worker 0.
    pub fn search(&mut self, task: &Task, report: &mut dyn FnMut(Iteration)) -> Option<Iteration> {
        Worker::new(self.number, task, &mut self.memory).deepen(report)
    }
}

impl Thinker for Searcher {
    type Task = Task;
    type News = Event;

    fn excuse(worker: usize, task: &Task) -> Option<Event> {
        let late = worker > 0 && task.stop.is_raised();
        late.then_some(Event::Finished { search: task.id, worker, last: None })
    }

    fn think(&mut self, task: &Task, say: &mut dyn FnMut(Event)) -> Event {
        let (number, search) = (self.number, task.id);
        let mut report = |iteration| {
            if number == 0 {
                say(Event::Iteration(search, iteration));
            }
        };
        // A mistake costs the memory and one opinion, not the game: what is half done is thrown away, and the table consists
        // of atomics that may have any value.
        let found = catch_unwind(AssertUnwindSafe(|| self.search(task, &mut report)));
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

    /// A node is entered: whether the search goes on.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            self.task.counters.publish(self.number, self.nodes, 0);
        }
        if self.heeds_stop && self.task.stop.is_raised() { Err(Stopped) } else { Ok(()) }
    }

    /// What the position is worth to the side to move without looking ahead.
    fn evaluate(&self) -> i32 {
        let side = self.board.side();
        let balance = self.board.total(side) * OWN_PERCENT / 100 - self.board.total(side.other());
        balance.clamp(-MOST, MOST)
    }
}

/// What the side to move promises itself weighs so much more: it is first.
const OWN_PERCENT: i32 = 118;
/// No evaluation is further from even.
const MOST: i32 = SURE - 1;

/// Whether a score says how the game ends.
pub fn is_decided(score: i32) -> bool {
    score.abs() >= SURE
}

/// A score as the table keeps it: wins counted from the node, not from the root.
fn to_table(score: i32, ply: usize) -> i16 {
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    i16::try_from(score + shift).unwrap_or(if score > 0 { i16::MAX } else { -i16::MAX })
}

/// Reads what [`to_table`] gave, at another ply.
fn from_table(score: i16, ply: usize) -> i32 {
    let score = i32::from(score);
    let shift = if is_decided(score) { score.signum() * ply as i32 } else { 0 };
    score - shift
}

/// Finds a win by continuous fours for the side to move: the plies until five, and the first move. `nodes` bounds the effort.
pub fn continuous_fours(board: &Board, nodes: u32) -> Option<(u32, Cell)> {
    fours::solve(&mut board.clone(), nodes)
}
