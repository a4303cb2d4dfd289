//! Quiescence: captures, and every move out of check, until the static value can be trusted.

use super::judgement::Judgement;
use super::node::Node;
use super::params;
use super::picker::Picker;
use super::stack::Frame;
use super::window::Window;
use super::{SearchContext, Searcher, Stopped};
use crate::board::{Move, Position, exchange_value};
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, Entry};

impl Searcher {
    /// The value of `position` once the captures are over.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        self.check_limits(context)?;
        let ply = self.ply();
        if N::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        let possible = match self.judge(context, position) {
            Judgement::Decided(score) => return Ok(score),
            Judgement::Undecided(values) => values,
        };
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluator.evaluate(position));
        }
        match window.within(possible) {
            Ok(narrower) => window = narrower,
            Err(score) => return Ok(score),
        }
        let score = self.capture::<N>(context, position, window)?;
        Ok(possible.nearest(score))
    }

    /// The same for a position that the rules do not decide.
    fn capture<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        let ply = self.ply();
        let known = self.recall(context, position, ply);
        if !N::PV
            && let Some(score) = known.and_then(|entry| self.cutoff(context, position, &entry, window))
        {
            return Ok(score);
        }
        let in_check = position.in_check();
        let static_eval = if in_check { None } else { Some(self.static_eval(position, known)) };
        let stand_pat = static_eval.map(|eval| self.corrected(position, eval));
        let mut best = stand_pat.unwrap_or(Score::mated_in(ply));
        if best >= window.beta {
            return Ok(if position.has_legal_move() { best } else { Score::mated_in(ply) });
        }
        let alpha = window.alpha;
        window = window.raised(alpha.max(best));
        let table_move = known.and_then(|entry| entry.mv);
        let mut picker = if in_check {
            Picker::all(position, table_move, &Frame::default(), self.trail())
        } else {
            Picker::captures(position, table_move)
        };
        let mut best_move = None;
        let mut searched = 0;
        while let Some(mv) = picker.next(position, &self.history) {
            let may_skip = !in_check || !best.is_mate();
            if may_skip && self.skips(position, mv, stand_pat, window) {
                continue;
            }
            searched += 1;
            let child = self.descend(context, position, mv);
            let score = -self.quiescence::<N>(context, &child, window.swapped())?;
            self.ascend();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window = window.raised(score);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        // In Xiangqi a side that cannot move has lost, so standing pat is only for those who can.
        if searched == 0 && !position.has_legal_move() {
            return Ok(Score::mated_in(ply));
        }
        self.store_quiescence(context, position, best, best_move, static_eval, Window { alpha, beta: window.beta });
        Ok(best)
    }

    /// The static value before any correction, which the table may know already.
    pub(super) fn static_eval(&mut self, position: &Position, known: Option<Entry>) -> Score {
        let stored = known.and_then(|entry| entry.eval).map(|eval| Score::from_eval(i32::from(eval)));
        stored.unwrap_or_else(|| self.evaluator.evaluate(position))
    }

    /// Whether a capture loses material or cannot bring the mover near alpha.
    fn skips(&self, position: &Position, mv: Move, stand_pat: Option<Score>, window: Window) -> bool {
        let Some(stand_pat) = stand_pat else { return position.is_capture(mv) && !position.exchange_gains(mv, 0) };
        let gain = position.delta(mv).captured.map_or(0, |piece| exchange_value(piece.kind()));
        let futile = capture_is_futile(stand_pat, gain, window.alpha) && !position.gives_check(mv);
        futile || !position.exchange_gains(mv, 0)
    }

    fn store_quiescence(
        &self,
        context: &SearchContext,
        position: &Position,
        best: Score,
        mv: Option<Move>,
        static_eval: Option<Score>,
        window: Window,
    ) {
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        if !best.is_ban() {
            let eval = static_eval.map(|score| score.to_table(0));
            let entry = Entry { mv, score: best.to_table(self.ply()), eval, depth: 0, bound, was_pv: false };
            self.remember(context, position, entry);
        }
    }
}

/// Whether a capture that wins `gain` centipawns leaves the mover clearly below alpha.
fn capture_is_futile(stand_pat: Score, gain: i32, alpha: Score) -> bool {
    !alpha.is_decisive() && stand_pat + gain + params::quiescence_margin() <= alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_must_bring_the_mover_near_to_alpha() {
        let alpha = Score::from_eval(params::quiescence_margin() + 400);
        assert!(capture_is_futile(Score::DRAW, 400, alpha));
        assert!(!capture_is_futile(Score::DRAW, 401, alpha));
        assert!(!capture_is_futile(Score::DRAW, 0, Score::mate_in(9)));
    }
}
