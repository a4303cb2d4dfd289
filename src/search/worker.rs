//! A worker in one search: its state, and how it moves along its path. Each technique extends it in a file of its
//! own.

use arrayvec::ArrayVec;

use super::corrhist::CorrectionHistory;
use super::history::History;
use super::mates::Solver;
use super::plan::{Plan, Pruning};
use super::root_moves::RootMoves;
use super::stack::Stack;
use super::thread::ThreadContext;
use super::tt::{self, TtView};
use crate::board::{Delta, Move};
use crate::eval::Evaluator;
use crate::rules::Rules;
use crate::score::{MAX_PLY, Score};
use crate::smp::table::Entry;

type Line = ArrayVec<Move, MAX_PLY>;

/// Principal variations of all plies of one search.
#[derive(Clone, Debug)]
pub(super) struct PvTable(Box<[Line]>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 1].into_boxed_slice())
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line of `ply` to `mv` followed by the line of the next ply.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (lines, deeper) = self.0.split_at_mut(ply + 1);
        let line = &mut lines[ply];
        line.clear();
        line.push(mv);
        line.extend(deeper[0].iter().copied().take(MAX_PLY - 1));
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

/// Normal search beside one that prunes less: its state between its turns.
pub(super) struct NormalSearch<'a> {
    pub(super) root: RootMoves,
    pub(super) table: TtView<'a>,
    pub(super) pruning: Pruning,
    /// Last finished iteration, in plies.
    pub(super) depth: u32,
    /// Score of the last finished iteration.
    pub(super) score: Score,
    /// Nodes spent.
    pub(super) nodes: u64,
}

impl<'a> NormalSearch<'a> {
    pub(super) fn new(root: RootMoves, table: TtView<'a>) -> Self {
        Self { root, table, pruning: Pruning::default(), depth: 0, score: Score::DRAW, nodes: 0 }
    }
}

/// A worker during a search.
pub(super) struct Worker<'a> {
    /// Plan of the search.
    pub(super) plan: &'a Plan,
    /// Rules by which repetitions are judged.
    pub(super) rules: &'a Rules,
    /// Root moves.
    pub(super) root: RootMoves,
    /// Path to the current position.
    pub(super) stack: &'a mut Stack,
    pub(super) history: &'a mut History,
    /// Correction history, shared with other workers.
    pub(super) corrhist: &'a CorrectionHistory,
    /// Evaluator, which follows the moves of the path.
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) table: TtView<'a>,
    /// Extent of pruning: that of the plan, or of the normal search beside it.
    pub(super) pruning: Pruning,
    /// Normal search beside one that prunes less.
    pub(super) normal: NormalSearch<'a>,
    pub(super) thread: ThreadContext<'a>,
    /// Principal variation of each ply.
    pub(super) pv: &'a mut PvTable,
    /// Mate solver, which runs beside the search.
    pub(super) mates: &'a mut Solver,
    /// Line of the mate that the solver or the normal search has proven.
    pub(super) mate: Option<Vec<Move>>,
    /// Nodes spent in the mate solver.
    pub(super) mate_nodes: u64,
    /// Score of the mate after whose proof the search is about to end.
    pub(super) ending_mate: Option<Score>,
    /// Nominal depth of the current iteration, in plies.
    pub(super) nominal_depth: i32,
    /// Deepest PV node reached, in plies (selective depth).
    pub(super) selective_depth: usize,
}

impl Worker<'_> {
    /// Prefetches the TT entry of the position after a move.
    #[inline(always)] // the move loop has the delta at hand
    pub(super) fn prefetch(&self, delta: Delta) {
        self.table.prefetch(self.stack.position().key_with(delta));
    }

    /// Plays `mv` on the path.
    pub(super) fn play(&mut self, mv: Move) {
        let position = self.stack.position();
        let delta = position.delta(mv);
        self.prefetch(delta);
        self.evaluator.push(delta);
        self.stack.play(mv, delta);
        self.thread.nodes += 1;
    }

    /// Takes back the last move.
    pub(super) fn undo(&mut self) {
        self.stack.undo();
        self.evaluator.pop();
    }

    /// Passes the turn to the other side (null move). No piece moves, so the evaluator stays as it is.
    pub(super) fn play_null(&mut self) {
        self.table.prefetch(self.stack.position().key().passed());
        self.stack.play_null();
        self.thread.nodes += 1;
    }

    /// Returns the TT entry of the current position.
    pub(super) fn probe(&self) -> Option<Entry> {
        self.table.probe(self.stack.position().key(), self.stack.ss().salt)
    }

    /// Returns the static evaluation of the current position before any correction, from the TT entry if that has
    /// one.
    pub(super) fn raw_eval(&mut self, tt_hit: Option<Entry>) -> Score {
        let stored = tt_hit.and_then(|entry| entry.eval).map(|eval| Score::from_eval(i32::from(eval)));
        stored.unwrap_or_else(|| self.evaluator.evaluate(self.stack.position()))
    }

    /// Returns the TT score where it bounds the value of the current position better than `static_eval` does, and otherwise
    /// `static_eval`.
    pub(super) fn refined_by_tt(&self, static_eval: Score, tt_hit: Option<Entry>) -> Score {
        let trusted = tt_hit.filter(|_| self.stack.ss().trusts_tt_scores());
        trusted.and_then(|entry| tt::better_eval(&entry, static_eval, self.stack.ply())).unwrap_or(static_eval)
    }

    /// Returns `eval` of the current position, adjusted by the correction history.
    pub(super) fn corrected(&self, eval: Score) -> Score {
        Score::from_eval(eval.raw() + self.corrhist.value(&self.stack.corrhist_inputs()))
    }
}
