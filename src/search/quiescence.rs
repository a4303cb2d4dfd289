//! Quiescence search (qsearch): captures, and every move out of check, until the static evaluation can be trusted.

use super::judgement::Judgement;
use super::known;
use super::node::Node;
use super::params;
use super::picker::Picker;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Checks, Move, exchange_value};
use crate::score::Score;
use crate::smp::stop::Stopped;
use crate::smp::table::{Bound, Entry};

impl Worker<'_> {
    /// Quiescence search (qsearch): returns the value of the current position once the captures are over.
    pub(super) fn quiescence<N: Node>(&mut self, window: Window) -> Result<Score, Stopped> {
        let possible = match self.enter::<N>()? {
            Judgement::Decided(score) => return Ok(score),
            Judgement::Undecided(values) => values,
        };
        match window.within(possible) {
            Ok(window) => Ok(possible.nearest(self.settle::<N>(window)?)),
            Err(score) => Ok(score),
        }
    }

    /// Quiescence search of a position that the rules leave undecided.
    fn settle<N: Node>(&mut self, window: Window) -> Result<Score, Stopped> {
        let ply = self.path.ply();
        let known = self.recall();
        if !N::PV
            && let Some(score) = known.and_then(|entry| self.table_cutoff(&entry, window))
        {
            return Ok(score);
        }
        let in_check = self.path.position().in_check();
        let static_eval = if in_check { None } else { Some(self.static_eval(known)) };
        let stand_pat = static_eval.map(|eval| self.corrected(eval));
        let mut best = stand_pat.unwrap_or(Score::mated_in(ply));
        if best >= window.beta {
            return Ok(if self.path.position().has_legal_move() { best } else { Score::mated_in(ply) });
        }
        let mut raised = window.raised(window.alpha.max(best));
        let checks = in_check.then(|| self.path.position().checks());
        let mut picker = self.settling_moves(known::best_move(known), checks.as_ref());
        let mut best_move = None;
        let mut searched = 0;
        while let Some(mv) = picker.next(self.path.position(), &self.memory.history) {
            if may_skip(in_check, best)
                && let Some(hope) = self.skips(mv, stand_pat, raised)
            {
                best = best.max(hope);
                continue;
            }
            searched += 1;
            self.play(mv);
            let score = -self.quiescence::<N>(raised.swapped())?;
            self.back();
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
        // In Xiangqi a side that cannot move has lost, so standing pat requires a legal move.
        if searched == 0 && !self.path.position().has_legal_move() {
            return Ok(Score::mated_in(ply));
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        self.store_settled(best, best_move, static_eval, bound, known::was_pv::<N>(known));
        Ok(best)
    }

    /// Returns the moves of the quiescence search: every move out of check, otherwise the captures.
    ///
    /// `checks` are the checks of the position; given if it is in check.
    fn settling_moves<'a>(&self, table_move: Option<Move>, checks: Option<&'a Checks>) -> Picker<'a> {
        let position = self.path.position();
        match checks {
            Some(checks) => {
                let table_move = table_move.filter(|&mv| position.is_legal(mv));
                Picker::all(position, checks, table_move, [None; 2], self.path.trail())
            }
            None => {
                let table_move = table_move.filter(|&mv| position.is_capture(mv) && position.is_legal(mv));
                Picker::captures(position, table_move)
            }
        }
    }

    /// Delta and SEE pruning: returns the value assumed for a move that is skipped, `None` if it is searched.
    fn skips(&self, mv: Move, stand_pat: Option<Score>, window: Window) -> Option<Score> {
        let position = self.path.position();
        let Some(stand_pat) = stand_pat else {
            // In check, an even exchange is as good as any other evasion.
            let loses = position.is_capture(mv) && !position.exchange_gains(mv, 0);
            return loses.then_some(-Score::INFINITE);
        };
        let gain = position.delta(mv).captured.map_or(0, |piece| exchange_value(piece.kind()));
        delta_pruning(stand_pat, gain, window.alpha)
            .filter(|_| !position.gives_check(mv))
            .or_else(|| (!position.exchange_gains(mv, params::quiescence_gain())).then_some(stand_pat))
    }

    fn store_settled(&self, best: Score, mv: Option<Move>, static_eval: Option<Score>, bound: Bound, was_pv: bool) {
        if !best.is_ban() {
            let eval = static_eval.map(|score| score.to_table(0));
            let score = best.to_table(self.path.ply());
            self.remember(Entry { mv: mv.map(Move::word), score, eval, depth: 0, bound, was_pv });
        }
    }
}

