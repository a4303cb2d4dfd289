//! Depth of a move: late move reductions (LMR), internal iterative reduction (IIR), check extension and singular
//! extension (SE); depth of the root after a fail high. Each rule is a pure function, with its margins in [`params`].

use super::node::{MoveInfo, Node, NonPv};
use super::params;
use super::plan::Pruning;
use super::window::Window;
use super::worker::Worker;
use crate::board::{MAX_MOVES, Move};
use crate::score::{MAX_PLY, Score};
use crate::smp::shared::Stopped;
use crate::smp::table::{Bound, Entry};

/// Binary logarithm in 1024ths, by repeated squaring in integers so that all machines search the same tree.
const fn log2_1024(n: u32) -> i32 {
    const FRACTION_BITS: u32 = 10;
    let whole = n.ilog2();
    let mut mantissa = ((n as u64) << 31) >> whole;
    let mut out = whole as i32;
    let mut bit = 0;
    while bit < FRACTION_BITS {
        mantissa = (mantissa * mantissa) >> 31;
        out <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            out |= 1;
        }
        bit += 1;
    }
    out
}

const LOGS: usize = if MAX_MOVES > MAX_PLY { MAX_MOVES } else { MAX_PLY } + 1;

static LOG2_1024: [i32; LOGS] = {
    let mut table = [0; LOGS];
    let mut n = 1;
    while n < LOGS {
        table[n] = log2_1024(n as u32);
        n += 1;
    }
    table
};

/// Late move reductions (LMR): plies taken off the first search of a move; 0 for early moves and shallow nodes.
///
/// `cutoffs_below` counts the fail highs at the next ply since the parent was entered, those of its other children included.
pub(super) fn late_move_reduction(node: &Node, mv: &MoveInfo, cutoffs_below: u32) -> i32 {
    if node.depth < params::reduction_min_depth() || mv.move_count < params::reduction_from_move() as usize {
        return 0;
    }
    let depth = usize::try_from(node.depth).unwrap_or(0).min(LOGS - 1);
    let product = LOG2_1024[depth] * LOG2_1024[mv.move_count.min(LOGS - 1)] / 1024;
    let slope = if node.few_men { params::reduction_slope_few_men_1024() } else { params::reduction_slope_1024() };
    let mut reduction = params::reduction_base_1024() + product * slope / 1024;
    let mut adjust = |applies: bool, by: i32| reduction += if applies { by } else { 0 };
    adjust(!node.improving, params::reduction_not_improving_1024());
    adjust(node.pv, -params::reduction_pv_1024());
    adjust(node.tt_pv, -params::reduction_tt_pv_1024());
    adjust(mv.is_capture(), -params::reduction_capture_1024());
    adjust(mv.gives_check, -params::reduction_check_1024());
    adjust(mv.is_killer, -params::reduction_killer_1024());
    adjust(node.cut_node, params::reduction_cut_node_1024());
    adjust(node.cut_node && node.tt_move.is_none(), params::reduction_no_tt_move_1024());
    adjust(node.tt_capture && !mv.is_capture(), params::reduction_tt_capture_1024());
    adjust(cutoffs_below > params::many_cutoffs() as u32, params::reduction_cutoffs_1024());
    reduction -= params::reduction_complexity_1024() * node.complexity;
    reduction -= mv.history * params::reduction_history_per_1024() / 1024;
    (reduction / 1024).clamp(0, node.depth - 2)
}

/// Internal iterative reduction (IIR): plies taken off a deep node without a hash move.
pub(super) fn internal_iterative_reduction(depth: i32, tt_move: Option<Move>) -> i32 {
    i32::from(tt_move.is_none() && depth >= params::internal_iterative_min_depth())
}

/// Plies taken off the next search of the root in this iteration, after one that was shallower by `reduction` and left this bound:
/// one more for each fail high in a row, because another search as deep would mostly confirm the move.
///
/// A decisive score is searched again in full.
pub(super) fn root_reduction(reduction: i32, score: Score, bound: Bound) -> i32 {
    if bound == Bound::Lower && !score.is_decisive() { reduction + 1 } else { 0 }
}

