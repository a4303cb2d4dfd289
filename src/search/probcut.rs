//! ProbCut: if a capture fails high well beyond beta in a shallow search, the deep search would reach beta.
//!
//! After Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm" (1995).

use super::node::{Facts, Scout};
use super::params;
use super::picker::Picker;
use super::pruning::Prospect;
use super::window::Window;
use super::worker::Worker;
use crate::score::Score;
use crate::smp::stop::Stopped;

/// Returns the ProbCut beta, which a shallow search must reach; `None` if ProbCut does not apply to the node.
pub(crate) fn goal(node: &Prospect, known: Option<(Score, i32)>) -> Option<Score> {
    let beta = node.window.beta;
    let improving = if node.improving { params::probcut_improving() } else { 0 };
    let goal = beta + params::probcut_margin() - improving;
    let refuted = known.is_some_and(|(stored, depth)| depth >= node.depth - params::probcut_plies() && stored < goal);
    (node.depth >= params::probcut_min_depth() && !beta.is_decisive() && !goal.is_decisive() && !refuted)
        .then_some(goal)
}

impl Worker<'_> {
    /// ProbCut: returns the value of the node if a capture reaches the ProbCut beta in a much shallower search.
    pub(super) fn probcut(&mut self, node: &Prospect, facts: &Facts) -> Result<Option<Score>, Stopped> {
        let (here, ply) = (self.path.here(), self.path.ply());
        let (excluded, static_eval) = (here.excluded, here.static_eval.unwrap_or(node.eval));
        let believed = facts.known.filter(|_| here.believes_scores());
        let stored = believed.map(|entry| (Score::from_table(entry.score, ply), i32::from(entry.depth)));
        let Some(goal) = goal(node, stored) else { return Ok(None) };
        let window = Window { alpha: goal - 1, beta: goal }.swapped();
        let depth = node.depth - 1 - params::probcut_plies();
        let mut picker = Picker::captures(self.path.position(), facts.table_move);
        while let Some(mv) = picker.next(self.path.position(), &self.memory.history) {
            if excluded == Some(mv) || !self.path.position().exchange_gains(mv, goal - static_eval) {
                continue;
            }
            self.play(mv);
            let mut score = -self.quiescence::<Scout>(window)?;
            if score >= goal && depth > 0 {
                score = -self.search::<Scout>(window, depth, !facts.cut)?;
            }
            self.back();
            if score >= goal {
                return Ok(Some(if score.is_decisive() { score } else { score - (goal - node.window.beta) }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: i32) -> Prospect {
        let beta = Score::from_eval(50);
        Prospect { depth, eval: beta, improving: false, window: Window { alpha: beta - 1, beta } }
    }

    #[test]
    fn a_deep_node_asks_for_more_than_beta() {
        assert_eq!(goal(&node(8), None), Some(Score::from_eval(50 + params::probcut_margin())));
        assert!(goal(&Prospect { improving: true, ..node(8) }, None) <= goal(&node(8), None));
        assert_eq!(goal(&node(params::probcut_min_depth() - 1), None), None);
        let mate = Window { alpha: Score::mate_in(9) - 1, beta: Score::mate_in(9) };
        assert_eq!(goal(&Prospect { window: mate, ..node(8) }, None), None);
    }

    #[test]
    fn what_the_table_refutes_is_not_tried() {
        let low = Score::from_eval(0);
        assert_eq!(goal(&node(8), Some((low, 8))), None);
        assert!(goal(&node(8), Some((low, 8 - params::probcut_plies() - 1))).is_some());
        assert!(goal(&node(8), Some((Score::from_eval(900), 8))).is_some());
    }
}
