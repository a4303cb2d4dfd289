//! Search context: the data that all workers of one search share (table, stop flag, limits, root).

use std::sync::Arc;

use super::plan::Plan;
use crate::board::{Move, Position};
use crate::endgame;
use crate::rules::Rules;
use crate::score::Score;
use crate::smp::shared::{NodeCounters, StopFlag};
use crate::smp::table::{Bound, Table};
use crate::smp::vote::{Ballot, Standing, vote as count};

/// Number of a search, so that a late alarm or report cannot affect the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Search limits that need no clock: within them, a search with one worker is reproducible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum depth of an iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum nodes of all workers together.
    pub nodes: Option<u64>,
    /// Mate limit: the search ends once the side to move is known to mate within this number of its moves.
    pub mate: Option<u32>,
}

/// One search. The workers drop it before they report, so that an idle controller is the sole owner of the table.
#[derive(Debug)]
pub struct SearchContext {
    /// Number of this search.
    pub id: SearchId,
    /// Shared transposition table.
    pub table: Arc<Table>,
    /// Flag that is raised to end the search.
    pub stop: StopFlag,
    /// Depth, node and mate limits.
    pub limits: Limits,
    /// Nodes searched by each worker.
    pub counters: NodeCounters,
    /// The game so far, oldest position first; the last position is the one to search.
    pub history: Vec<Position>,
    /// Root moves that may be played: legal, not banned, and among `searchmoves` if given. Never empty.
    pub root_moves: Vec<Move>,
    /// Best outcome that the side to move can reach, if known; the root moves are those that reach it.
    pub root_outcome: Option<endgame::Outcome>,
    /// Rules by which repetitions are judged.
    pub rules: Rules,
    /// Search plan: the user's options for this search.
    pub plan: Plan,
}

impl SearchContext {
    /// Creates a search of the last position of `history` for one worker.
    ///
    /// Searches all legal moves under the default rules and plan, without limits.
    ///
    /// # Panics
    /// If `history` is empty.
    pub fn new(table: Arc<Table>, history: Vec<Position>) -> Self {
        Self {
            id: SearchId(0),
            table,
            stop: StopFlag::default(),
            limits: Limits::default(),
            counters: NodeCounters::new(1),
            root_moves: history.last().expect("a search has a position").legal_moves().to_vec(),
            history,
            root_outcome: None,
            rules: Rules::default(),
            plan: Plan::default(),
        }
    }

    /// Creates a search under these rules, with a small table of its own.
    #[cfg(test)]
    pub(super) fn of_game(history: Vec<Position>, rules: Rules) -> Self {
        Self { rules, ..Self::new(Arc::new(Table::new(1).unwrap()), history) }
    }

    /// Returns the maximum nodes of all workers together, by the limits and by the level of play.
    pub(super) fn max_nodes(&self) -> Option<u64> {
        self.limits.nodes.into_iter().chain(self.plan.node_budget).min()
    }

    /// Returns the position to search.
    pub fn root(&self) -> &Position {
        self.history.last().expect("a search has a position")
    }
}

/// A finished iteration of one worker, or one of its lines with MultiPV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Index of the line among the best root moves (MultiPV); 1 is the best.
    pub pv_index: usize,
    /// Nominal depth, in plies.
    pub depth: u32,
    /// Deepest PV node reached, in plies (selective depth).
    pub selective_depth: u32,
    /// Value of the root for the side to move.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
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
    /// Deepest PV node reached, in plies (selective depth).
    pub selective_depth: u32,
    /// Value of the best move.
    pub score: Score,
    /// Relation of `score` to the true value; a last fail high leaves a lower bound.
    pub bound: Bound,
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
    pub(super) fn improve(&mut self, score: Score, bound: Bound, depth: u32, line: &[Move]) {
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

/// Observer of one worker in one search, whose methods do nothing by default.
///
/// Worker 0 alone reports results; every worker reports its current line and may be paused.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait Observer {
    /// An iteration, or an aspiration failure inside one, is finished.
    fn iteration(&mut self, iteration: Iteration) {}
    /// A root move is about to be searched; not called in the first million nodes.
    fn root_move(&mut self, begun: RootMove) {}
    /// A root move that is worse than the best one has this refutation.
    fn refutation(&mut self, refutation: Refutation) {}
    /// The current line, once in a million nodes.
    fn current_line(&mut self, current: CurrentLine) {}
    /// More root moves are proven at the end of an iteration; `proven` lists all that are.
    fn proven_moves(&mut self, proven: ProvenMoves) {}
    /// Pauses the worker for a moment, if it should; called every few hundred nodes.
    fn pause(&mut self) {}
}

