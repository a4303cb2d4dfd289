//! Reports of a worker: iterations, final outcome and events on the way.

use std::fmt;

use crate::board::Move;
use crate::score::Score;
use crate::smp::stop::StopFlag;

/// Relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The score is the value.
    Exact,
    /// The value is at least this (the aspiration window failed high).
    AtLeast,
    /// The value is at most this (the aspiration window failed low).
    AtMost,
}

/// A finished iteration of one worker, or one of its lines with MultiPV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Index of the line among the best root moves (MultiPV); 1 is the best.
    pub rank: usize,
    /// Nominal depth, in plies.
    pub depth: u32,
    /// Deepest line searched, in plies (selective depth).
    pub selective_depth: u32,
    /// Value of the root for the side to move.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: ScoreBound,
    /// Principal variation, best move first; never empty.
    pub pv: Vec<Move>,
    /// Nodes of this worker since the search began.
    pub nodes: u64,
    /// Share of those nodes spent below the best move, in thousandths.
    pub best_move_permille: u32,
}

/// Final result of one worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Depth of the last finished iteration, in plies; 0 if none was finished.
    pub depth: u32,
    /// Deepest line searched, in plies (selective depth).
    pub selective_depth: u32,
    /// Value of the best move.
    pub score: Score,
    /// Relation of `score` to the true value; a last fail high leaves a lower bound.
    pub bound: ScoreBound,
    /// Depth of the iteration that `score` comes from, in plies; more than `depth` if that one was broken off.
    pub score_depth: u32,
    /// Principal variation, best move first; never empty, even when stopped at once.
    pub pv: Vec<Move>,
    /// Nodes of this worker.
    pub nodes: u64,
}

/// Outcome of a worker whose last iteration is this one.
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
    /// Number in the search order of the iteration, from 1.
    pub number: usize,
    /// Nominal depth of the iteration, in plies.
    pub depth: u32,
}

/// Refutation of a root move that is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The root move, then the reply that refutes it.
    pub line: Vec<Move>,
}

/// Current line of a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentLine {
    /// Number of the worker, from 1.
    pub worker: usize,
    /// Moves from the root; empty at the root itself.
    pub line: Vec<Move>,
}

/// Root moves with a proven result; each list is in the order of the root moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProvenMoves {
    /// Moves that win by force.
    pub winning: Vec<Move>,
    /// Moves that lose by force.
    pub losing: Vec<Move>,
}

impl Outcome {
    /// Replaces the result by a line of an unfinished iteration of this depth.
    ///
    /// A line that only confirms the best move leaves the longer principal variation in place.
    pub(super) fn improve(&mut self, score: Score, bound: ScoreBound, depth: u32, line: &[Move]) {
        (self.score, self.bound, self.score_depth) = (score, bound, depth);
        if line.len() == 1 && self.pv.first() == line.first() {
            return;
        }
        self.pv.clear();
        self.pv.extend_from_slice(line);
    }

    /// Replaces the result by a finished line.
    pub(super) fn take(&mut self, line: &Iteration) {
        (self.depth, self.score) = (line.depth, line.score);
        (self.bound, self.score_depth) = (line.bound, line.depth);
        self.pv.clone_from(&line.pv);
    }
}

/// Observer of the workers of one search: any of them may call it, and none does so often.
pub trait Attendant: fmt::Debug + Send + Sync {
    /// Worker 0 begins a root move; not called in the first million nodes.
    fn root_move(&self, begun: RootMove);
    /// Worker 0 has a refutation of a root move that is worse than the best one.
    fn refutation(&self, refutation: Refutation);
    /// Current line of a worker, reported once in a million of its nodes.
    fn current_line(&self, current: CurrentLine);
    /// Worker 0 has proven more root moves at the end of an iteration; `proven` lists all that are proven.
    fn proven_moves(&self, proven: ProvenMoves);
    /// Called every few hundred nodes with the index of the worker, which may be paused for a moment.
    fn rest(&self, worker: usize, stop: &StopFlag);
}

/// Receiver of a worker's iterations; implemented by the controller, `bench` and tools.
pub trait Reporter {
    /// Called when an iteration, or an aspiration failure inside one, is finished.
    fn iteration(&mut self, iteration: Iteration);
}

/// Reporter that does nothing, for helper workers, tests and data generation.
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
