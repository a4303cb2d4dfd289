//! Root search: reports moves, may exclude some and prunes none.

use super::depth::internal_iterative_reduction;
use super::node::{MoveInfo, Node, Root};
use super::plan::Pruning;
use super::shared::{Refutation, RootMove};
use super::tt;
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::shared::Stopped;

/// Nodes before root moves are reported: less than a second's.
const QUIET_NODES: u64 = 1 << 20;

/// Minimum depth of an iteration that reports refutations, in plies.
const REFUTATION_MIN_DEPTH: i32 = 6;

impl Worker<'_> {
    /// Searches the root `depth` plies deep over the moves that are not excluded, and returns its value.
    ///
    /// Nothing is pruned, and the rules do not decide here: some move has to be played.
    pub(super) fn search_root(&mut self, window: Window, depth: i32) -> Result<Score, Stopped> {
        self.thread.check_stop(self.stack)?;
        self.pv.clear(0);
        let tt_hit = self.probe();
        let stored = tt::tt_move(tt_hit).filter(|&mv| self.stack.position().is_legal(mv));
        let tt_move = self.root.expected.or(stored);
        let mut node = self.node::<Root>(window, depth, false, tt_hit, tt_move);
        if self.pruning >= Pruning::Small {
            node.depth -= internal_iterative_reduction(node.depth, tt_move);
        }
        self.stack.clear_cutoffs_of_children();
        self.stack.clear_grandchildren();
        let result = self.search_moves::<Root>(&node, 0)?;
        self.update_histories(&result, &node);
        if self.root.value_the_position() {
            self.store_result(&result, &node);
            self.update_corrhist(&result, &node);
        }
        Ok(result.best)
    }

    /// Searches a root move, whose random bonus raises its score, and records what is found.
    pub(super) fn search_root_move(
        &mut self,
        mv: &MoveInfo,
        node: &Node,
        best: Score,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.report_root_move(mv.mv, mv.move_count + 1);
        let (bonus, nodes_before) = (self.root.bonus(mv.mv), self.thread.nodes);
        let window = window.shifted(-bonus);
        self.play(mv.mv);
        let score = self.search_child::<Root>(mv, node, best, window)?;
        self.root.record(mv.mv, self.thread.nodes - nodes_before, score, window);
        if score <= window.alpha {
            self.report_refutation(mv.mv);
        }
        self.undo();
        Ok(score.shifted(bonus))
    }

    /// Reports that a root move is about to be searched, as the iteration's `number`th from 1.
    fn report_root_move(&mut self, mv: Move, number: usize) {
        if self.thread.nodes >= QUIET_NODES {
            let begun = RootMove { mv, number, depth: self.nominal_depth.unsigned_abs() };
            self.thread.report(|observer| observer.root_move(begun));
        }
    }

    /// Reports the refutation of the root move just played, which has failed low, if the TT has one.
    fn report_refutation(&mut self, mv: Move) {
        if !self.plan.shows_refutations || self.nominal_depth < REFUTATION_MIN_DEPTH {
            return;
        }
        let answer = tt::tt_move(self.probe()).filter(|&mv| self.stack.position().is_legal(mv));
        if let Some(answer) = answer {
            self.thread.report(|observer| observer.refutation(Refutation { line: vec![mv, answer] }));
        }
    }

    /// Reports the root moves proven since the last report.
    pub(super) fn report_proofs(&mut self) {
        let root = &mut self.root;
        self.thread.report(|observer| {
            if let Some(proven) = root.fresh_proofs() {
                observer.proven_moves(proven);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::EvalKind;
    use crate::rules::RuleSet;
    use crate::search::{Limits, Plan, SearchContext, Searcher, Silent};

    /// Searches the start position without history and with an empty table; returns nodes and score.
    fn found(searcher: &mut Searcher, knowledge: EvalKind) -> (u64, Score) {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let plan = Plan { knowledge, ..Plan::default() };
        let game = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        searcher.forget_history();
        let outcome = searcher.think(&SearchContext { limits, plan, ..game }, &mut Silent);
        (outcome.nodes, outcome.score)
    }

    #[test]
    fn a_search_of_some_root_moves_stores_no_value_of_the_position() {
        let asked = || SearchContext {
            limits: Limits { depth: Some(2), ..Limits::default() },
            ..SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules())
        };
        let all = asked();
        let one = SearchContext { root_moves: all.root_moves[..1].to_vec(), table: all.table.clone(), ..asked() };
        let key = Position::start().key().0;
        Searcher::new(0).think(&one, &mut Silent);
        assert_eq!(all.table.probe(key), None);
        Searcher::new(0).think(&all, &mut Silent);
        assert!(all.table.probe(key).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches of thousands of nodes")]
    fn another_evaluation_clears_the_correction_history() {
        let mut searcher = Searcher::new(0);
        let first = found(&mut searcher, EvalKind::Small);
        assert_ne!(found(&mut searcher, EvalKind::Small), first, "the table of the last search makes a difference");
        found(&mut searcher, EvalKind::Medium);
        assert_eq!(found(&mut searcher, EvalKind::Small), first);
    }
}