/// Observer that does nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// Returns the index of the outcome to play.
///
/// A mate takes precedence over all votes, the shortest first. A ban, which depends on the path, does not.
///
/// # Panics
/// If there is no outcome.
pub fn vote(outcomes: &[Outcome]) -> usize {
    count(&outcomes.iter().map(ballot).collect::<Vec<_>>())
}

fn ballot(outcome: &Outcome) -> Ballot {
    let score = outcome.score;
    let standing = match score {
        _ if score.is_ban() => Standing::Conditional,
        _ if score.is_mate() && score > Score::DRAW => Standing::Won,
        _ => Standing::Held,
    };
    Ballot { choice: outcome.pv[0].bits(), depth: outcome.depth, score: score.raw(), standing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirming_the_best_move_keeps_the_longer_pv() {
        let line = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
        let eval = Score::from_eval;
        let mut outcome = Outcome {
            depth: 5,
            selective_depth: 9,
            score: Score::DRAW,
            bound: Bound::Exact,
            score_depth: 5,
            pv: line("h2e2 h9g7"),
            nodes: 99,
        };
        outcome.improve(eval(30), Bound::Lower, 6, &line("h2e2"));
        assert_eq!((outcome.score, &outcome.pv), (eval(30), &line("h2e2 h9g7")));
        assert_eq!((outcome.depth, outcome.score_depth, outcome.bound), (5, 6, Bound::Lower));
        outcome.improve(eval(40), Bound::Lower, 6, &line("b2e2"));
        assert_eq!((outcome.score, &outcome.pv), (eval(40), &line("b2e2")));
        outcome.improve(eval(50), Bound::Exact, 6, &line("b2e2 b9c7"));
        assert_eq!((outcome.bound, &outcome.pv), (Bound::Exact, &line("b2e2 b9c7")));
    }

    fn outcome(depth: u32, score: Score, mv: &str) -> Outcome {
        let pv = vec![mv.parse().unwrap()];
        Outcome { depth, selective_depth: depth, score, bound: Bound::Exact, score_depth: depth, pv, nodes: 1 }
    }

    #[test]
    fn the_move_of_the_majority_wins() {
        let even = Score::from_eval(20);
        let outcomes = [outcome(9, even, "h2e2"), outcome(9, even, "c3c4"), outcome(9, even, "c3c4")];
        assert_eq!(vote(&outcomes), 1);
    }

    #[test]
    fn a_mate_goes_before_all_votes() {
        let outcomes = [
            outcome(9, Score::from_eval(500), "h2e2"),
            outcome(9, Score::from_eval(500), "h2e2"),
            outcome(5, Score::mate_in(7), "c3c4"),
            outcome(5, Score::mate_in(5), "g3g4"),
        ];
        assert_eq!(vote(&outcomes), 3);
    }

    #[test]
    fn a_ban_is_a_vote_like_others() {
        let even = Score::from_eval(20);
        let outcomes = [outcome(9, even, "h2e2"), outcome(9, -Score::banned_in(9), "c3c4"), outcome(9, even, "h2e2")];
        assert_eq!(vote(&outcomes), 0);
        assert_eq!(vote(&outcomes[..2]), 1, "one against one");
        let (early, late) = (Score::banned_in(7), Score::banned_in(9));
        let outcomes = [outcome(9, early, "h2e2"), outcome(9, late, "h2e2"), outcome(9, even, "g3g4")];
        assert_eq!(vote(&outcomes), 2);
        assert_eq!(vote(&outcomes[..2]), 1, "both lose, the later the better");
    }

    #[test]
    fn a_worker_that_finished_nothing_has_no_vote() {
        let outcomes = [outcome(0, Score::from_eval(900), "h2e2"), outcome(4, Score::from_eval(-10), "c3c4")];
        assert_eq!(vote(&outcomes), 1);
        assert_eq!(vote(&outcomes[..1]), 0);
    }
}
