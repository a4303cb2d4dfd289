//! Alpha-beta recursion: principal variation search (PVS). Each technique is a call into its own file.

use super::candidate::Candidate;
use super::extensions::Verdict;
use super::judgement::Judgement;
use super::known;
use super::node::{Facts, Findings, Node, Pv, Scout};
use super::path::Returns;
use super::picker::Picker;
use super::pruning::{self, Prospect};
use super::reductions::{TableMove, internal_iterative_reduction, re_search_change};
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::score::{MAX_PLY, Score};
use crate::smp::stop::Stopped;
use crate::smp::table::Entry;

impl Worker<'_> {
    /// Principal variation search (PVS) of the current position, `depth` plies deep.
    ///
    /// Returns its value: exact inside `window`, a bound outside. `cut` marks an expected cut node, which should fail
    /// high.
    pub(super) fn search<N: Node>(&mut self, window: Window, depth: i32, cut: bool) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence::<N>(window);
        }
        let possible = match self.enter::<N>()? {
            Judgement::Decided(score) => return Ok(score),
            Judgement::Undecided(values) => values,
        };
        match window.within_mates(self.path.ply()).and_then(|window| window.within(possible)) {
            Ok(window) => Ok(possible.nearest(self.examine::<N>(window, depth, cut)?)),
            Err(score) => Ok(score),
        }
    }

    /// Enters a node: checks whether the search must stop and whether the rules decide the position.
    ///
    /// At the maximum ply, the static evaluation decides it.
    pub(super) fn enter<N: Node>(&mut self) -> Result<Judgement, Stopped> {
        self.world.visit(self.path)?;
        let ply = self.path.ply();
        if N::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        Ok(match self.judge() {
            Judgement::Undecided(_) if ply >= MAX_PLY - 1 => {
                Judgement::Decided(self.evaluator.evaluate(self.path.position()))
            }
            judgement => judgement,
        })
    }

    /// Searches a position that the rules leave undecided, and returns its value.
    fn examine<N: Node>(&mut self, window: Window, depth: i32, cut: bool) -> Result<Score, Stopped> {
        let known = self.recall();
        if !N::PV
            && !self.path.here().is_side_search()
            && let Some(entry) = known.filter(|entry| i32::from(entry.depth) >= depth)
            && let Some(score) = self.table_cutoff(&entry, window)
        {
            return Ok(score);
        }
        let table_move = known::best_move(known).filter(|&mv| self.path.position().is_legal(mv));
        let mut facts = self.facts::<N>(known, table_move, depth, cut);
        if facts.eval.is_some() && !self.path.position().has_legal_move() {
            return Ok(self.value_without_moves(window));
        }
        self.credit_progress();
        self.path.forget_below();
        if !N::PV
            && let Some(score) = self.prune_node(&facts, window)?
        {
            return Ok(score);
        }
        if self.plan.pruning.reduces() {
            facts.depth -= internal_iterative_reduction(facts.depth, table_move);
        }
        let extension = match self.singular::<N>(&facts, window)? {
            Verdict::Extend(plies) => plies,
            Verdict::Cut(score) => return Ok(score),
        };
        if window.alpha < self.plan.draw(self.path.position().side()) {
            facts.returns = self.path.returns();
        }
        let mut found = self.search_moves::<N>(&facts, window, extension)?;
        if found.searched.is_empty() {
            return Ok(self.value_without_moves(window));
        }
        found.best = blended(found.best, window.beta, facts.depth);
        self.reward(&found, facts.depth, window);
        if !self.path.here().is_side_search() {
            self.store(&found, &facts, window);
            self.correct(&found, &facts, window);
        }
        Ok(found.best)
    }

    /// Returns the value of a node without a move to search: mated, or alpha if the excluded move is the only legal
    /// one.
    fn value_without_moves(&self, window: Window) -> Score {
        if self.path.here().excluded.is_some() { window.alpha } else { Score::mated_in(self.path.ply()) }
    }

    /// Collects the data of the current node before its moves are searched: TT entry, evaluation, improving flag.
    pub(super) fn facts<N: Node>(
        &mut self,
        known: Option<Entry>,
        table_move: Option<Move>,
        depth: i32,
        cut: bool,
    ) -> Facts {
        let position = self.path.position();
        let kind = |mv| if position.is_capture(mv) { TableMove::Capture } else { TableMove::Quiet };
        let facts = Facts {
            depth,
            cut,
            known,
            table_move,
            table_move_kind: table_move.map_or(TableMove::Unknown, kind),
            was_pv: known::was_pv::<N>(known),
            raw_eval: None,
            eval: None,
            doubt: 0,
            improving: false,
            returns: Returns::new(),
        };
        if self.path.position().in_check() {
            self.path.here_mut().static_eval = None;
            return facts;
        }
        let raw_eval = self.static_eval(known);
        let static_eval = self.corrected(raw_eval);
        self.path.here_mut().static_eval = Some(static_eval);
        let before = self.path.before(2).and_then(|ply| ply.static_eval);
        let improving = before.is_none_or(|before| static_eval > before);
        let doubt = (static_eval - raw_eval).abs();
        let believed = known.filter(|_| self.path.here().believes_scores());
        let better = believed.and_then(|entry| known::better_eval(&entry, static_eval, self.path.ply()));
        Facts { raw_eval: Some(raw_eval), eval: Some(better.unwrap_or(static_eval)), doubt, improving, ..facts }
    }

    /// Whole-node pruning of a scout node: reverse futility pruning (RFP), null-move pruning (NMP) and ProbCut.
    ///
    /// Returns the value of the node if one of them cuts it off.
    fn prune_node(&mut self, facts: &Facts, window: Window) -> Result<Option<Score>, Stopped> {
        let Some(eval) = facts.eval else { return Ok(None) };
        let node = Prospect { depth: facts.depth, eval, improving: facts.improving, window };
        if self.plan.pruning.prunes_nodes()
            && !facts.was_pv
            && let Some(score) = pruning::reverse_futility(&node)
        {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(&node, facts.cut)? {
            return Ok(Some(score));
        }
        if self.plan.pruning.prunes_nodes() { self.probcut(&node, facts) } else { Ok(None) }
    }

    /// Searches the moves until one reaches beta or all have been tried.
    ///
    /// The TT move is extended by `extension` plies (reduced if negative).
    fn search_moves<N: Node>(
        &mut self,
        facts: &Facts,
        mut window: Window,
        extension: i32,
    ) -> Result<Findings, Stopped> {
        let ply = self.path.ply();
        let (trail, checks) = (self.path.trail(), self.path.position().checks());
        let mut picker = Picker::all(self.path.position(), &checks, facts.table_move, self.path.here().killers, trail);
        let mut found = Findings::none();
        while let Some(mv) = picker.next(self.path.position(), &self.memory.history) {
            if self.path.here().excluded == Some(mv) {
                continue;
            }
            if self.plan.pruning.prunes_moves() && self.late_move_pruning(mv, facts, &found, &checks) {
                // All further quiet moves would be pruned as well.
                picker.restrict_quiets(|mv| self.matters_late(mv, facts, &checks));
                continue;
            }
            let mut candidate = self.candidate(mv, &picker, &trail, &checks, facts.depth);
            if facts.table_move == Some(mv) && extension != 0 {
                candidate.extension = extension;
            }
            candidate.reduction = self.reduction::<N>(&candidate, facts, found.searched.len());
            if self.plan.pruning.prunes_moves()
                && let Some(hope) = self.prunes_move(&candidate, facts, &found, window)
            {
                found.hope_for(hope);
                continue;
            }
            self.play(mv);
            let score = self.search_child::<N>(&candidate, facts, &found, window)?;
            self.back();
            found.searched.push(mv);
            if score > found.best {
                found.best = score;
                if score > window.alpha {
                    found.best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= window.beta {
                        self.path.here_mut().cutoffs += 1;
                        break;
                    }
                    window = window.raised(score);
                }
            }
        }
        Ok(found)
    }

    /// Searches the position after one move: the first move of a PV node with the full window, all others by a scout
    /// search.
    ///
    /// A scout search that fails high is repeated without reduction, then with the full window.
    pub(super) fn search_child<N: Node>(
        &mut self,
        candidate: &Candidate,
        facts: &Facts,
        found: &Findings,
        window: Window,
    ) -> Result<Score, Stopped> {
        let mut depth = facts.depth - 1 + candidate.extension;
        if N::PV {
            // A scout search writes no PV, and one that already proves the fastest mate is not repeated.
            self.pv.clear(self.path.ply());
        }
        if N::PV && found.searched.is_empty() {
            return Ok(-self.search::<Pv>(window.swapped(), depth, false)?);
        }
        let scout = window.scout().swapped();
        let mut score = window.alpha + 1;
        if candidate.reduction > 0 {
            let reduced = depth - candidate.reduction;
            score = -self.search::<Scout>(scout, reduced, true)?;
            if score > window.alpha && !found.best.is_decisive() {
                depth += re_search_change(score - found.best, depth);
            }
            if depth <= reduced && score > window.alpha && !N::PV {
                return Ok(score);
            }
        }
        if score > window.alpha {
            score = -self.search::<Scout>(scout, depth, !facts.cut)?;
        }
        if N::PV && score > window.alpha && (N::ROOT || score < window.beta) {
            score = -self.search::<Pv>(window.swapped(), depth, false)?;
        }
        Ok(score)
    }
}

