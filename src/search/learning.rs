//! Updates after the moves of a node: histories, transposition table (TT) and correction history.

use super::correction;
use super::history::{history_bonus, history_malus, progress_bonus};
use super::node::{Facts, Findings};
use super::params;
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::smp::table::{Bound, Entry};

impl Worker<'_> {
    /// Updates the histories: a bonus for the best move, a malus for the other moves tried.
    ///
    /// The best move has reached beta or raised alpha. Quiet moves get no malus if the best move is a capture.
    pub(super) fn reward(&mut self, found: &Findings, depth: i32, window: Window) {
        let Some(best) = found.best_move else { return self.reward_unrefuted(depth) };
        let change = |mv| if mv == best { history_bonus(depth) } else { history_malus(depth) };
        let trail = self.path.trail();
        let history = &mut self.memory.history;
        let best_is_quiet = !self.path.position().is_capture(best);
        if best_is_quiet && found.best >= window.beta {
            self.path.here_mut().remember_killer(best);
        }
        for &mv in &found.searched {
            let delta = self.path.position().delta(mv);
            match delta.captured {
                Some(captured) => history.update_capture(delta, captured.kind(), change(mv)),
                None if best_is_quiet => history.update_quiet(delta.piece, mv, &trail, change(mv)),
                None => {}
            }
        }
    }

    /// Prior-move bonus: rewards the quiet move that led here, because no reply has raised alpha.
    ///
    /// In a loop there is no bonus: the rules may refute the move.
    fn reward_unrefuted(&mut self, depth: i32) {
        let (Some((piece, mv)), Some(trail)) = (self.path.played_before(1), self.path.trail_before()) else { return };
        let here = self.path.here();
        if self.path.position().reversible_plies() > 0 && !here.is_side_search() && here.salt == 0 {
            let bonus = history_bonus(depth) * params::history_unrefuted_128() / 128;
            self.memory.history.update_quiet(piece, mv, &trail, bonus);
        }
    }

    /// Evaluation-difference ordering: credits or blames the previous quiet move for its change of the static
    /// evaluation.
    pub(super) fn credit_progress(&mut self) {
        let here = self.path.here();
        let (Some((piece, mv)), Some(now)) = (self.path.played_before(1), here.static_eval) else { return };
        let Some(before) = self.path.before(1).and_then(|ply| ply.static_eval) else { return };
        let was_quiet = self.path.position().reversible_plies() > 0;
        if was_quiet && !here.is_side_search() {
            self.memory.history.update_butterfly(piece, mv, progress_bonus(before, now));
        }
    }

    /// Updates the correction history with the difference between search result and static evaluation.
    pub(super) fn correct(&mut self, found: &Findings, facts: &Facts, window: Window) {
        let Some(static_eval) = self.path.here().static_eval else { return };
        let quiet = found.best_move.is_none_or(|mv| !self.path.position().is_capture(mv));
        let fails_high = found.best >= window.beta;
        if quiet && correction::teaches(found.best, static_eval, fails_high, found.best_move.is_some()) {
            self.memory.corrections.update(&self.path.features(), facts.depth, found.best - static_eval);
        }
    }

    /// Stores the result of the node in the transposition table.
    pub(super) fn store(&self, found: &Findings, facts: &Facts, window: Window) {
        // A ban depends on the path to this position, which the table does not know.
        if found.best.is_ban() {
            return;
        }
        let bound = if found.best >= window.beta {
            Bound::Lower
        } else if found.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(Entry {
            mv: found.best_move.map(Move::word),
            score: found.best.to_table(self.path.ply()),
            eval: facts.raw_eval.map(|eval| eval.to_table(0)),
            depth: u8::try_from(facts.depth).unwrap_or(u8::MAX),
            bound,
            was_pv: facts.was_pv,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Position};
    use crate::rules::RuleSet;
    use crate::score::Score;
    use crate::search::{SearchContext, Searcher};

    fn at_the_start() -> (SearchContext, Searcher) {
        (SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules()), Searcher::new(0))
    }

    #[test]
    fn a_move_that_raises_alpha_is_credited_but_no_killer() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        let mv: Move = "h2e2".parse().unwrap();
        let mut found = Findings { best: Score::from_eval(10), best_move: Some(mv), ..Findings::none() };
        found.searched.push(mv);
        worker.reward(&found, 5, Window::FULL);
        assert!(worker.memory.history.quiet(Piece::RedCannon, mv) > 0);
        assert_eq!(worker.path.here().killers, [None; 2]);
        worker.reward(&found, 5, Window { alpha: Score::DRAW - 1, beta: Score::DRAW });
        assert_eq!(worker.path.here().killers, [Some(mv), None]);
    }

    #[test]
    fn a_quiet_move_that_nothing_answers_is_credited() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        let mv: Move = "h2e2".parse().unwrap();
        worker.play(mv);
        worker.path.here_mut().salt = 7;
        worker.reward(&Findings::none(), 5, Window::FULL);
        assert_eq!(worker.memory.history.quiet(Piece::RedCannon, mv), 0, "in a loop the rules may have answered it");
        worker.path.here_mut().salt = 0;
        worker.reward(&Findings::none(), 5, Window::FULL);
        worker.back();
        assert!(worker.memory.history.quiet(Piece::RedCannon, mv) > 0);
        let capture: Move = "h2h9".parse().unwrap();
        worker.play(capture);
        worker.reward(&Findings::none(), 5, Window::FULL);
        worker.back();
        assert_eq!(worker.memory.history.quiet(Piece::RedCannon, capture), 0);
    }

    #[test]
    fn only_a_quiet_move_is_credited_for_what_it_changes() {
        let (context, mut searcher) = at_the_start();
        let mut worker = searcher.begin(&context);
        for (text, is_quiet) in [("h2e2", true), ("h2h9", false)] {
            let mv: Move = text.parse().unwrap();
            worker.path.here_mut().static_eval = Some(Score::DRAW);
            worker.play(mv);
            worker.path.here_mut().static_eval = Some(Score::from_eval(-300));
            worker.credit_progress();
            worker.back();
            assert_eq!(worker.memory.history.quiet(Piece::RedCannon, mv) > 0, is_quiet, "{mv}");
        }
    }
}
