//! Iterative deepening: one ply more per iteration, with an aspiration window around the last score.

use std::cmp::Reverse;
use std::mem;

use super::depth::root_reduction;
use super::params;
use super::plan::Pruning;
use super::shared::{Iteration, Limits, Outcome};
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;
use crate::smp::shared::Stopped;
use crate::smp::table::Bound;

/// Maximum depth of an iteration, in plies; extensions and quiescence search go deeper.
pub const MAX_DEPTH: u32 = 100;

/// Parts into which the shares of two searches beside that of the plan are cut, so that neither waits for all of the other's.
const PARTS: u64 = 4;

/// Number of different initial aspiration windows among the workers.
const WINDOW_WIDTHS: usize = 8;

impl Worker<'_> {
    /// Searches until a limit is reached, a mate ends the search or the stop flag is raised.
    ///
    /// The outcome always has a move, even if no iteration was finished.
    pub(super) fn think(&mut self) -> Outcome {
        let score = self.evaluator.evaluate(self.stack.position());
        let pv = vec![self.root.fallback()];
        let bound = Bound::Exact;
        let mut outcome = Outcome { depth: 0, selective_depth: 0, score, bound, score_depth: 0, pv, nodes: 0 };
        // Lines of the last iteration, best first.
        let mut lines: Vec<Iteration> = Vec::new();
        for depth in 1..=deepest(&self.thread.context.limits) {
            let stopped = self.deepen(depth, &mut lines, &mut outcome).is_err();
            if stopped || self.ends_by_mate(&lines, depth) {
                break;
            }
            self.thread.allow_stop();
            match self.look_aside_for_mate(outcome.score) {
                Ok(false) => {}
                Ok(true) => {
                    let line =
                        Iteration { pv: outcome.pv.clone(), ..self.iteration(depth, outcome.score, Bound::Exact) };
                    self.report_line(line);
                    self.report_proofs();
                    if self.ends_by_mate(&lines, depth) {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        self.prefer_mate(&mut outcome);
        if outcome.depth > 0 {
            outcome.score = self.without_random_bonus(outcome.score, &outcome.pv);
        }
        outcome.score = self.within_root_outcome(outcome.score);
        outcome.selective_depth = self.selective_depth as u32;
        outcome.nodes = self.thread.nodes;
        self.thread.publish();
        outcome
    }

    /// Continues the searches beside this one: the normal one, and for mates alone. Returns whether one found a mate.
    fn look_aside_for_mate(&mut self, score: Score) -> Result<bool, Stopped> {
        let parts = if self.has_normal_search() { PARTS } else { 1 };
        for part in 1..=parts {
            if self.search_normally(part, parts)? | self.search_for_mate(score, part, parts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs one iteration (MultiPV): each line excludes the first moves of the lines before it.
    fn deepen(&mut self, depth: u32, lines: &mut Vec<Iteration>, outcome: &mut Outcome) -> Result<(), Stopped> {
        let before = mem::take(lines);
        self.root.release();
        for index in 0..self.plan.multipv.clamp(1, self.root.len()) {
            if index > 0 {
                self.root.expected = self.expected_next(&before);
            }
            let last = before.get(index).map_or(outcome.score, |line| line.score);
            let score = match self.iterate(depth, index + 1, last, outcome) {
                Ok(score) => score,
                Err(Stopped) => {
                    match before.first() {
                        // With several lines, the user has seen those of the last iteration: the first of them is
                        // played.
                        Some(shown) if self.plan.multipv > 1 => outcome.take(shown),
                        _ if index == 0 => self.take_unfinished(outcome),
                        _ => {}
                    }
                    return Err(Stopped);
                }
            };
            let line = self.proven(self.iteration(depth, score, Bound::Exact));
            self.root.take(line.pv[0]);
            if index == 0 {
                outcome.take(&line);
            }
            lines.push(line);
        }
        // Entries stored by earlier lines may have improved later ones. The sort is stable: ties keep their order.
        lines.sort_by_key(|line| Reverse(line.score));
        outcome.take(&lines[0]);
        self.root.expected = Some(lines[0].pv[0]);
        for (index, line) in lines.iter_mut().enumerate() {
            line.pv_index = index + 1;
            self.report_line(line.clone());
        }
        self.report_proofs();
        Ok(())
    }

    /// Returns the best move of the last iteration that does not yet begin a line of this one.
    fn expected_next(&self, before: &[Iteration]) -> Option<Move> {
        before.iter().map(|line| line.pv[0]).find(|&mv| self.root.admits(mv))
    }

    /// Searches the root for the line `pv_index` (MultiPV), whose score was `last` one iteration ago: the aspiration window
    /// widens until the score lies inside.
    ///
    /// If the best line fails high, its move is the outcome until more is known.
    pub(super) fn iterate(
        &mut self,
        depth: u32,
        pv_index: usize,
        last: Score,
        outcome: &mut Outcome,
    ) -> Result<Score, Stopped> {
        self.nominal_depth = depth as i32;
        // Workers with slightly different windows search different trees.
        let mut delta = params::aspiration_delta() + (self.thread.worker % WINDOW_WIDTHS) as i32;
        let narrow = depth as i32 >= params::aspiration_from_depth() && !last.is_decisive();
        let mut window = if narrow { Window::around(last, delta) } else { Window::FULL };
        if let Some(floor) = self.proven_score() {
            // Only a shorter mate is of interest, and mate-distance pruning cuts off everything longer.
            let score = self.search_root(Window { alpha: floor, ..Window::FULL }, depth as i32)?;
            return Ok(score.max(floor));
        }
        let mut reduction = 0;
        loop {
            let score = self.search_root(window, (depth as i32 - reduction).max(1))?;
            if window.contains(score) || window == Window::FULL {
                return Ok(score);
            }
            delta = delta * params::aspiration_growth_percent() / 100;
            let bound = if score <= window.alpha { Bound::Upper } else { Bound::Lower };
            let line = self.iteration(depth, score, bound);
            if bound == Bound::Lower {
                self.root.expected = Some(line.pv[0]);
                if pv_index == 1 {
                    outcome.improve(score, bound, depth, &line.pv);
                }
            }
            // With several lines, a bound is not reported: the list it belongs to may never be completed.
            if self.plan.multipv == 1 {
                self.report_line(line);
            }
            window = match bound {
                Bound::Upper => Window { alpha: Window::around(score, delta).alpha, beta: window.middle() },
                _ => Window { alpha: window.alpha, beta: Window::around(score, delta).beta },
            };
            reduction = if self.pruning >= Pruning::Small { root_reduction(reduction, score, bound) } else { 0 };
            if score.is_decisive() {
                window = Window::FULL;
            }
        }
    }

    /// Takes over the line of a stopped iteration, if it has one.
    ///
    /// The old best move was searched first, so that any other move has proven better.
    fn take_unfinished(&self, outcome: &mut Outcome) {
        if !self.pv.line(0).is_empty() {
            let depth = u32::try_from(self.nominal_depth).unwrap_or(0);
            outcome.improve(self.root.score, Bound::Exact, depth, self.pv.line(0));
        }
    }

    /// Returns the principal variation of the root; on a fail low, the move that was thought best before.
    fn root_line(&self) -> Vec<Move> {
        let expected = || self.root.expected.filter(|&mv| self.root.admits(mv)).or_else(|| self.root.first());
        match self.pv.line(0) {
            [] => vec![expected().unwrap_or_else(|| self.root.fallback())],
            line => line.to_vec(),
        }
    }

    /// Reports a line, after adjusting it to the proven mate, the random bonus and the known outcome.
    fn report_line(&mut self, line: Iteration) {
        let line = self.proven(line);
        let score = self.within_root_outcome(self.without_random_bonus(line.score, &line.pv));
        self.thread.report(|observer| observer.iteration(Iteration { score, ..line }));
    }

    /// Returns a score without the random bonus of the line's first move, which affects the choice of a move alone.
    fn without_random_bonus(&self, score: Score, line: &[Move]) -> Score {
        line.first().map_or(score, |&mv| score.shifted(-self.root.bonus(mv)))
    }

    fn iteration(&self, depth: u32, score: Score, bound: Bound) -> Iteration {
        let pv = self.root_line();
        self.thread.publish();
        Iteration {
            pv_index: 1,
            depth,
            selective_depth: self.selective_depth as u32,
            score,
            bound,
            best_move_permille: self.root.effort_permille(pv[0]),
            pv,
            nodes: self.thread.nodes,
        }
    }
}

/// Returns the last iteration. A mate in n moves of the winner is found within 2n plies.
fn deepest(limits: &Limits) -> u32 {
    let &Limits { depth, mate, .. } = limits;
    let mate = mate.map(|moves| moves.saturating_mul(2));
    [depth, mate, Some(MAX_DEPTH)].into_iter().flatten().min().unwrap_or(MAX_DEPTH).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::RuleSet;
    use crate::search::{Observer, Plan, SearchContext, Searcher};

    #[test]
    fn a_line_and_its_score_come_from_one_search() {
        let context = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        let mut searcher = Searcher::new(0);
        let mut worker = searcher.begin(&context);
        let line = |mv: &str| vec![mv.parse::<Move>().unwrap()];
        let (old, new) = (Score::from_eval(20), Score::from_eval(90));
        let bound = Bound::Exact;
        let mut outcome =
            Outcome { depth: 5, selective_depth: 9, score: old, bound, score_depth: 5, pv: line("h2e2"), nodes: 99 };
        worker.take_unfinished(&mut outcome);
        assert_eq!((outcome.score, &outcome.pv), (old, &line("h2e2")), "nothing was found yet");
        worker.pv.update(0, line("b2e2")[0]);
        (worker.root.score, worker.nominal_depth) = (new, 6);
        worker.take_unfinished(&mut outcome);
        assert_eq!((outcome.score, &outcome.pv, outcome.depth), (new, &line("b2e2"), 5));
        assert_eq!((outcome.score_depth, outcome.bound), (6, Bound::Exact));
    }

    /// Keeps the newest line of each index.
    #[derive(Default)]
    struct Shown(std::collections::BTreeMap<usize, Iteration>);

    impl Observer for Shown {
        fn iteration(&mut self, iteration: Iteration) {
            self.0.insert(iteration.pv_index, iteration);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches of thousands of nodes")]
    fn with_multipv_the_first_reported_line_is_played() {
        let plan = Plan { multipv: 4, ..Plan::default() };
        for nodes in (2_000..20_000).step_by(700) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let game = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
            let mut shown = Shown::default();
            let outcome = Searcher::new(0).think(&SearchContext { limits, plan: plan.clone(), ..game }, &mut shown);
            let mut first_moves: Vec<u16> = shown.0.values().map(|line| line.pv[0].bits()).collect();
            assert_eq!((shown.0[&1].pv[0], first_moves.len()), (outcome.pv[0], 4), "{nodes} nodes");
            first_moves.sort_unstable();
            first_moves.dedup();
            assert_eq!(first_moves.len(), 4, "{nodes} nodes: {:?}", shown.0);
        }
    }

    #[test]
    fn random_bonuses_choose_moves_and_leave_scores_alone() {
        let scores = |margin| {
            let game = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
            let limits = Limits { depth: Some(2), ..Limits::default() };
            let plan = Plan { randomness: crate::search::Randomness { margin, seed: 7 }, ..Plan::default() };
            let root_moves = game.root_moves[..1].to_vec();
            let mut shown = Shown::default();
            let outcome = Searcher::new(0).think(&SearchContext { limits, plan, root_moves, ..game }, &mut shown);
            (outcome.score, shown.0[&1].score)
        };
        let (played, reported) = scores(0);
        assert_eq!((scores(5_000), played), ((played, reported), reported));
    }
}