/// Change of depth for the re-search of a reduced move, by how far the reduced search beat the best score so far.
pub(super) fn re_search_change(above_best: i32, depth: i32) -> i32 {
    let deeper = above_best > params::deeper_margin() + params::deeper_per_ply() * depth;
    let shallower = above_best < params::shallower_margin();
    i32::from(deeper) - i32::from(shallower)
}

/// Plies from the root, in multiples of the nominal depth, beyond which nothing is extended.
const EXTENSION_LIMIT: usize = 2;

/// Whether a node at `ply` may still be extended.
pub(super) fn may_extend(ply: usize, nominal_depth: i32) -> bool {
    ply < EXTENSION_LIMIT * usize::try_from(nominal_depth).unwrap_or(0)
}

/// Check extension: one ply for a check that keeps its piece, where enough `depth` is left.
pub(super) fn check_extension(
    gives_check: bool,
    depth: i32,
    may_extend: bool,
    see_holds: impl FnOnce() -> bool,
) -> i32 {
    i32::from(gives_check && depth >= params::check_extension_min_depth() && may_extend && see_holds())
}

/// The verdict of the singular search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// Plies added to the hash move; negative ones are taken off.
    Extend(i32),
    /// Multi-cut: several moves reach beta, so the node returns this score.
    MultiCut(Score),
}

/// Whether the entry is deep enough, and enough of a lower bound, to search the other moves against it.
fn may_be_singular(entry: &Entry, tt_score: Score, depth: i32) -> bool {
    depth >= params::singular_min_depth()
        && entry.bound != Bound::Upper
        && i32::from(entry.depth) + params::singular_entry_plies() >= depth
        && !tt_score.is_decisive()
}

/// The hash move is singular if all other moves score less than this.
fn singular_beta(tt_score: Score, depth: i32) -> Score {
    tt_score - params::singular_margin_1024() * depth / 1024
}

/// Judges by `others`, the score of the best other move.
fn singular_extension(node: &Node, tt_score: Score, others: Score) -> Singular {
    let (singular_beta, beta) = (singular_beta(tt_score, node.depth), node.window.beta);
    if others < singular_beta {
        let double = !node.pv && others + params::singular_double_margin() < singular_beta;
        return Singular::Extend(1 + i32::from(double));
    }
    if others >= beta && !others.is_decisive() {
        return Singular::MultiCut(others);
    }
    let negative = if tt_score >= beta { params::singular_negative_plies() } else { i32::from(node.cut_node) };
    Singular::Extend(-negative)
}

