//! Mate search by proof numbers (PNS, df-pn), beside the main search: the solver of one position, and its stages.
//!
//! A line of checks, which takes the main search many plies, is a narrow tree here. Knows positions and the thread
//! context, but neither the transposition table nor the evaluation.

mod pn_search;
mod pn_table;
mod proof;
mod solution;
mod stage;
#[cfg(test)]
mod tests;

use super::thread::ThreadContext;
use crate::board::Move;
use crate::score::MAX_PLY;
use crate::smp::shared::Stopped;
use pn_search::{Pause, PnSearch};
use pn_table::PnTable;
use solution::Solution;
use stage::Stages;

pub(super) use pn_search::Problem;
pub(super) use stage::Attack;

/// Maximum length of a line, in plies.
const LONGEST_LINE: usize = 100;
const _: () = assert!(LONGEST_LINE < MAX_PLY);

/// Result of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The side to move mates against any defence, within the plies of this line, which ends in mate.
    Mate(Vec<Move>),
    /// The side to move cannot mate by any attack that is searched here.
    NoMate,
    /// More nodes are needed.
    Unknown,
}

/// Mate solver of one position at a time.
///
/// Keeps its results until the next position, and its solution until there is another: while a game follows the
/// solution, the rest of it is announced, not another mate that may be farther away.
pub(super) struct Solver {
    table: PnTable,
    solution: Solution,
    /// Stages of the search.
    stages: Stages,
    /// Nodes spent on this position.
    spent: u64,
    /// Maximum plies of the mate to find, if a longer one is known.
    max_plies: Option<usize>,
}

impl Solver {
    pub(super) fn new() -> Self {
        Self { table: PnTable::new(), solution: Solution::default(), stages: Stages::new(), spent: 0, max_plies: None }
    }

    /// Prepares for another position.
    pub(super) fn begin(&mut self) {
        self.table.clear();
        (self.stages, self.spent, self.max_plies) = (Stages::new(), 0, None);
    }

    /// Looks only for mates within this many plies from now on; starts afresh unless that is already so.
    pub(super) fn limit_plies(&mut self, plies: usize) {
        if self.max_plies != Some(plies) {
            self.begin();
            self.max_plies = Some(plies);
        }
    }

    /// Forgets the results of earlier positions.
    pub(super) fn forget(&mut self) {
        self.begin();
        self.solution = Solution::default();
    }

    /// Returns the rest of a mate found before, if it continues from the current position.
    pub(super) fn continued_mate(&self, problem: Problem) -> Option<Vec<Move>> {
        let Problem { stack, moves, rules } = problem;
        let line = self.solution.line(stack.position(), moves, &stack.near_repetition_limit(rules))?;
        (line.len() < problem.plies_left()).then_some(line)
    }

    /// Continues the search for a mate by such attacks at most, for this number of nodes.
    pub(super) fn search(
        &mut self,
        problem: Problem,
        thread: &mut ThreadContext,
        nodes: u64,
        attack: Attack,
    ) -> Result<Answer, Stopped> {
        let until = thread.nodes + nodes;
        while let Some(stage) = self.stages.next(attack) {
            if thread.nodes >= until {
                return Ok(Answer::Unknown);
            }
            match self.run_stage(stage, problem, thread, until) {
                Ok(solution) => {
                    self.stages.finish(stage);
                    if let Some(solution) = solution {
                        self.solution = solution;
                        if let Some(line) = self.continued_mate(problem) {
                            return Ok(Answer::Mate(line));
                        }
                    }
                }
                Err(Pause::Spent) => {}
                Err(Pause::Stopped) => return Err(Stopped),
            }
        }
        Ok(if self.stages.are_done() { Answer::NoMate } else { Answer::Unknown })
    }

    /// Continues one stage for a time slice.
    fn run_stage(
        &mut self,
        index: usize,
        problem: Problem,
        thread: &mut ThreadContext,
        until: u64,
    ) -> Result<Option<Solution>, Pause> {
        let (position, stage) = (*problem.stack.position(), self.stages.get(index));
        let forbidden = problem.stack.near_repetition_limit(problem.rules);
        let longest = LONGEST_LINE.min(problem.plies_left().saturating_sub(1));
        let begun = thread.nodes;
        let mut search = PnSearch {
            root_index: forbidden.len(),
            last_index: forbidden.len() + longest.min(self.max_plies.unwrap_or(MAX_PLY)),
            is_limited: self.max_plies.is_some(),
            table: &mut self.table,
            children: Vec::new(),
            line: [forbidden, vec![position.key()]].concat(),
            attack: stage.attack,
            effort: stage.effort,
            until: until.min(begun + stage.slice()),
            is_incomplete: false,
            problem,
            thread: &mut *thread,
        };
        let result = search.solve(&position, self.spent);
        let is_incomplete = search.is_incomplete;
        let nodes = thread.nodes - begun;
        self.spent += nodes;
        self.stages.spend(index, nodes, is_incomplete);
        result
    }
}
