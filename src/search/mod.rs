//! The search: one worker's memory and its way through the tree. Knows positions, not the world.
//!
//! | word | meaning |
//! |---|---|
//! | ply | one move of one side; also the distance of a node from the root |
//! | depth | plies still to be searched before quiescence; shrinks by reductions, grows by extensions |
//! | iteration | one search of the root to a nominal depth |
//! | window | the open interval (alpha, beta) of scores that matter to a node |
//! | scout | a node searched with an empty window: above or below? |
//! | cut, all | a node where some move reaches beta, a node where none does |
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

/// One worker between searches: what it remembers, and room for its next path.
pub struct Searcher {
    number: usize,
    memory: Memory,
    path: Path,
    evaluator: Evaluator,
    pv: PvTable,
    mates: Solver,
}

impl Searcher {
    /// A worker with an empty memory; worker 0 is the one that reports.
    pub fn new(number: usize) -> Self {
        Self::sharing(number, Corrections::empty())
    }

    /// The same with corrections that other workers share.
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

    /// Forgets what earlier games have taught, what it shares with others too.
    pub fn new_game(&mut self) {
        self.forget_history();
        self.memory.corrections.forget();
    }

    /// Forgets what is its own of that.
    pub(crate) fn forget_history(&mut self) {
        self.memory.history.forget();
        self.mates.forget();
    }

    /// Searches until a limit is reached, a mate is proven (if that is to end it) or the stop flag is raised. The outcome
    /// always has a move, even if not one iteration could be finished.
    pub fn think(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Outcome {
        self.begin(context).think(reporter)
    }

    /// Like [`Searcher::think`], but survives a mistake of its own: a panic costs the worker its memory and the search one
    /// opinion, not the engine its game. None if it panics; then the searcher has forgotten all but what it shares.
    pub(crate) fn think_safely(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Option<Outcome> {
        // Nobody sees what the panic has left half done: all of the searcher is thrown away, and what it shares with
        // others, table and corrections, consists of atomics that may have any value.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.think(context, reporter))).ok();
        if outcome.is_none() {
            *self = Self::sharing(self.number, Arc::clone(&self.memory.corrections));
        }
        outcome
    }

    /// Stands at the root of a search.
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

/// What `position` is worth without looking ahead, for the side to move, seen as the plan says.
pub fn static_value(position: &Position, plan: &Plan) -> Score {
    eval::value(position, plan.outlook(), plan.network_in_use().map(|network| &**network))
}
