//! A worker during a search: its board, node count, evaluation and move ordering.

use chuhe::smp::shared::Stopped;

use super::fours::{Fours, Win};
use super::task::{SURE, Task};
use crate::board::Board;
use crate::cell::{CELLS, Cell, CellSet};

/// Weight of the side to move's own patterns, in percent: it moves first.
const OWN_PERCENT: i32 = 118;
/// Greatest absolute value of an evaluation.
const MAX_EVAL: i32 = SURE - 1;
/// Weight of the opponent's patterns in move ordering, in percent of the mover's own.
const DENIED_PERCENT: i32 = 70;
const TT_MOVE: i32 = 1 << 24;
const KILLER: i32 = 120;
/// Bound of the history values.
const MOST_HISTORY: i32 = 1 << 12;
/// Divisor that turns history values into hundredths of an open two.
const HISTORY_UNIT: i32 = 16;

/// Memory kept between searches.
pub(super) struct Memory {
    /// History of beta cutoffs by side and cell; recent ones weigh more.
    pub(super) history: Box<[[i32; CELLS]; 2]>,
}

impl Memory {
    pub(super) fn empty() -> Self {
        Self { history: Box::new([[0; CELLS]; 2]) }
    }
}

/// A worker during a search.
pub(super) struct Worker<'a> {
    pub(super) number: usize,
    pub(super) task: &'a Task,
    pub(super) board: Board,
    pub(super) memory: &'a mut Memory,
    pub(super) nodes: u64,
    /// Whether the stop flag is checked: worker 0 always finishes the first iteration.
    pub(super) checks_stop: bool,
    pub(super) killers: [[Option<Cell>; 2]; MAX_PLY],
    /// Principal variation (PV) from each ply on.
    pub(super) lines: Box<[Vec<Cell>; MAX_PLY]>,
    pub(super) root_depth: i32,
}

/// Maximum length of a line, in plies.
pub(super) const MAX_PLY: usize = CELLS + 1;
/// Number of nodes after which a worker publishes its count.
const PUBLISH_INTERVAL: u64 = 256;

impl<'a> Worker<'a> {
    pub(super) fn new(number: usize, task: &'a Task, memory: &'a mut Memory) -> Self {
        Self {
            number,
            task,
            board: task.board.clone(),
            memory,
            nodes: 0,
            checks_stop: number > 0,
            killers: [[None; 2]; MAX_PLY],
            lines: Box::new([const { Vec::new() }; MAX_PLY]),
            root_depth: 1,
        }
    }

    /// Counts a node; fails if the search has to stop.
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            self.task.counters.publish(self.number, self.nodes, 0);
        }
        if self.checks_stop && self.task.stop.is_raised() { Err(Stopped) } else { Ok(()) }
    }

    /// Static evaluation, from the side to move's point of view.
    pub(super) fn evaluate(&self) -> i32 {
        let side = self.board.side();
        let balance = self.board.total(side) * OWN_PERCENT / 100 - self.board.total(side.other());
        balance.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Searches at most `nodes` positions for a win by continuous fours (VCF).
    pub(super) fn continuous_fours(&mut self, nodes: u32) -> Option<Win> {
        Fours::new(&mut self.board, &self.task.table, &self.task.stop, nodes).win()
    }

    /// Sorts the moves in `cells`, the most promising first, and leaves out banned ones.
    pub(super) fn ordered(&mut self, cells: &CellSet, tt_move: Option<Cell>, ply: usize) -> Vec<Cell> {
        let side = self.board.side();
        let mut scored: Vec<(i32, Cell)> = Vec::with_capacity(64);
        for cell in cells.iter() {
            if self.board.is_banned(side, cell) {
                continue;
            }
            let own = self.board.value(side, cell);
            let denied = self.board.value(side.other(), cell) * DENIED_PERCENT / 100;
            let history = self.memory.history[side.index()][cell.index()] / HISTORY_UNIT;
            let killer = if self.killers[ply].contains(&Some(cell)) { KILLER } else { 0 };
            let tt_bonus = if tt_move == Some(cell) { TT_MOVE } else { 0 };
            scored.push((own + denied + history + killer + tt_bonus, cell));
        }
        scored.sort_by_key(|&(score, cell)| (-score, cell));
        scored.into_iter().map(|(_, cell)| cell).collect()
    }

    /// Updates history and killer moves after a beta cutoff.
    pub(super) fn update_histories(&mut self, best: Cell, tried: &[Cell], depth: i32, ply: usize) {
        let history = &mut self.memory.history[self.board.side().index()];
        let bonus = (depth * depth).min(MOST_HISTORY / 8);
        let mut change = |cell: Cell, by: i32| {
            let entry = &mut history[cell.index()];
            *entry += by - *entry * by.abs() / MOST_HISTORY;
        };
        change(best, bonus);
        tried.iter().filter(|&&cell| cell != best).for_each(|&cell| change(cell, -bonus));
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }
}
