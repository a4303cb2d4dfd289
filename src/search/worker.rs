//! One worker in one search: what it owns, and how it moves along its path. Each technique adds to it in a file of its own.

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

/// What a worker has learnt; it lasts from search to search.
pub(super) struct Memory {
    pub(super) history: Box<History>,
    /// Shared with other workers.
    pub(super) corrections: Arc<Corrections>,
}

/// A worker while it searches.
pub(super) struct Worker<'a> {
    /// Which one it is, from 0.
    pub(super) number: usize,
    /// How it searches.
    pub(super) plan: &'a Plan,
    /// By which rules repetitions are judged.
    pub(super) rules: &'a Rules,
    /// What can be reached from the root, if that is known.
    pub(super) known: Option<Outcome>,
    pub(super) limits: Limits,
    /// What may be played at the root.
    pub(super) root: RootMoves,
    /// Where it is.
    pub(super) path: &'a mut Path,
    pub(super) memory: &'a mut Memory,
    /// Follows the moves of the path.
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) table: View<'a>,
    pub(super) world: World<'a>,
    /// The expected line of each ply.
    pub(super) pv: &'a mut PvTable,
    /// Looks for mates beside it.
    pub(super) mates: &'a mut Solver,
    /// The line of the mate it has proven.
    pub(super) mate: Option<Vec<Move>>,
    /// Nodes spent on that.
    pub(super) mate_nodes: u64,
    /// The mate after whose proof the search is about to end.
    pub(super) ending_mate: Option<Score>,
    /// Plies of the iteration under way.
    pub(super) nominal_depth: i32,
    /// Deepest line looked at, in plies.
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

    /// Takes the last move back.
    pub(super) fn back(&mut self) {
        self.path.back();
        self.evaluator.pop();
    }

    /// Gives the turn to the other side; nothing has moved, so the evaluator need not know.
    pub(super) fn pass(&mut self) {
        self.table.prefetch(self.path.position().key().passed());
        self.path.pass();
        self.world.nodes += 1;
    }

    /// Takes the last pass back.
    pub(super) fn take_pass_back(&mut self) {
        self.path.back();
    }

    /// What the current position is worth without looking ahead, before any correction; the table may know it already.
    pub(super) fn static_eval(&mut self, known: Option<Entry>) -> Score {
        let stored = known.and_then(|entry| entry.eval).map(|eval| Score::from_eval(i32::from(eval)));
        stored.unwrap_or_else(|| self.evaluator.evaluate(self.path.position()))
    }

    /// `eval` of the current position as it should have been judging by earlier errors.
    pub(super) fn corrected(&self, eval: Score) -> Score {
        Score::from_eval(eval.raw() + self.memory.corrections.value(&self.path.features()))
    }

    /// What the table knows about the current position.
    pub(super) fn recall(&self) -> Option<Entry> {
        self.table.probe(self.path.position().key(), self.path.here().salt)
    }

    /// Tells the table about the current position.
    pub(super) fn remember(&self, entry: Entry) {
        self.table.store(self.path.position().key(), self.path.here().salt, entry);
    }
}