/// Fail-high blending: moves a score beyond beta back towards beta.
///
/// A fail high proves only beta; the excess counts the more, the deeper the search was.
fn blended(best: Score, beta: Score, depth: i32) -> Score {
    if best <= beta || best.is_decisive() || beta.is_decisive() {
        best
    } else {
        beta + (best - beta) * depth / (depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::RuleSet;
    use crate::search::{SearchContext, Searcher};
    use crate::smp::table::Bound;

    #[test]
    fn what_lies_beyond_beta_is_believed_the_more_the_deeper_the_search() {
        let beta = Score::from_eval(10);
        assert_eq!(blended(beta - 5, beta, 3), beta - 5);
        assert_eq!(blended(beta + 100, beta, 1), beta + 50);
        assert_eq!(blended(beta + 100, beta, 9), beta + 90);
        assert_eq!(blended(Score::mate_in(5), beta, 1), Score::mate_in(5));
    }

    #[test]
    fn a_search_without_a_move_does_not_believe_what_the_table_knows_of_the_position_with_it() {
        let context = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        let mut searcher = Searcher::new(0);
        let mut worker = searcher.begin(&context);
        let mv = Some(context.root_moves[0]);
        let entry =
            Entry { mv: mv.map(Move::word), score: 900, eval: None, depth: 9, bound: Bound::Lower, was_pv: false };
        let mut eval = |excluded, salt| {
            let here = worker.path.here_mut();
            (here.excluded, here.salt) = (excluded, salt);
            worker.facts::<Scout>(Some(entry), mv, 6, true).eval
        };
        assert_eq!(eval(None, 0), Some(Score::from_eval(900)));
        assert!(eval(mv, 0).is_some_and(|eval| eval < Score::from_eval(300)));
        assert_eq!(eval(None, 7), eval(mv, 0), "nor what it knows of other ways to the position");
    }

    #[test]
    fn what_grandchildren_have_learnt_is_forgotten_before_anything_is_searched() {
        let context = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        let mut searcher = Searcher::new(0);
        let mut worker = searcher.begin(&context);
        let at_grandchild = |worker: &mut Worker, cutoffs: Option<u32>| {
            for text in ["h2e2", "h9g7"] {
                worker.play(text.parse().unwrap());
            }
            let here = worker.path.here_mut();
            here.cutoffs = cutoffs.unwrap_or(here.cutoffs);
            let now = here.cutoffs;
            worker.back();
            worker.back();
            now
        };
        assert_eq!(at_grandchild(&mut worker, Some(9)), 9);
        let hopeless = Score::from_eval(-3_000);
        let score = worker.search::<Scout>(Window { alpha: hopeless, beta: hopeless + 1 }, 3, true).unwrap();
        assert!(score > hopeless, "it is pruned without a move");
        assert_eq!(at_grandchild(&mut worker, None), 0);
    }
}
