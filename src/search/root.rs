//! Root search: a move loop of its own, which reports moves, may exclude some and prunes none.

use super::known;
use super::node::{Facts, Findings, Root};
use super::picker::Picker;
use super::reductions::internal_iterative_reduction;
use super::report::{Refutation, RootMove};
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::stop::Stopped;

/// Nodes before root moves are reported: less than a second's.
const QUIET_NODES: u64 = 1 << 20;

/// Minimum depth of an iteration that reports refutations, in plies.
const REFUTATION_MIN_DEPTH: i32 = 6;

impl Worker<'_> {
    /// Searches the root `depth` plies deep over the moves that are not excluded, and returns its value.
    ///
    /// Nothing is pruned, and the rules do not decide here: some move has to be played.
    pub(super) fn search_root(&mut self, window: Window, depth: i32) -> Result<Score, Stopped> {
        self.world.visit(self.path)?;
        self.pv.clear(0);
        let known = self.recall();
        let stored = known::best_move(known).filter(|&mv| self.path.position().is_legal(mv));
        let table_move = self.root.expected.or(stored);
        let mut facts = self.facts::<Root>(known, table_move, depth, false);
        if self.plan.pruning.reduces() {
            facts.depth -= internal_iterative_reduction(facts.depth, table_move);
        }
        let found = self.search_root_moves(&facts, window)?;
        self.reward(&found, facts.depth, window);
        if self.root.value_the_position() {
            self.store(&found, &facts, window);
            self.correct(&found, &facts, window);
        }
        Ok(found.best)
    }

    fn search_root_moves(&mut self, facts: &Facts, mut window: Window) -> Result<Findings, Stopped> {
        self.path.forget_cutoffs_of_children();
        self.path.forget_below();
        let (trail, checks) = (self.path.trail(), self.path.position().checks());
        let mut picker = Picker::all(self.path.position(), &checks, facts.table_move, self.path.here().killers, trail);
        let mut found = Findings::none();
        while let Some(mv) = picker.next(self.path.position(), &self.memory.history) {
            if !self.root.admits(mv) {
                continue;
            }
            let mut candidate = self.candidate(mv, &picker, &trail, &checks, facts.depth);
            candidate.reduction = self.reduction::<Root>(&candidate, facts, found.searched.len());
            self.announce(mv, found.searched.len() + 1);
            let (bonus, nodes_before) = (self.root.bonus(mv), self.world.nodes);
            let asked = window.shifted(-bonus);
            self.play(mv);
            let score = self.search_child::<Root>(&candidate, facts, &found, asked)?;
            self.root.learn(mv, self.world.nodes - nodes_before, score, asked);
            if score <= asked.alpha {
                self.report_refutation(mv);
            }
            self.back();
            found.searched.push(mv);
            let score = score.shifted(bonus);
            if score > found.best {
                found.best = score;
                if score > window.alpha {
                    found.best_move = Some(mv);
                    self.pv.update(0, mv);
                    self.root.score = score;
                    if score >= window.beta {
                        break;
                    }
                    window = window.raised(score);
                }
            }
        }
        Ok(found)
    }

    /// Reports that a root move is about to be searched, as the iteration's `number`th from 1.
    fn announce(&self, mv: Move, number: usize) {
        if self.world.nodes >= QUIET_NODES
            && let Some(audience) = self.world.audience()
        {
            audience.root_move(RootMove { mv, number, depth: self.nominal_depth.unsigned_abs() });
        }
    }

    /// Reports the refutation of the root move just played, which has failed low, if the TT has one.
    fn report_refutation(&self, mv: Move) {
        if !self.world.shows_refutations || self.nominal_depth < REFUTATION_MIN_DEPTH {
            return;
        }
        let answer = known::best_move(self.recall()).filter(|&mv| self.path.position().is_legal(mv));
        if let (Some(answer), Some(audience)) = (answer, self.world.audience()) {
            audience.refutation(Refutation { line: vec![mv, answer] });
        }
    }

    /// Reports the root moves proven since the last report.
    pub(super) fn report_proofs(&mut self) {
        if let Some(audience) = self.world.audience()
            && let Some(proven) = self.root.fresh_proofs()
        {
            audience.proven_moves(proven);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::Knowledge;
    use crate::rules::RuleSet;
    use crate::search::{Limits, Plan, SearchContext, Searcher, Silent};

    /// Searches the start position without history and with an empty table; returns nodes and score.
    fn found(searcher: &mut Searcher, knowledge: Knowledge) -> (u64, Score) {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let plan = Plan { knowledge, ..Plan::default() };
        let game = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        searcher.forget_history();
        let outcome = searcher.think(&SearchContext { limits, plan, ..game }, &mut Silent);
        (outcome.nodes, outcome.score)
    }

    #[test]
    fn what_some_of_the_moves_are_worth_is_not_kept_as_the_value_of_the_position() {
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
    fn whoever_values_positions_otherwise_begins_to_learn_anew() {
        let mut searcher = Searcher::new(0);
        let first = found(&mut searcher, Knowledge::Small);
        assert_ne!(found(&mut searcher, Knowledge::Small), first, "what was learnt makes a difference");
        found(&mut searcher, Knowledge::Medium);
        assert_eq!(found(&mut searcher, Knowledge::Small), first);
    }
}
