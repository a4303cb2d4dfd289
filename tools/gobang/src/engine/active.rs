//! The search under way, and the choice of its answer from the results of the workers.

use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Instant;

use chuhe::smp::time::Budget;
use chuhe::smp::vote::{Ballot, Standing, vote};

use crate::cell::Cell;
use crate::event::Iteration;
use crate::search::{Aim, SURE, Task};

/// Score below which the engine exchanges sides, if it may.
const EVEN: i32 = 0;

/// Answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the expected reply.
    Move {
        /// Move to play.
        cell: Cell,
        /// Reply expected from the opponent.
        expected: Option<Cell>,
    },
    /// Offer of two fifth moves.
    Offer([Cell; 2]),
    /// Exchange of the sides.
    Exchange,
    /// No legal move, or the game is over.
    None,
}

/// A search under way.
pub(super) struct ActiveSearch {
    pub(super) task: Arc<Task>,
    pub(super) asked_at: Instant,
    pub(super) budget: Option<Budget>,
    /// Deadline of the answer.
    pub(super) due_at: Option<Instant>,
    /// Last iteration reported by worker 0.
    pub(super) last: Option<Iteration>,
    pub(super) outcomes: Vec<Option<Iteration>>,
    pub(super) searching: usize,
    pub(super) silent: bool,
    pub(super) may_exchange: bool,
}

impl ActiveSearch {
    /// Returns the answer chosen by the vote of the workers.
    pub(super) fn answer(&self) -> Answer {
        let voters = self.voters();
        if voters.is_empty() {
            return Answer::Move { cell: self.task.root_moves[0], expected: None };
        }
        let ballots: Vec<Ballot> = voters.iter().map(|found| self.ballot(found)).collect();
        let chosen = voters[vote(&ballots)];
        if self.may_exchange && chosen.score < EVEN {
            return Answer::Exchange;
        }
        let cell = chosen.line[0];
        match chosen.second.or_else(|| self.another(cell)) {
            Some(second) if self.task.aim == Aim::BestTwo => Answer::Offer([cell, second]),
            _ => Answer::Move { cell, expected: chosen.line.get(1).copied() },
        }
    }

    /// Iterations that vote, at most one per worker: the deepest ones, and those that have found a win.
    ///
    /// Scores of even and odd depths are not comparable, because the side that moves last in a line is overrated.
    fn voters(&self) -> Vec<&Iteration> {
        // The last report of worker 0 counts even if the worker has failed.
        let of_reporter = self.outcomes[0].as_ref().or(self.last.as_ref());
        let all = || of_reporter.into_iter().chain(self.outcomes[1..].iter().flatten());
        let deepest = all().map(|found| found.depth).max();
        all().filter(|found| Some(found.depth) == deepest || self.ballot(found).standing == Standing::Won).collect()
    }

    /// Second move to offer, if the search had no time to find one.
    fn another(&self, cell: Cell) -> Option<Cell> {
        self.task.root_moves.iter().copied().find(|&other| !self.task.board.same(cell).contains(other))
    }

    fn ballot(&self, found: &Iteration) -> Ballot {
        // The opponent chooses the worst move, so the score is negated.
        let score = if self.task.aim == Aim::Worst { -found.score } else { found.score };
        Ballot {
            choice: NonZeroU16::get(found.line[0].word()),
            depth: u32::try_from(found.depth).unwrap_or(0),
            score,
            standing: if score >= SURE { Standing::Won } else { Standing::Held },
        }
    }
}
