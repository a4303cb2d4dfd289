//! Endgame tablebases: probes inside the tree, and the known outcome of the root.

use super::judgement::Judgement;
use super::window::Window;
use super::worker::Worker;
use crate::endgame::{Outcome, Tables};
use crate::score::Score;

impl Worker<'_> {
    /// Probes the tablebases, if there are any, for the current position, which has not occurred before.
    ///
    /// Unless the plan asks everywhere, they are probed after captures only. A draw is worth `draw`.
    #[inline(always)]
    pub(super) fn look_up(&mut self, draw: Score) -> Judgement {
        match &self.plan.endgames {
            Some(tables) if self.path.position().reversible_plies() == 0 || self.plan.asks_everywhere => {
                self.ask(tables, draw)
            }
            _ => Judgement::Undecided(Window::FULL),
        }
    }

    fn ask(&mut self, tables: &Tables, draw: Score) -> Judgement {
        let position = self.path.position();
        // The tablebase result is that of the position with all moves, so it says nothing if one is excluded.
        if !tables.may_know(position) || self.path.here().excluded.is_some() {
            return Judgement::Undecided(Window::FULL);
        }
        let left = self.path.plies_left(self.rules);
        let Some(outcome) = tables.outcome_within(position, left) else {
            return Judgement::Undecided(Window::FULL);
        };
        self.world.table_hits += u64::from(outcome != Outcome::Open);
        match outcome {
            Outcome::Draw => Judgement::Decided(draw),
            other => Judgement::Undecided(values_of(other, self.path.ply(), draw)),
        }
    }

    /// Returns the score nearest to `score` that the known outcome of the root allows.
    ///
    /// Both are from the point of view of the root's side to move, wherever in the tree the search stands.
    pub(super) fn nearest_known(&self, score: Score) -> Score {
        let draw = self.plan.draw(self.path.root().side());
        self.known.map_or(score, |outcome| values_of(outcome, 0, draw).nearest(score))
    }
}

/// Returns the scores that remain for a side to move that can reach `outcome`.
///
/// A known win is a lower bound: a mate or a ban in sight scores beyond it.
fn values_of(outcome: Outcome, ply: usize, draw: Score) -> Window {
    match outcome {
        Outcome::Win => Window { alpha: Score::known_win_in(ply), ..Window::FULL },
        Outcome::Loss => Window { beta: -Score::known_win_in(ply), ..Window::FULL },
        Outcome::Draw => Window { alpha: draw, beta: draw },
        Outcome::Open => Window::FULL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Side};
    use crate::rules::RuleSet;
    use crate::search::{Limits, Plan, SearchContext, Searcher, Silent};

    #[test]
    fn a_known_draw_is_worth_the_same_wherever_the_search_was_stopped() {
        let position = Position::from_fen("2bakab2/9/9/9/9/9/9/9/9/R2K5 w").unwrap();
        let plan = Plan { draw_for_red: 25, ..Plan::default() };
        let draw = plan.draw(Side::Red);
        for nodes in 40..80 {
            let context = SearchContext {
                known: Some(Outcome::Draw),
                limits: Limits { nodes: Some(nodes), ..Limits::default() },
                plan: plan.clone(),
                ..SearchContext::of_game(vec![position], RuleSet::Asian.rules())
            };
            assert_eq!(Searcher::new(0).think(&context, &mut Silent).score, draw, "{nodes} nodes");
        }
    }
}
