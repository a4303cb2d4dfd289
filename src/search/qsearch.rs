//! Quiescence search (qsearch): captures, and every evasion in check, until the static evaluation can be trusted.

use super::draw::Verdict;
use super::node::NodeType;
use super::params;
use super::picker::Picker;
use super::tt;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Checks, Move, exchange_value};
use crate::score::Score;
use crate::smp::shared::Stopped;
use crate::smp::table::Bound;

impl Worker<'_> {
    /// Quiescence search (qsearch): captures, and every evasion in check, until the static evaluation can be trusted.
    pub(super) fn qsearch<N: NodeType>(&mut self, window: Window) -> Result<Score, Stopped> {
        let possible = match self.enter::<N>()? {
            Verdict::Decided(score) => return Ok(score),
            Verdict::Open(possible) => possible,
        };
        match window.within(possible) {
            Ok(window) => Ok(possible.nearest(self.qsearch_node::<N>(window)?)),
            Err(score) => Ok(score),
        }
    }

    /// Searches a position that the rules leave open.
    fn qsearch_node<N: NodeType>(&mut self, window: Window) -> Result<Score, Stopped> {
        let ply = self.stack.ply();
        let tt_hit = self.probe();
        if !N::PV
            && let Some(score) = tt_hit.and_then(|entry| self.tt_cutoff(&entry, window))
        {
            return Ok(score);
        }

        // Stand pat.
        let in_check = self.stack.position().in_check();
        let raw_eval = if in_check { None } else { Some(self.raw_eval(tt_hit)) };
        let stand_pat = raw_eval.map(|eval| self.refined_by_tt(self.corrected(eval), tt_hit));
        let mut best = stand_pat.unwrap_or(Score::mated_in(ply));
        if best >= window.beta {
            return Ok(if self.stack.position().has_legal_move() { best } else { Score::mated_in(ply) });
        }

        let mut raised = window.raised(window.alpha.max(best));
        let checks = in_check.then(|| self.stack.position().checks());
        let mut picker = self.qsearch_picker(tt::tt_move(tt_hit), checks.as_ref());
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self.stack.position(), self.history) {
            if may_prune_in_qsearch(in_check, best)
                && let Some(futility_value) = self.prune_in_qsearch(mv, stand_pat, raised)
            {
                best = best.max(futility_value);
                continue;
            }
            move_count += 1;
            self.play(mv);
            let score = -self.qsearch::<N>(raised.swapped())?;
            self.undo();
            if score > best {
                best = score;
                if score > raised.alpha {
                    best_move = Some(mv);
                    raised = raised.raised(score);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        // Stalemate loses in Xiangqi, so only a side that can move may stand pat.
        if move_count == 0 && !self.stack.position().has_legal_move() {
            return Ok(Score::mated_in(ply));
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        self.store(best, best_move, raw_eval, 0, bound, tt::tt_pv(N::PV, tt_hit));
        Ok(best)
    }

    /// Every evasion in check, with the `checks` of the position; captures otherwise.
    fn qsearch_picker<'a>(&self, tt_move: Option<Move>, checks: Option<&'a Checks>) -> Picker<'a> {
        let position = self.stack.position();
        match checks {
            Some(checks) => {
                let tt_move = tt_move.filter(|&mv| position.is_legal(mv));
                Picker::all(position, checks, tt_move, [None; 2], self.stack.history_context())
            }
            None => {
                let tt_move = tt_move.filter(|&mv| position.is_capture(mv) && position.is_legal(mv));
                Picker::captures(position, tt_move)
            }
        }
    }

    /// Delta and SEE pruning: returns the futility value of a capture that gains too little.
    fn prune_in_qsearch(&self, mv: Move, stand_pat: Option<Score>, window: Window) -> Option<Score> {
        let position = self.stack.position();
        let Some(stand_pat) = stand_pat else {
            // In check an even exchange is as good as any other evasion.
            let loses = position.is_capture(mv) && !position.exchange_gains(mv, 0);
            return loses.then_some(-Score::INFINITE);
        };
        let gain = position.delta(mv).captured.map_or(0, |piece| exchange_value(piece.kind()));
        delta_pruning(stand_pat, gain, window.alpha)
            .filter(|_| !position.gives_check(mv))
            .or_else(|| (!position.exchange_gains(mv, params::quiescence_gain())).then_some(stand_pat))
    }
}

