//! Principal variation search (PVS): alpha-beta in negamax form, from top to bottom.
//!
//! Each technique is a call: pruning rules in `pruning.rs`, depths in `depth.rs`, the order of moves in `picker.rs`, draws and
//! tablebases in `draw.rs`, histories and correction history in `update.rs`, the leaves in `qsearch.rs`.

use super::depth::{Singular, internal_iterative_reduction, re_search_change};
use super::draw::Verdict;
use super::history::HistoryContext;
use super::node::{MoveInfo, Node, NodeResult, NodeType, NonPv, Pv};
use super::params;
use super::picker::Picker;
use super::plan::Pruning;
use super::stack::Repetitions;
use super::tt;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Checks, Delta, Move, Piece};
use crate::score::Score;
use crate::smp::shared::Stopped;
use crate::smp::table::Entry;

impl Worker<'_> {
    /// Searches the current position `depth` plies deep. The score is exact inside `window` and a bound outside.
    pub(super) fn search<N: NodeType>(&mut self, window: Window, depth: i32, cut_node: bool) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.qsearch::<N>(window);
        }
        let possible = match self.enter::<N>()? {
            Verdict::Decided(score) => return Ok(score),
            Verdict::Open(possible) => possible,
        };
        match window.within_mates(self.stack.ply()).and_then(|window| window.within(possible)) {
            Ok(window) => Ok(possible.nearest(self.search_node::<N>(window, depth, cut_node)?)),
            Err(score) => Ok(score),
        }
    }

    /// Searches a position that the rules leave open.
    fn search_node<N: NodeType>(&mut self, window: Window, depth: i32, cut_node: bool) -> Result<Score, Stopped> {
        // Transposition table cutoff.
        let tt_hit = self.probe();
        if !N::PV
            && !self.stack.ss().is_side_search()
            && let Some(entry) = tt_hit.filter(|entry| i32::from(entry.depth) >= depth)
            && let Some(score) = self.tt_cutoff(&entry, window)
        {
            return Ok(score);
        }

        // Static evaluation.
        let tt_move = tt::tt_move(tt_hit).filter(|&mv| self.stack.position().is_legal(mv));
        let mut node = self.node::<N>(window, depth, cut_node, tt_hit, tt_move);
        if node.eval.is_some() && !self.stack.position().has_legal_move() {
            return Ok(self.score_without_moves(window));
        }
        self.update_by_eval_difference();
        self.stack.clear_grandchildren();

        // Reverse futility pruning, null move, ProbCut.
        if !N::PV
            && let Some(score) = self.prune_node(&node)?
        {
            return Ok(score);
        }

        // Internal iterative reduction and singular extension.
        if self.pruning >= Pruning::Small {
            node.depth -= internal_iterative_reduction(node.depth, tt_move);
        }
        let extension = match self.singular_search(&node)? {
            Singular::Extend(plies) => plies,
            Singular::MultiCut(score) => return Ok(score),
        };

        // The moves.
        if window.alpha < self.plan.draw(self.stack.position().side()) {
            node.repetitions = self.stack.upcoming_repetitions();
        }
        let mut result = self.search_moves::<N>(&node, extension)?;
        if result.searched.is_empty() {
            return Ok(self.score_without_moves(window));
        }

        // What the node leaves behind.
        result.best = blend_fail_high(result.best, window.beta, node.depth);
        self.update_histories(&result, &node);
        if !self.stack.ss().is_side_search() {
            self.store_result(&result, &node);
            self.update_corrhist(&result, &node);
        }
        Ok(result.best)
    }

    /// The score of a node without moves: alpha in a singular search, otherwise mated, since stalemate loses too.
    fn score_without_moves(&self, window: Window) -> Score {
        if self.stack.ss().excluded.is_some() { window.alpha } else { Score::mated_in(self.stack.ply()) }
    }

    /// Collects everything known about the current position before its moves are searched.
    pub(super) fn node<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        cut_node: bool,
        tt_hit: Option<Entry>,
        tt_move: Option<Move>,
    ) -> Node {
        let position = self.stack.position();
        let mut node = Node {
            depth,
            window,
            pv: N::PV,
            cut_node,
            tt_hit,
            tt_move,
            tt_capture: tt_move.is_some_and(|mv| position.is_capture(mv)),
            tt_pv: tt::tt_pv(N::PV, tt_hit),
            raw_eval: None,
            eval: None,
            complexity: 0,
            improving: false,
            few_men: self.is_aside() && position.occupied().count() <= params::few_men() as u32,
            repetitions: Repetitions::new(),
        };
        if position.in_check() {
            self.stack.ss_mut().static_eval = None;
            return node;
        }
        let raw_eval = self.raw_eval(tt_hit);
        let static_eval = self.corrected(raw_eval);
        self.stack.ss_mut().static_eval = Some(static_eval);
        let two_plies_ago = self.stack.ss_minus(2).and_then(|ss| ss.static_eval);
        node.raw_eval = Some(raw_eval);
        node.eval = Some(self.refined_by_tt(static_eval, tt_hit));
        node.complexity = (static_eval - raw_eval).abs();
        node.improving = is_improving(static_eval, two_plies_ago, window.beta);
        node
    }

    /// The move loop: until a move fails high or all are searched. The hash move is searched `extension` plies deeper.
    pub(super) fn search_moves<N: NodeType>(&mut self, node: &Node, extension: i32) -> Result<NodeResult, Stopped> {
        let (ply, mut window) = (self.stack.ply(), node.window);
        let (context, checks) = (self.stack.history_context(), self.stack.position().checks());
        let killers = self.stack.begin_moves(node.tt_pv);
        let mut picker = Picker::all(self.stack.position(), &checks, node.tt_move, killers, context);
        let prunes = !N::ROOT && self.pruning >= Pruning::Large;
        let mut result = NodeResult::new();
        while let Some(mv) = picker.next(self.stack.position(), self.history) {
            if self.stack.ss().excluded == Some(mv) || N::ROOT && !self.root.admits(mv) {
                continue;
            }
            if prunes && self.late_move_pruning(mv, node, &result, &checks) {
                // All further quiet moves are pruned as well.
                picker.restrict_quiets(|mv| self.is_exempt(mv, node, &checks));
                continue;
            }
            let delta = self.stack.position().delta(mv);
            self.prefetch(delta);
            let mut info = self.move_info(mv, delta, &picker, &checks, &context);
            info.extension = self.check_extension(node, &info);
            if node.tt_move == Some(mv) && extension != 0 {
                info.extension = extension;
            }
            info.reduction = self.reduction(node, &info);
            if prunes && let Some(score) = self.prune_move(&info, node, &result, window.alpha) {
                result.raise_to(score);
                continue;
            }

            let score = if N::ROOT {
                self.search_root_move(&info, node, result.best, window)?
            } else {
                self.play(mv);
                let score = self.search_child::<N>(&info, node, result.best, window)?;
                self.undo();
                score
            };
            result.searched.push(mv);
            if score > result.best {
                result.best = score;
                if score > window.alpha {
                    result.best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if N::ROOT {
                        self.root.score = score;
                    }
                    if score >= window.beta {
                        self.stack.ss_mut().cutoffs += 1;
                        break;
                    }
                    window = window.raised(score);
                }
            }
        }
        Ok(result)
    }

    /// The properties of `mv`, the move that `picker` gave out last, which changes the board by `delta`; `checks` are those of
    /// the position.
    pub(super) fn move_info(
        &self,
        mv: Move,
        delta: Delta,
        picker: &Picker,
        checks: &Checks,
        context: &HistoryContext,
    ) -> MoveInfo {
        let (history, continuation) = match delta.captured {
            Some(captured) => (self.history.capture(delta, captured.kind()), 0),
            None => {
                let quiets = self.history.quiets_of(delta.piece, mv.from(), context);
                (quiets.score(mv.to()), quiets.continuation(mv.to()))
            }
        };
        MoveInfo {
            mv,
            captured: delta.captured.map(Piece::kind),
            gives_check: self.stack.position().is_check(mv, checks),
            is_killer: picker.is_killer(mv),
            see_holds: picker.see_holds(),
            move_count: self.stack.ss().move_count,
            history,
            continuation,
            extension: 0,
            reduction: 0,
        }
    }

    /// Searches the position after a move: the first move with the full window; later ones with a null window, reduced at
    /// first and searched again deeper and wider as long as they beat alpha.
    pub(super) fn search_child<N: NodeType>(
        &mut self,
        mv: &MoveInfo,
        node: &Node,
        best: Score,
        window: Window,
    ) -> Result<Score, Stopped> {
        let mut depth = node.depth - 1 + mv.extension;
        if N::PV {
            // A null-window score may be final without a PV search, and leaves no line.
            self.pv.clear(self.stack.ply());
        }
        if N::PV && mv.move_count == 0 {
            return Ok(-self.search::<Pv>(window.swapped(), depth, false)?);
        }
        let null_window = window.scout().swapped();
        let mut score = window.alpha + 1;
        if mv.reduction > 0 {
            let reduced = depth - mv.reduction;
            score = -self.search::<NonPv>(null_window, reduced, true)?;
            if score > window.alpha && !best.is_decisive() {
                depth += re_search_change(score - best, depth);
            }
            if depth <= reduced && score > window.alpha && !N::PV {
                return Ok(score);
            }
        }
        if score > window.alpha {
            score = -self.search::<NonPv>(null_window, depth, !node.cut_node)?;
        }
        if N::PV && score > window.alpha && (N::ROOT || score < window.beta) {
            score = -self.search::<Pv>(window.swapped(), depth, false)?;
        }
        Ok(score)
    }
}

