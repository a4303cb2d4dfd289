//! One move of a node, and how it is searched: extended, reduced or pruned.

use super::extensions::{check_extension, is_near_root};
use super::history::Trail;
use super::node::{Facts, Findings, Node};
use super::picker::Picker;
use super::pruning;
use super::reductions::{LateMove, late_move_reduction};
use super::window::Window;
use super::worker::Worker;
use crate::board::{Checks, Kind, Move, Piece, exchange_value};
use crate::score::Score;

/// A move that may be searched, with the inputs of its extension, reduction and pruning.
pub(super) struct Candidate {
    mv: Move,
    captured: Option<Kind>,
    gives_check: bool,
    is_killer: bool,
    /// Whether its exchange keeps material (SEE at least 0), if the move picker knows that.
    keeps_material: Option<bool>,
    history: i32,
    /// Continuation-history part of `history`; 0 for captures.
    continuation: i32,
    /// Extension, in plies; negative for a reduction.
    pub(super) extension: i32,
    /// Late move reduction (LMR) of the first search, in plies.
    pub(super) reduction: i32,
}

impl Candidate {
    /// Futility pruning: returns the futility value if it does not exceed alpha. `depth` is the reduced depth, in
    /// plies.
    fn futility(&self, depth: i32, eval: Score, alpha: Score) -> Option<Score> {
        match self.captured {
            _ if self.gives_check => None,
            Some(captured) => pruning::capture_futility(depth, eval, exchange_value(captured), alpha),
            None if self.is_killer => None,
            None => pruning::futility(depth, eval, self.history, alpha),
        }
    }
}

impl Worker<'_> {
    /// Collects the data of `mv`, which `picker` gave out last, at a node searched to `depth` plies.
    ///
    /// `checks` are the checks of the current position.
    pub(super) fn candidate(&self, mv: Move, picker: &Picker, trail: &Trail, checks: &Checks, depth: i32) -> Candidate {
        let (position, history) = (self.path.position(), &self.memory.history);
        let delta = position.delta(mv);
        let gives_check = position.is_check(mv, checks);
        let (history, continuation) = match delta.captured {
            Some(captured) => (history.capture(delta, captured.kind()), 0),
            None => {
                let continuation = history.continuation(delta.piece, mv, trail);
                let plain = history.quiet(delta.piece, mv) + history.with_pawns(delta.piece, mv, trail);
                (plain + continuation, continuation)
            }
        };
        let known = picker.keeps_material();
        let keeps_material = || known.unwrap_or_else(|| position.exchange_gains(mv, 0));
        let near_root = is_near_root(self.path.ply(), self.nominal_depth);
        Candidate {
            mv,
            captured: delta.captured.map(Piece::kind),
            gives_check,
            is_killer: picker.is_killer(mv),
            keeps_material: known,
            history,
            continuation,
            extension: check_extension(gives_check, depth, near_root, keeps_material),
            reduction: 0,
        }
    }

    /// Returns the late move reduction (LMR) after `earlier_moves` searched moves, in plies.
    pub(super) fn reduction<N: Node>(&self, candidate: &Candidate, facts: &Facts, earlier_moves: usize) -> i32 {
        if !self.plan.pruning.reduces() {
            return 0;
        }
        late_move_reduction(&LateMove {
            depth: facts.depth,
            earlier_moves,
            in_pv: N::PV,
            was_pv: facts.was_pv,
            is_capture: candidate.captured.is_some(),
            improving: facts.improving,
            gives_check: candidate.gives_check,
            is_killer: candidate.is_killer,
            expects_cut: facts.cut,
            table_move: facts.table_move_kind,
            doubt: facts.doubt,
            cutoffs_below: self.path.below().cutoffs,
            history: candidate.history,
        })
    }

    /// Late move pruning (LMP): whether enough moves were searched to skip a quiet move that gives no check.
    ///
    /// Decided before anything else is computed for the move.
    pub(super) fn late_move_pruning(&self, mv: Move, facts: &Facts, found: &Findings, checks: &Checks) -> bool {
        found.searched.len() >= pruning::late_move_count(facts.depth, facts.improving)
            && !found.searched.is_empty()
            && !found.are_losing()
            && !self.matters_late(mv, facts, checks)
    }

    /// Whether a move is exempt from late move pruning: a capture, a check or an upcoming repetition.
    pub(super) fn matters_late(&self, mv: Move, facts: &Facts, checks: &Checks) -> bool {
        let position = self.path.position();
        position.is_capture(mv) || position.is_check(mv, checks) || facts.returns.contains(&mv)
    }

    /// Prunes one move by futility, continuation history or SEE; returns the value assumed for it, `None` if it is
    /// searched.
    pub(super) fn prunes_move(
        &self,
        candidate: &Candidate,
        facts: &Facts,
        found: &Findings,
        window: Window,
    ) -> Option<Score> {
        let reduced_depth = facts.depth - candidate.reduction;
        if found.searched.is_empty() || found.are_losing() || facts.returns.contains(&candidate.mv) {
            return None;
        }
        if let Some(hope) = facts.eval.and_then(|eval| candidate.futility(reduced_depth, eval, window.alpha)) {
            return Some(hope);
        }
        let quiet = candidate.captured.is_none() && !candidate.gives_check;
        if quiet && pruning::history_pruning(reduced_depth, candidate.continuation) {
            return Some(found.best);
        }
        let threshold = match candidate.captured {
            Some(_) => pruning::capture_see_pruning(facts.depth, candidate.history),
            None => pruning::see_pruning(reduced_depth),
        };
        // No threshold is above zero, so a move that keeps material always passes.
        let loses = candidate.keeps_material != Some(true)
            && threshold.is_some_and(|threshold| !self.path.position().exchange_gains(candidate.mv, threshold));
        loses.then_some(found.best)
    }
}
