//! What tables of endgames say of a position inside the tree, and of the root.

use super::judgement::Judgement;
use super::window::Window;
use super::worker::Worker;
use crate::endgame::{Outcome, Tables};
use crate::score::Score;

impl Worker<'_> {
    /// Asks the tables, if there are any, about the current position, which has not stood before; a draw is worth `draw`.
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
        // What is known of the position is not known of it without a move.
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

    /// `score` as what is known of the root lets it be, from wherever the search stands.
    pub(super) fn nearest_known(&self, score: Score) -> Score {
        let draw = self.plan.draw(self.path.root().side());
        self.known.map_or(score, |outcome| values_of(outcome, 0, draw).nearest(score))
    }
}

/// What a mover can get who can reach `outcome`: as soon as a mate or a ban is in sight, that is more than is known.
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