/// Whether the static evaluation is higher than `two_plies_ago`, or far enough above beta that it need not be.
fn is_improving(static_eval: Score, two_plies_ago: Option<Score>, beta: Score) -> bool {
    two_plies_ago.is_none_or(|earlier| static_eval > earlier) || static_eval - params::improving_margin() >= beta
}

/// Fail-high blending: moves a score above beta towards beta, which alone is proven; less at higher depth.
fn blend_fail_high(best: Score, beta: Score, depth: i32) -> Score {
    if best <= beta || best.is_decisive() || beta.is_decisive() {
        best
    } else {
        beta + (best - beta) * depth / (depth + 1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Position, START_FEN};
    use crate::rules::RuleSet;
    use crate::search::{SearchContext, Searcher};
    use crate::smp::table::Bound;

    /// A searcher at the root of a position.
    pub(in crate::search) fn at(fen: &str) -> (SearchContext, Searcher) {
        let position = Position::from_fen(fen).unwrap();
        (SearchContext::of_game(vec![position], RuleSet::Asian.rules()), Searcher::new(0))
    }

    #[test]
    fn an_evaluation_improves_on_two_plies_ago_or_on_beta() {
        let eval = Score::from_eval;
        let high = params::improving_margin();
        assert!(is_improving(eval(10), Some(eval(9)), eval(500)) && is_improving(eval(10), None, eval(500)));
        assert!(!is_improving(eval(10), Some(eval(10)), eval(500)));
        assert!(
            is_improving(eval(high), Some(eval(900)), eval(0))
                && !is_improving(eval(high - 1), Some(eval(900)), eval(0))
        );
    }

    #[test]
    fn scores_above_beta_are_trusted_more_at_higher_depth() {
        let beta = Score::from_eval(10);
        assert_eq!(blend_fail_high(beta - 5, beta, 3), beta - 5);
        assert_eq!(blend_fail_high(beta + 100, beta, 1), beta + 50);
        assert_eq!(blend_fail_high(beta + 100, beta, 9), beta + 90);
        assert_eq!(blend_fail_high(Score::mate_in(5), beta, 1), Score::mate_in(5));
    }

    #[test]
    fn a_singular_search_does_not_trust_the_score_of_the_entry() {
        let (context, mut searcher) = at(START_FEN);
        let mut worker = searcher.begin(&context);
        let mv = Some(context.root_moves[0]);
        let entry =
            Entry { mv: mv.map(Move::word), score: 900, eval: None, depth: 9, bound: Bound::Lower, tt_pv: false };
        let mut eval = |excluded, salt| {
            let ss = worker.stack.ss_mut();
            (ss.excluded, ss.salt) = (excluded, salt);
            worker.node::<NonPv>(Window::FULL, 6, true, Some(entry), mv).eval
        };
        assert_eq!(eval(None, 0), Some(Score::from_eval(900)));
        assert!(eval(mv, 0).is_some_and(|eval| eval < Score::from_eval(300)));
        assert_eq!(eval(None, 7), eval(mv, 0), "nor an entry of another path to the position");
    }

    #[test]
    fn killers_and_cutoffs_of_grandchildren_are_cleared_before_anything_is_searched() {
        let (context, mut searcher) = at(START_FEN);
        let mut worker = searcher.begin(&context);
        let at_grandchild = |worker: &mut Worker, cutoffs: Option<u32>| {
            for text in ["h2e2", "h9g7"] {
                worker.play(text.parse().unwrap());
            }
            let ss = worker.stack.ss_mut();
            ss.cutoffs = cutoffs.unwrap_or(ss.cutoffs);
            let now = ss.cutoffs;
            worker.undo();
            worker.undo();
            now
        };
        assert_eq!(at_grandchild(&mut worker, Some(9)), 9);
        let low = Score::from_eval(-3_000);
        let score = worker.search::<NonPv>(Window { alpha: low, beta: low + 1 }, 3, true).unwrap();
        assert!(score > low, "it is pruned without a move");
        assert_eq!(at_grandchild(&mut worker, None), 0);
    }
}
