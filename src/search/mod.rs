//! Search: a worker's memory and its path through the tree. Knows positions, but no protocol, files or clocks.
//!
//! | word | meaning |
//! |---|---|
//! | ply | one move of one side; also the distance of a node from the root |
//! | depth | plies still to be searched before quiescence; shrinks by reductions, grows by extensions |
//! | iteration | one search of the root to a nominal depth |
//! | window | the open interval (alpha, beta) of scores that matter to a node |
//! | scout | a node searched with a zero window: is its value above or below? |
//! | cut node, all node | a node where some move reaches beta, a node where none does |
//! | quiet | a move that captures nothing |

mod alphabeta;
mod candidate;
mod context;
mod correction;
mod deepening;
mod endgames;
mod extensions;
mod history;
mod judgement;
mod known;
mod learning;
mod mates;
mod mating;
mod node;
mod null_move;
mod params;
mod path;
mod picker;
mod plan;
mod probcut;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod report;
mod root;
mod root_moves;
mod vote;
mod window;
mod worker;
mod world;

pub use context::{Limits, SearchContext, SearchId};
pub(crate) use correction::Corrections;
pub use deepening::MAX_DEPTH;
pub use params::{Parameter, parameters};
pub(crate) use plan::luck;
pub use plan::{MateSearch, Noise, OnMate, Plan, PositionValues, Pruning};
pub use report::{
    Attendant, CurrentLine, Iteration, Outcome, ProvenMoves, Refutation, Reporter, RootMove, ScoreBound, Silent,
};
pub use vote::vote;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::board::Position;
use crate::eval::{self, Evaluator};
use crate::score::Score;
use history::History;
use known::View;
use mates::Solver;
use path::Path;
use pv::PvTable;
use root_moves::RootMoves;
use worker::{Memory, Worker};
use world::World;

/// A worker between searches: its memory, and buffers for its next search.
pub struct Searcher {
    number: usize,
    memory: Memory,
    path: Path,
    evaluator: Evaluator,
    pv: PvTable,
    mates: Solver,
}

impl Searcher {
    /// Creates a worker with an empty memory; worker 0 is the one that reports.
    pub fn new(number: usize) -> Self {
        Self::sharing(number, Corrections::empty())
    }

    /// Creates a worker that shares its correction history with others.
    pub(crate) fn sharing(number: usize, corrections: Arc<Corrections>) -> Self {
        Self {
            number,
            memory: Memory { history: History::empty(), corrections },
            path: Path::new(),
            evaluator: Evaluator::new(&Position::start()),
            pv: PvTable::new(),
            mates: Solver::new(),
        }
    }

    /// Forgets what earlier games have taught, including the shared correction history.
    pub fn new_game(&mut self) {
        self.forget_history();
        self.memory.corrections.forget();
    }

    /// Forgets what belongs to this worker alone: histories and mate search.
    pub(crate) fn forget_history(&mut self) {
        self.memory.history.forget();
        self.mates.forget();
    }

    /// Searches until a limit is reached, a mate ends the search or the stop flag is raised.
    ///
    /// The outcome always has a move, even if no iteration was finished.
    pub fn think(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Outcome {
        self.begin(context).think(reporter)
    }

    /// Like [`Searcher::think`], but survives a panic, which costs this worker its memory and its result, not the
    /// game.
    ///
    /// Returns `None` after a panic; the searcher has then lost everything except what it shares.
    pub(crate) fn think_safely(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Option<Outcome> {
        // A state left half done by the panic is never seen: the whole searcher is replaced, and what it shares with
        // others (table and correction history) consists of atomics that may hold any value.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.think(context, reporter))).ok();
        if outcome.is_none() {
            *self = Self::sharing(self.number, Arc::clone(&self.memory.corrections));
        }
        outcome
    }

    /// Sets up a worker at the root of a search.
    fn begin<'a>(&'a mut self, context: &'a SearchContext) -> Worker<'a> {
        let (plan, rules) = (&context.plan, &context.rules);
        self.path.begin(&context.history, rules);
        self.evaluator.look_through(plan.outlook(), plan.network_in_use());
        self.evaluator.reset(self.path.position());
        self.memory.corrections.learn_from(plan.outlook());
        self.pv.clear(0);
        self.mates.begin();
        let table = plan.uses_table.then_some(&*context.table);
        let mut worker = Worker {
            number: self.number,
            plan,
            rules,
            known: context.known,
            limits: context.limits,
            root: RootMoves::of(context),
            path: &mut self.path,
            memory: &mut self.memory,
            evaluator: &mut self.evaluator,
            table: View::new(table, plan.table_salt()),
            world: World::of(context, self.number),
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
    eval::value(position, plan.outlook(), plan.network_in_use().map(|network| &**network))
}
