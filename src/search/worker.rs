//! A worker in one search: its state, and how it moves along its path. Each technique extends it in a file of its
//! own.

use std::sync::Arc;

use super::context::Limits;
use super::correction::Corrections;
use super::history::History;
use super::known::View;
use super::mates::Solver;
use super::path::Path;
use super::plan::Plan;
use super::pv::PvTable;
use super::root_moves::RootMoves;
use super::world::World;
use crate::board::Move;
use crate::endgame::Outcome;
use crate::eval::Evaluator;
use crate::rules::Rules;
use crate::score::Score;
use crate::smp::table::Entry;

/// Memory of a worker, kept from search to search.
pub(super) struct Memory {
    pub(super) history: Box<History>,
    /// Correction history, shared with other workers.
    pub(super) corrections: Arc<Corrections>,
}

/// A worker during a search.
pub(super) struct Worker<'a> {
    /// Number of the worker, from 0.
    pub(super) number: usize,
    /// Plan of the search.
    pub(super) plan: &'a Plan,
    /// Rules by which repetitions are judged.
    pub(super) rules: &'a Rules,
    /// Known outcome of the root, if any.
    pub(super) known: Option<Outcome>,
    pub(super) limits: Limits,
    /// Root moves.
    pub(super) root: RootMoves,
    /// Path to the current position.
    pub(super) path: &'a mut Path,
    pub(super) memory: &'a mut Memory,
    /// Evaluator, which follows the moves of the path.
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) table: View<'a>,
    pub(super) world: World<'a>,
    /// Principal variation of each ply.
    pub(super) pv: &'a mut PvTable,
    /// Mate solver, which runs beside the search.
    pub(super) mates: &'a mut Solver,
    /// Line of the mate that the solver has proven.
    pub(super) mate: Option<Vec<Move>>,
    /// Nodes spent in the mate solver.
    pub(super) mate_nodes: u64,
    /// Score of the mate after whose proof the search is about to end.
    pub(super) ending_mate: Option<Score>,
    /// Nominal depth of the current iteration, in plies.
    pub(super) nominal_depth: i32,
    /// Deepest line searched, in plies (selective depth).
    pub(super) selective_depth: usize,
}

impl Worker<'_> {
    /// Plays `mv` on the path.
    pub(super) fn play(&mut self, mv: Move) {
        let position = self.path.position();
        let delta = position.delta(mv);
        self.table.prefetch(position.key_with(delta));
        self.evaluator.push(delta);
        self.path.play(mv, delta);
        self.world.nodes += 1;
    }

    /// Takes back the last move.
    pub(super) fn back(&mut self) {
        self.path.back();
        self.evaluator.pop();
    }

    /// Passes the turn to the other side (null move). No piece moves, so the evaluator stays as it is.
    pub(super) fn pass(&mut self) {
        self.table.prefetch(self.path.position().key().passed());
        self.path.pass();
        self.world.nodes += 1;
    }

    /// Takes back the last pass.
    pub(super) fn take_pass_back(&mut self) {
        self.path.back();
    }

    /// Returns the static evaluation of the current position before any correction, from the TT entry if that has
    /// one.
    pub(super) fn static_eval(&mut self, known: Option<Entry>) -> Score {
        let stored = known.and_then(|entry| entry.eval).map(|eval| Score::from_eval(i32::from(eval)));
        stored.unwrap_or_else(|| self.evaluator.evaluate(self.path.position()))
    }

    /// Returns `eval` of the current position, adjusted by the correction history.
    pub(super) fn corrected(&self, eval: Score) -> Score {
        Score::from_eval(eval.raw() + self.memory.corrections.value(&self.path.features()))
    }

    /// Returns the TT entry of the current position.
    pub(super) fn recall(&self) -> Option<Entry> {
        self.table.probe(self.path.position().key(), self.path.here().salt)
    }

    /// Stores the TT entry of the current position.
    pub(super) fn remember(&self, entry: Entry) {
        self.table.store(self.path.position().key(), self.path.here().salt, entry);
    }
}
