//! Search: a worker's memory and its path through the tree. Knows positions, but no protocol, files or clocks.
//!
//! | word | meaning |
//! |---|---|
//! | ply | one move of one side; also the distance of a node from the root |
//! | depth | plies still to be searched before quiescence; shrinks by reductions, grows by extensions |
//! | iteration | one search of the root to a nominal depth |
//! | window | the open interval (alpha, beta) of scores that matter to a node |
//! | null window | an empty window (alpha, alpha + 1): is the score above or not? |
//! | ss | the search stack's entry of the current ply |
//! | cut node, all node | a node where some move reaches beta, a node where none does |
//! | quiet | a move that captures nothing |

mod corrhist;
mod deepening;
mod depth;
mod draw;
mod history;
mod mates;
mod mating;
mod negamax;
mod node;
mod normal;
mod params;
mod picker;
mod plan;
mod pruning;
mod qsearch;
mod root;
mod root_moves;
mod shared;
mod stack;
mod thread;
mod tt;
mod update;
mod window;
mod worker;

pub(crate) use corrhist::CorrectionHistory;
pub use deepening::MAX_DEPTH;
pub use params::{Parameter, parameters};
pub(crate) use plan::random_number;
pub use plan::{MateSearch, OnMate, Plan, PositionValues, Pruning, Randomness};
pub use shared::{
    CurrentLine, Iteration, Limits, Observer, Outcome, ProvenMoves, Refutation, RootMove, SearchContext, SearchId,
    Silent, vote,
};

pub use crate::smp::table::Bound;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::board::Position;
use crate::eval::{self, Evaluator};
use crate::score::Score;
use history::History;
use mates::Solver;
use root_moves::RootMoves;
use stack::Stack;
use thread::ThreadContext;
use tt::TtView;
use worker::{NormalSearch, PvTable, Worker};

/// A worker between searches: its histories, and buffers for its next search.
pub struct Searcher {
    number: usize,
    history: Box<History>,
    /// Correction history, shared with other workers.
    corrhist: Arc<CorrectionHistory>,
    stack: Stack,
    evaluator: Evaluator,
    pv: PvTable,
    mates: Solver,
}

impl Searcher {
    /// Creates a worker with an empty memory; worker 0 is the one that reports.
    pub fn new(number: usize) -> Self {
        Self::sharing(number, CorrectionHistory::empty())
    }

    /// Creates a worker that shares its correction history with others.
    pub(crate) fn sharing(number: usize, corrhist: Arc<CorrectionHistory>) -> Self {
        Self {
            number,
            history: History::empty(),
            corrhist,
            stack: Stack::new(),
            evaluator: Evaluator::new(&Position::start()),
            pv: PvTable::new(),
            mates: Solver::new(),
        }
    }

    /// Forgets what earlier games have taught, including the shared correction history.
    pub fn new_game(&mut self) {
        self.forget_history();
        self.corrhist.forget();
    }

    /// Forgets what belongs to this worker alone: histories and mate search.
    pub(crate) fn forget_history(&mut self) {
        self.history.forget();
        self.mates.forget();
    }

    /// Searches until a limit is reached, a mate ends the search or the stop flag is raised.
    ///
    /// The outcome always has a move, even if no iteration was finished.
    pub fn think(&mut self, context: &SearchContext, observer: &mut dyn Observer) -> Outcome {
        let mut worker = self.begin(context);
        worker.thread.observe(observer);
        worker.think()
    }

    /// Like [`Searcher::think`], but survives a panic, which costs this worker its memory and its result, not the
    /// game.
    ///
    /// Returns `None` after a panic; the searcher has then lost everything except what it shares.
    pub(crate) fn think_safely(&mut self, context: &SearchContext, observer: &mut dyn Observer) -> Option<Outcome> {
        // A state left half done by the panic is never seen: the whole searcher is replaced, and what it shares with
        // others (table and correction history) consists of atomics that may hold any value.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.think(context, observer))).ok();
        if outcome.is_none() {
            *self = Self::sharing(self.number, Arc::clone(&self.corrhist));
        }
        outcome
    }

    /// Sets up a worker at the root of a search.
    fn begin<'a>(&'a mut self, context: &'a SearchContext) -> Worker<'a> {
        let (plan, rules) = (&context.plan, &context.rules);
        self.stack.begin(&context.history, rules);
        self.evaluator.configure(plan.eval_config(), plan.network_in_use());
        self.evaluator.reset(self.stack.position());
        self.corrhist.use_evaluation(plan.eval_config());
        self.pv.clear(0);
        self.mates.begin();
        let table = plan.uses_table.then_some(&*context.table);
        let root = RootMoves::of(context);
        let mut worker = Worker {
            plan,
            rules,
            pruning: plan.pruning,
            normal: NormalSearch::new(root.clone(), TtView::new(table, plan.normal().table_salt())),
            root,
            stack: &mut self.stack,
            history: &mut self.history,
            corrhist: &self.corrhist,
            evaluator: &mut self.evaluator,
            table: TtView::new(table, plan.table_salt()),
            thread: ThreadContext::new(context, self.number),
            pv: &mut self.pv,
            mates: &mut self.mates,
            mate: None,
            mate_nodes: 0,
            ending_mate: None,
            nominal_depth: 0,
            selective_depth: 0,
        };
        worker.salt_root();
        worker
    }
}

/// Returns the static evaluation of `position` for the side to move, as configured by `plan`.
pub fn static_value(position: &Position, plan: &Plan) -> Score {
    eval::value(position, plan.eval_config(), plan.network_in_use().map(|network| &**network))
}
