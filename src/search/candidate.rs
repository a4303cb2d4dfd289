//! One move of a node, and how it shall be searched: extended, reduced, or not at all.

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

/// A move that may be searched.
pub(super) struct Candidate {
    mv: Move,
    captured: Option<Kind>,
    gives_check: bool,
    is_killer: bool,
    /// Whether its exchange keeps material, if that is known already.
    keeps_material: Option<bool>,
    history: i32,
    /// The part of it that depends on the moves before; 0 for captures.
    continuation: i32,
    /// Plies to add.
    pub(super) extension: i32,
    /// Plies to take off at first.
    pub(super) reduction: i32,
}

impl Candidate {
    /// Futility pruning: what the move may lift `eval` to at best, if a search to `depth` does not suffice to reach beyond
    /// alpha.
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
    /// What there is to know of `mv`, which `picker` has just given out at a node that is searched to `depth`; `checks` are those
    /// of the current position.
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

    /// By how many plies the move is reduced when it comes after so many others.
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

    /// Whether enough moves have been tried for a quiet one without check to be left out, before anything is worked out for
    /// it.
    pub(super) fn late_move_pruning(&self, mv: Move, facts: &Facts, found: &Findings, checks: &Checks) -> bool {
        found.searched.len() >= pruning::late_move_count(facts.depth, facts.improving)
            && !found.searched.is_empty()
            && !found.are_losing()
            && !self.matters_late(mv, facts, checks)
    }

    /// Whether a move must be searched however late it comes.
    pub(super) fn matters_late(&self, mv: Move, facts: &Facts, checks: &Checks) -> bool {
        let position = self.path.position();
        position.is_capture(mv) || position.is_check(mv, checks) || facts.returns.contains(&mv)
    }

    /// What a move may be worth that need not be searched because nothing suggests that it could matter.
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
        // What keeps material reaches every threshold, which is a loss.
        let loses = candidate.keeps_material != Some(true)
            && threshold.is_some_and(|threshold| !self.path.position().exchange_gains(candidate.mv, threshold));
        loses.then_some(found.best)
    }
}