/// Whether qsearch may prune: in check only once an evasion that does not lose is found.
fn may_prune_in_qsearch(in_check: bool, best: Score) -> bool {
    !in_check || !best.is_lost()
}

/// Delta pruning: returns the futility value of a capture that wins `gain` centipawns, if it does not exceed alpha.
fn delta_pruning(stand_pat: Score, gain: i32, alpha: Score) -> Option<Score> {
    let value = stand_pat + gain + params::quiescence_margin();
    (!alpha.is_decisive() && value <= alpha).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, START_FEN};
    use crate::search::negamax::tests::at;
    use crate::search::node::{NonPv, Pv};
    use crate::smp::table::Entry;

    #[test]
    fn no_evasion_is_pruned_before_one_holds() {
        for lost in [Score::mated_in(5), Score::banned_in(5), -Score::known_win_in(5)] {
            assert_eq!([true, false].map(|in_check| may_prune_in_qsearch(in_check, lost)), [false, true], "{lost:?}");
        }
        assert!(may_prune_in_qsearch(true, Score::from_eval(-900)) && may_prune_in_qsearch(true, Score::mate_in(5)));
    }

    #[test]
    fn an_even_exchange_is_an_evasion_but_gains_nothing_otherwise() {
        let mv: Move = "a5e5".parse().unwrap();
        let (context, mut searcher) = at("3k5/4r4/9/9/R3r4/9/9/9/9/4K4 w");
        assert!(context.root().in_check());
        assert_eq!(searcher.begin(&context).prune_in_qsearch(mv, None, Window::FULL), None);
        let (context, mut searcher) = at("3k5/4r4/9/9/R3r4/9/9/9/9/5K3 w");
        let pruned = searcher.begin(&context).prune_in_qsearch(mv, Some(Score::DRAW), Window::FULL);
        assert_eq!(pruned, Some(Score::DRAW));
    }

    #[test]
    fn a_pruned_capture_raises_the_score_to_its_futility_value() {
        let (context, mut searcher) = at("3k5/9/9/9/5c3/9/9/9/9/4KR3 w");
        let mut worker = searcher.begin(&context);
        let raw = worker.raw_eval(None);
        let value = worker.corrected(raw) + exchange_value(Kind::Cannon) + params::quiescence_margin();
        let score = worker.qsearch::<NonPv>(Window::around(value + 100, 1).at_beta()).unwrap();
        assert_eq!(score, value, "more is not proven");
    }

    #[test]
    fn a_better_bound_in_the_table_replaces_the_stand_pat_value() {
        let (context, mut searcher) = at(START_FEN);
        let mut worker = searcher.begin(&context);
        let raw = worker.raw_eval(None);
        let eval = worker.corrected(raw);
        for (bound, by, is_better) in
            [(Bound::Upper, -40, true), (Bound::Lower, 40, true), (Bound::Upper, 40, false), (Bound::Lower, -40, false)]
        {
            let entry = Entry { mv: None, score: (eval + by).to_table(0), eval: None, depth: 0, bound, tt_pv: false };
            context.table.store(context.root().key().0, entry);
            let score = worker.qsearch::<Pv>(Window::around(eval, 200)).unwrap();
            assert_eq!(score, eval + if is_better { by } else { 0 }, "{bound:?} {by}");
        }
    }

    #[test]
    fn tt_pv_is_kept_by_a_qsearch_off_the_principal_variation() {
        let (context, mut searcher) = at(START_FEN);
        let mut worker = searcher.begin(&context);
        let key = context.root().key().0;
        let window = Window::around(Score::from_eval(900), 50);
        for tt_pv in [false, true] {
            let bound = Bound::Lower;
            context.table.store(key, Entry { mv: None, score: 0, eval: None, depth: 0, bound, tt_pv });
            worker.qsearch::<NonPv>(window.at_beta()).unwrap();
            let stored = context.table.probe(key).unwrap();
            assert_eq!((stored.bound, stored.tt_pv), (Bound::Upper, tt_pv));
        }
    }

    #[test]
    fn a_capture_has_to_bring_the_score_near_alpha() {
        let alpha = Score::from_eval(params::quiescence_margin() + 400);
        assert_eq!(delta_pruning(Score::DRAW, 399, alpha), Some(alpha - 1));
        assert_eq!(delta_pruning(Score::DRAW, 401, alpha), None);
        assert_eq!(delta_pruning(Score::DRAW, 0, Score::mate_in(9)), None);
    }
}