/// Whether moves may be skipped; in check, only once an evasion that does not lose is found.
fn may_skip(in_check: bool, best: Score) -> bool {
    !in_check || !best.is_lost()
}

/// Delta pruning: returns the most that a capture of `gain` centipawns can reach, if that does not exceed alpha.
fn delta_pruning(stand_pat: Score, gain: i32, alpha: Score) -> Option<Score> {
    let hope = stand_pat + gain + params::quiescence_margin();
    (!alpha.is_decisive() && hope <= alpha).then_some(hope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Position, START_FEN};
    use crate::rules::RuleSet;
    use crate::search::node::Scout;
    use crate::search::{SearchContext, Searcher};

    #[test]
    fn no_way_out_of_check_is_left_out_before_one_holds() {
        for lost in [Score::mated_in(5), Score::banned_in(5), -Score::known_win_in(5)] {
            assert_eq!([true, false].map(|in_check| may_skip(in_check, lost)), [false, true], "{lost:?}");
        }
        assert!(may_skip(true, Score::from_eval(-900)) && may_skip(true, Score::mate_in(5)));
    }

    /// Returns a context and a searcher for a position.
    fn standing_on(fen: &str) -> (SearchContext, Searcher) {
        let position = Position::from_fen(fen).unwrap();
        (SearchContext::of_game(vec![position], RuleSet::Asian.rules()), Searcher::new(0))
    }

    #[test]
    fn an_even_exchange_is_a_way_out_of_check_but_gains_nothing_otherwise() {
        let mv: Move = "a5e5".parse().unwrap();
        let (context, mut searcher) = standing_on("3k5/4r4/9/9/R3r4/9/9/9/9/4K4 w");
        assert!(context.root().in_check());
        assert_eq!(searcher.begin(&context).skips(mv, None, Window::FULL), None);
        let (context, mut searcher) = standing_on("3k5/4r4/9/9/R3r4/9/9/9/9/5K3 w");
        assert_eq!(searcher.begin(&context).skips(mv, Some(Score::DRAW), Window::FULL), Some(Score::DRAW));
    }

    #[test]
    fn a_capture_that_is_left_out_may_have_been_worth_what_it_takes() {
        let (context, mut searcher) = standing_on("3k5/9/9/9/5c3/9/9/9/9/4KR3 w");
        let mut worker = searcher.begin(&context);
        let raw = worker.static_eval(None);
        let stand_pat = worker.corrected(raw);
        let hope = stand_pat + exchange_value(Kind::Cannon) + params::quiescence_margin();
        let score = worker.quiescence::<Scout>(Window::around(hope + 100, 1).at_beta()).unwrap();
        assert_eq!(score, hope, "more is not proven");
    }

    #[test]
    fn a_position_that_was_on_a_principal_variation_stays_one() {
        let (context, mut searcher) = standing_on(START_FEN);
        let mut worker = searcher.begin(&context);
        let key = context.root().key().0;
        let window = Window::around(Score::from_eval(900), 50);
        for was_pv in [false, true] {
            let bound = Bound::Lower;
            context.table.store(key, Entry { mv: None, score: 0, eval: None, depth: 0, bound, was_pv });
            worker.quiescence::<Scout>(window.at_beta()).unwrap();
            let kept = context.table.probe(key).unwrap();
            assert_eq!((kept.bound, kept.was_pv), (Bound::Upper, was_pv));
        }
    }

    #[test]
    fn a_capture_must_bring_the_mover_near_to_alpha() {
        let alpha = Score::from_eval(params::quiescence_margin() + 400);
        assert_eq!(delta_pruning(Score::DRAW, 399, alpha), Some(alpha - 1), "so much may it be worth");
        assert_eq!(delta_pruning(Score::DRAW, 401, alpha), None);
        assert_eq!(delta_pruning(Score::DRAW, 0, Score::mate_in(9)), None);
    }
}