impl Worker<'_> {
    /// Plies by which the move is reduced.
    #[inline(always)] // of its two callers, the move loop runs it for every move
    pub(super) fn reduction(&self, node: &Node, mv: &MoveInfo) -> i32 {
        if self.pruning >= Pruning::Small { late_move_reduction(node, mv, self.stack.ss_plus_1().cutoffs) } else { 0 }
    }

    /// Plies by which a check is extended.
    pub(super) fn check_extension(&self, node: &Node, mv: &MoveInfo) -> i32 {
        let see_holds = || mv.see_holds.unwrap_or_else(|| self.stack.position().exchange_gains(mv.mv, 0));
        check_extension(mv.gives_check, node.depth, may_extend(self.stack.ply(), self.nominal_depth), see_holds)
    }

    /// Singular extension (SE): searches the node without its hash move to half the depth, against the entry's score less a
    /// margin.
    ///
    /// After Anantharaman, Campbell and Hsu, "Singular Extensions" (1990), in the form usual with a transposition table.
    pub(super) fn singular_search(&mut self, node: &Node) -> Result<Singular, Stopped> {
        let (Some(tt_move), Some(entry)) = (node.tt_move, node.tt_hit) else { return Ok(Singular::Extend(0)) };
        let (ss, ply, depth) = (self.stack.ss(), self.stack.ply(), node.depth);
        let tt_score = Score::from_table(entry.score, ply);
        if self.pruning < Pruning::Small
            || ss.is_side_search()
            || ss.salt != 0
            || !may_be_singular(&entry, tt_score, depth)
            || !may_extend(ply, self.nominal_depth)
            || self.stack.is_shuffling(tt_move, params::shuffling_plies())
        {
            return Ok(Singular::Extend(0));
        }
        let beta = singular_beta(tt_score, depth);
        self.stack.ss_mut().excluded = Some(tt_move);
        let others = self.search::<NonPv>(Window { alpha: beta - 1, beta }, (depth - 1) / 2, node.cut_node);
        self.stack.ss_mut().excluded = None;
        Ok(match singular_extension(node, tt_score, others?) {
            Singular::MultiCut(_) if self.pruning < Pruning::Medium => Singular::Extend(0),
            verdict => verdict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Kind;
    use crate::search::node::tests::{move_info, node};

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (n, &log) in LOG2_1024.iter().enumerate().skip(1) {
            let exact = (n as f64).log2() * 1024.0;
            assert!((f64::from(log) - exact).abs() <= 2.0, "{n}: {log} {exact}");
        }
    }

    /// A node and a move that are reduced as most are.
    fn late() -> (Node, MoveInfo) {
        let node = Node { depth: 10, improving: true, tt_move: "h2e2".parse().ok(), ..node(10, 0, 0) };
        (node, MoveInfo { move_count: 20, ..move_info() })
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let reduction = |depth, move_count| {
            let (node, mv) = late();
            late_move_reduction(&Node { depth, ..node }, &MoveInfo { move_count, ..mv }, 0)
        };
        assert_eq!(reduction(2, 30), 0);
        assert_eq!(reduction(10, 1), 0);
        assert!(reduction(10, 30) > reduction(10, 4));
        let (node, mv) = late();
        assert!(late_move_reduction(&Node { few_men: true, ..node }, &mv, 0) > reduction(10, 20));
        assert!(reduction(20, 30) > reduction(6, 30));
        assert!((1..=9).contains(&reduction(10, 20)));
    }

    /// The sum over all move counts: a change of less than a ply shows in some of them.
    fn sum(node: &Node, mv: &MoveInfo, cutoffs_below: u32) -> i32 {
        let at = |move_count| late_move_reduction(node, &MoveInfo { move_count, ..mv.clone() }, cutoffs_below);
        (0..60).map(at).sum()
    }

    #[test]
    fn promising_moves_are_reduced_less() {
        let (node, mv) = late();
        let plain = sum(&node, &mv, 0);
        for node in [
            Node { pv: true, ..node.clone() },
            Node { tt_pv: true, ..node.clone() },
            Node { complexity: 100, ..node.clone() },
        ] {
            assert!(sum(&node, &mv, 0) < plain, "{node:?}");
        }
        for mv in [
            MoveInfo { gives_check: true, ..mv.clone() },
            MoveInfo { captured: Some(Kind::Pawn), ..mv.clone() },
            MoveInfo { is_killer: true, ..mv.clone() },
            MoveInfo { history: params::history_limit(), ..mv.clone() },
        ] {
            assert!(sum(&node, &mv, 0) < plain, "{mv:?}");
        }
        assert!(sum(&Node { cut_node: true, ..node.clone() }, &mv, 0) > plain);
        assert!(sum(&Node { improving: false, ..node }, &mv, 0) > plain);
    }

    #[test]
    fn moves_are_reduced_more_where_others_failed_high() {
        let (node, mv) = late();
        let cut_node = Node { cut_node: true, ..node.clone() };
        let no_tt_move = Node { tt_move: None, ..cut_node.clone() };
        assert!(sum(&no_tt_move, &mv, 0) >= sum(&cut_node, &mv, 0));
        let tt_capture = Node { tt_capture: true, ..node.clone() };
        assert!(sum(&tt_capture, &mv, 9) > sum(&node, &mv, 0));
        assert!(sum(&tt_capture, &MoveInfo { captured: Some(Kind::Pawn), ..mv.clone() }, 9) < sum(&tt_capture, &mv, 9));
    }

    #[test]
    fn a_surprising_score_is_searched_deeper_and_a_near_miss_shallower() {
        assert_eq!(re_search_change(1000, 8), 1);
        assert_eq!(re_search_change(params::shallower_margin() + 1, 8), 0);
        assert_eq!(re_search_change(1, 8), -1);
    }

    #[test]
    fn the_root_is_searched_less_deep_after_each_fail_high_in_a_row() {
        let eval = Score::from_eval(80);
        assert_eq!([0, 1].map(|before| root_reduction(before, eval, Bound::Lower)), [1, 2]);
        assert_eq!(root_reduction(2, eval, Bound::Upper), 0);
        assert_eq!(root_reduction(2, Score::mate_in(9), Bound::Lower), 0);
    }

    #[test]
    fn only_deep_nodes_without_a_hash_move_are_reduced() {
        let deep = params::internal_iterative_min_depth();
        assert_eq!(internal_iterative_reduction(deep, None), 1);
        assert_eq!(internal_iterative_reduction(deep - 1, None), 0);
        assert_eq!(internal_iterative_reduction(deep, "h2e2".parse().ok()), 0);
    }

    fn tt_score() -> Score {
        Score::from_eval(100)
    }

    fn verdict(beta: i32, others: Score) -> Singular {
        singular_extension(&node(10, 0, beta), tt_score(), others)
    }

    #[test]
    fn only_deep_lower_bounds_may_be_singular() {
        let entry = |depth, bound| Entry { mv: None, score: 100, eval: None, depth, bound, tt_pv: false };
        assert!(may_be_singular(&entry(9, Bound::Lower), tt_score(), 10));
        assert!(!may_be_singular(&entry(9, Bound::Upper), tt_score(), 10));
        assert!(!may_be_singular(&entry(5, Bound::Lower), tt_score(), 10));
        assert!(!may_be_singular(&entry(9, Bound::Lower), tt_score(), params::singular_min_depth() - 1));
        assert!(!may_be_singular(&entry(9, Bound::Lower), Score::mate_in(5), 10));
    }

    #[test]
    fn a_singular_move_is_extended() {
        let bar = singular_beta(tt_score(), 10);
        assert_eq!(verdict(500, bar - 1), Singular::Extend(1));
        assert_eq!(verdict(500, bar - params::singular_double_margin() - 1), Singular::Extend(2));
        let pv = Node { pv: true, ..node(10, 0, 500) };
        assert_eq!(singular_extension(&pv, tt_score(), bar - 1000), Singular::Extend(1));
    }

    #[test]
    fn other_moves_at_beta_cut_the_node_and_below_it_cost_depth() {
        let others = Score::from_eval(95);
        assert_eq!(verdict(90, others), Singular::MultiCut(others));
        assert_eq!(verdict(98, others), Singular::Extend(-params::singular_negative_plies()));
        assert_eq!(verdict(500, others), Singular::Extend(0));
        let cut_node = Node { cut_node: true, ..node(10, 0, 500) };
        assert_eq!(singular_extension(&cut_node, tt_score(), others), Singular::Extend(-1));
    }

    #[test]
    fn only_safe_checks_near_the_root_are_extended() {
        let shallow = params::check_extension_min_depth();
        assert_eq!(check_extension(true, shallow, true, || true), 1);
        assert_eq!(check_extension(true, shallow, true, || false), 0);
        assert_eq!(check_extension(false, shallow, true, || true), 0);
        assert_eq!(check_extension(true, shallow - 1, true, || true), 0);
        assert_eq!(check_extension(true, shallow, false, || true), 0);
        assert!(may_extend(15, 8) && !may_extend(16, 8));
    }
}
