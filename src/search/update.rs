//! Updates after the moves of a node: histories, correction history and its entry in the
//! transposition table (TT).

use super::corrhist::is_informative;
use super::history::{history_bonus, history_malus, progress_bonus};
use super::node::{Node, NodeResult};
use super::params;
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::table::{Bound, Entry};

impl Worker<'_> {
    /// Updates the histories: a bonus for the best move, a malus for the other moves searched.
    ///
    /// The best move has reached beta or raised alpha. Quiet moves get no malus if the best move is a capture.
    pub(super) fn update_histories(&mut self, result: &NodeResult, node: &Node) {
        let depth = node.depth;
        let Some(best) = result.best_move else { return self.update_prior_move(depth) };
        let change = |mv| if mv == best { history_bonus(depth) } else { history_malus(depth) };
        let context = self.stack.history_context();
        let history = &mut *self.history;
        let best_is_quiet = !self.stack.position().is_capture(best);
        if best_is_quiet && result.best >= node.window.beta {
            self.stack.ss_mut().add_killer(best);
        }
        for &mv in &result.searched {
            let delta = self.stack.position().delta(mv);
            match delta.captured {
                Some(captured) => history.update_capture(delta, captured.kind(), change(mv)),
                None if best_is_quiet => history.update_quiet(delta.piece, mv, &context, change(mv)),
                None => {}
            }
        }
    }

    /// Prior-move bonus: rewards the quiet move that led here, because no reply has raised alpha.
    ///
    /// In a loop there is no bonus: the rules may refute the move.
    fn update_prior_move(&mut self, depth: i32) {
        let (Some((piece, mv)), Some(context)) = (self.stack.played_before(1), self.stack.prior_history_context())
        else {
            return;
        };
        let ss = self.stack.ss();
        if self.stack.position().reversible_plies() > 0 && !ss.is_side_search() && ss.salt == 0 {
            let bonus = history_bonus(depth) * params::history_unrefuted_128() / 128;
            self.history.update_quiet(piece, mv, &context, bonus);
        }
    }

    /// Evaluation-difference ordering: credits or blames the previous quiet move for its change of the static
    /// evaluation.
    pub(super) fn update_by_eval_difference(&mut self) {
        let ss = self.stack.ss();
        let (Some((piece, mv)), Some(now)) = (self.stack.played_before(1), ss.static_eval) else { return };
        let Some(before) = self.stack.ss_minus(1).and_then(|ss| ss.static_eval) else { return };
        let was_quiet = self.stack.position().reversible_plies() > 0;
        if was_quiet && !ss.is_side_search() {
            self.history.update_butterfly(piece, mv, progress_bonus(before, now));
        }
    }

    /// Updates the correction history with the difference between search result and static evaluation.
    pub(super) fn update_corrhist(&mut self, result: &NodeResult, node: &Node) {
        let Some(static_eval) = self.stack.ss().static_eval else { return };
        let quiet = result.best_move.is_none_or(|mv| !self.stack.position().is_capture(mv));
        let fails_high = result.best >= node.window.beta;
        if quiet && is_informative(result.best, static_eval, fails_high, result.best_move.is_some()) {
            self.corrhist.update(&self.stack.corrhist_inputs(), node.depth, result.best - static_eval);
        }
    }

    /// Stores the result of a node.
    pub(super) fn store_result(&self, result: &NodeResult, node: &Node) {
        let bound = if result.best >= node.window.beta {
            Bound::Lower
        } else if result.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(result.best, result.best_move, node.raw_eval, node.depth, bound, self.stack.ss().tt_pv);
    }

    /// Stores an entry for the current position. A ban depends on the path, which the table does not know.
    #[inline(always)] // two callers, most arguments of which are constants
    pub(super) fn store(
        &self,
        score: Score,
        mv: Option<Move>,
        raw_eval: Option<Score>,
        depth: i32,
        bound: Bound,
        tt_pv: bool,
    ) {
        if score.is_ban() {
            return;
        }
        let entry = Entry {
            mv: mv.map(Move::word),
            score: score.to_table(self.stack.ply()),
            eval: raw_eval.map(|eval| eval.to_table(0)),
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            bound,
            tt_pv,
        };
        self.table.store(self.stack.position().key(), self.stack.ss().salt, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Position};
    use crate::rules::RuleSet;
    use crate::search::history::HistoryContext;
    use crate::search::node::tests::node;
    use crate::search::window::Window;
    use crate::search::{SearchContext, Searcher};

    fn at_the_start() -> (SearchContext, Searcher) {
        (SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules()), Searcher::new(0))
    }

    /// Returns the history of a move of a red Cannon, without a context.
    fn history_of(worker: &Worker, mv: Move) -> i32 {
        worker.history.quiets_of(Piece::RedCannon, mv.from(), &HistoryContext::NONE).score(mv.to())
    }

    #[test]
    fn a_move_that_raises_alpha_is_credited_but_no_killer() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        let mv: Move = "h2e2".parse().unwrap();
        let mut found = NodeResult { best: Score::from_eval(10), best_move: Some(mv), ..NodeResult::new() };
        found.searched.push(mv);
        worker.update_histories(&found, &Node { window: Window::FULL, ..node(5, 0, 0) });
        assert!(history_of(&worker, mv) > 0);
        assert_eq!(worker.stack.ss().killers, [None; 2]);
        worker.update_histories(&found, &node(5, 0, 0));
        assert_eq!(worker.stack.ss().killers, [Some(mv), None]);
    }

    #[test]
    fn a_quiet_move_that_nothing_answers_is_credited() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        let mv: Move = "h2e2".parse().unwrap();
        worker.play(mv);
        worker.stack.ss_mut().salt = 7;
        worker.update_histories(&NodeResult::new(), &node(5, 0, 0));
        assert_eq!(history_of(&worker, mv), 0, "in a loop the rules may have answered it");
        worker.stack.ss_mut().salt = 0;
        worker.update_histories(&NodeResult::new(), &node(5, 0, 0));
        worker.undo();
        assert!(history_of(&worker, mv) > 0);
        let capture: Move = "h2h9".parse().unwrap();
        worker.play(capture);
        worker.update_histories(&NodeResult::new(), &node(5, 0, 0));
        worker.undo();
        assert_eq!(history_of(&worker, capture), 0);
    }

    #[test]
    fn only_a_quiet_move_is_credited_for_what_it_changes() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        for (text, is_quiet) in [("h2e2", true), ("h2h9", false)] {
            let mv: Move = text.parse().unwrap();
            worker.stack.ss_mut().static_eval = Some(Score::DRAW);
            worker.play(mv);
            worker.stack.ss_mut().static_eval = Some(Score::from_eval(-300));
            worker.update_by_eval_difference();
            worker.undo();
            assert_eq!(history_of(&worker, mv) > 0, is_quiet, "{mv}");
        }
    }
}
