//! What a worker tells its surroundings, and what it found.

use std::fmt;

use crate::board::Move;
use crate::score::Score;
use crate::smp::stop::StopFlag;

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

/// One finished iteration of one worker, or one line of it where several are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Which of the best root moves the line begins with: 1 is the best one.
    pub rank: usize,
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
    /// How `score` relates to the true value: the last thing known may be that a move is better than was expected.
    pub bound: ScoreBound,
    /// Depth of the iteration that `score` comes from, in plies: more than `depth` if that one was broken off.
    pub score_depth: u32,
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
            bound: iteration.bound,
            score_depth: iteration.depth,
            pv: iteration.pv.clone(),
            nodes: iteration.nodes,
        }
    }
}

/// A root move that is about to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// In the order in which the iteration searches them, from 1.
    pub number: usize,
    /// Nominal depth of the iteration, in plies.
    pub depth: u32,
}

/// Why a root move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The root move, then the answer that refutes it.
    pub line: Vec<Move>,
}

/// Where a worker is in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentLine {
    /// Which worker, from 1.
    pub worker: usize,
    /// From the root; empty at the root itself.
    pub line: Vec<Move>,
}

/// Root moves whose outcome is certain; each list is in the order of the root moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProvenMoves {
    /// They win by force.
    pub winning: Vec<Move>,
    /// They lose by force.
    pub losing: Vec<Move>,
}

impl Outcome {
    /// Replaces what was found by a line of an iteration of this depth that is not finished. One that says no more than which move is
    /// best leaves the line that began with it.
    pub(super) fn improve(&mut self, score: Score, bound: ScoreBound, depth: u32, line: &[Move]) {
        (self.score, self.bound, self.score_depth) = (score, bound, depth);
        if line.len() == 1 && self.pv.first() == line.first() {
            return;
        }
        self.pv.clear();
        self.pv.extend_from_slice(line);
    }

    /// Replaces what was found by a finished line.
    pub(super) fn take(&mut self, line: &Iteration) {
        (self.depth, self.score) = (line.depth, line.score);
        (self.bound, self.score_depth) = (line.bound, line.depth);
        self.pv.clone_from(&line.pv);
    }
}

/// Accompanies the workers of one search while they think: any of them may call it, none does so often.
pub trait Attendant: fmt::Debug + Send + Sync {
    /// Worker 0 begins a root move; not in the first million nodes.
    fn root_move(&self, begun: RootMove);
    /// Worker 0 knows why a root move is worse than the best one.
    fn refutation(&self, refutation: Refutation);
    /// Where a worker is, once in a million of its nodes.
    fn current_line(&self, current: CurrentLine);
    /// Worker 0 has proven more root moves at the end of an iteration; these are all that are proven.
    fn proven_moves(&self, proven: ProvenMoves);
    /// Called every few hundred nodes with the index of the worker, which may be kept from working for a moment.
    fn rest(&self, worker: usize, stop: &StopFlag);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_again_which_move_is_best_leaves_the_expected_answer() {
        let line = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
        let eval = Score::from_eval;
        let mut outcome = Outcome {
            depth: 5,
            selective_depth: 9,
            score: Score::DRAW,
            bound: ScoreBound::Exact,
            score_depth: 5,
            pv: line("h2e2 h9g7"),
            nodes: 99,
        };
        outcome.improve(eval(30), ScoreBound::AtLeast, 6, &line("h2e2"));
        assert_eq!((outcome.score, &outcome.pv), (eval(30), &line("h2e2 h9g7")));
        assert_eq!((outcome.depth, outcome.score_depth, outcome.bound), (5, 6, ScoreBound::AtLeast));
        outcome.improve(eval(40), ScoreBound::AtLeast, 6, &line("b2e2"));
        assert_eq!((outcome.score, &outcome.pv), (eval(40), &line("b2e2")));
        outcome.improve(eval(50), ScoreBound::Exact, 6, &line("b2e2 b9c7"));
        assert_eq!((outcome.bound, &outcome.pv), (ScoreBound::Exact, &line("b2e2 b9c7")));
    }
}
