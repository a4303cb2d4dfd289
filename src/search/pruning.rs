//! Pruning: nodes and moves that are not searched. Reverse futility pruning (RFP), null-move pruning (NMP), ProbCut, late move
//! pruning (LMP), futility pruning, history pruning and SEE pruning.
//!
//! Each rule is a pure function with its margins in [`params`]; the methods of [`Worker`] below run the searches that null move
//! and ProbCut need, and put the rules in order.

use super::node::{MoveInfo, Node, NodeResult, NonPv};
use super::params;
use super::picker::Picker;
use super::plan::Pruning;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Checks, Kind, Move, Position, exchange_value};
use crate::score::Score;
use crate::smp::shared::Stopped;

/// Reverse futility pruning (RFP): returns a score if the static evaluation is far enough above beta.
fn reverse_futility(node: &Node) -> Option<Score> {
    let (eval, beta) = (node.eval?, node.window.beta);
    let improving = if node.improving { params::reverse_futility_improving() } else { 0 };
    let margin = params::reverse_futility_per_ply() * node.depth - improving;
    let prunes = node.depth <= params::reverse_futility_max_depth()
        && eval - margin >= beta
        && !beta.is_decisive()
        && !eval.is_decisive();
    prunes.then_some(eval - margin.max(0))
}

/// Whether the static evaluation allows a null move: at low depth only well above beta, at high depth from about beta on.
fn allows_null_move(static_eval: Option<Score>, depth: i32, beta: Score) -> bool {
    let slack = params::null_move_eval_base() + params::null_move_eval_per_ply() * depth;
    static_eval.is_some_and(|eval| eval + slack >= beta)
}

/// Plies that the null-move search is shallower.
fn null_move_reduction(depth: i32, eval: Score, beta: Score) -> i32 {
    let lead = (eval - beta) * 1024 / params::null_move_eval_divisor();
    let reduction = params::null_move_base_1024()
        + params::null_move_slope_1024() * depth
        + lead.min(params::null_move_eval_max_1024());
    reduction / 1024
}

/// Whether the mover has a rook, cannon or horse; without one, zugzwang is likely.
fn has_attacker(position: &Position) -> bool {
    let own = position.of_side(position.side());
    (own & (position.of_kind(Kind::Rook) | position.of_kind(Kind::Cannon) | position.of_kind(Kind::Horse))).any()
}

/// The beta of ProbCut, if it is tried at this node; `tt` is the score and depth of the entry.
fn probcut_beta(node: &Node, tt: Option<(Score, i32)>) -> Option<Score> {
    let beta = node.window.beta;
    let improving = if node.improving { params::probcut_improving() } else { 0 };
    let probcut_beta = beta + params::probcut_margin() - improving;
    let refuted =
        tt.is_some_and(|(score, depth)| depth >= node.depth - params::probcut_plies() && score < probcut_beta);
    let deep = node.depth >= params::probcut_min_depth();
    (deep && !beta.is_decisive() && !probcut_beta.is_decisive() && !refuted).then_some(probcut_beta)
}

/// Late move pruning (LMP): the number of moves searched before the remaining quiet ones are skipped.
fn late_move_count(depth: i32, improving: bool) -> usize {
    if depth > params::late_move_max_depth() {
        return usize::MAX;
    }
    let count = params::late_move_base_1024() + params::late_move_slope_1024() * depth * depth;
    let part = if improving { 1024 } else { params::late_move_not_improving_1024() };
    usize::try_from(count * part / (1024 * 1024)).unwrap_or(0)
}

/// Futility pruning: returns the futility value of the move if it does not exceed alpha. `depth` is the reduced depth.
fn futility(node: &Node, mv: &MoveInfo, depth: i32, alpha: Score) -> Option<Score> {
    let eval = node.eval?;
    let gain = match mv.captured {
        _ if mv.gives_check => return None,
        Some(captured) => {
            let margin = params::futility_capture_base() + params::futility_capture_per_ply() * depth;
            margin + exchange_value(captured)
        }
        None if mv.is_killer => return None,
        None => {
            let by_history = mv.history / params::futility_history_divisor();
            params::futility_base() + params::futility_per_ply() * depth + by_history
        }
    };
    let value = eval + gain;
    (depth <= params::futility_max_depth() && !alpha.is_decisive() && value <= alpha).then_some(value)
}

/// History pruning of a quiet move, by its continuation history.
fn history_pruning(depth: i32, continuation: i32) -> bool {
    depth <= params::history_pruning_max_depth() && continuation < -params::history_pruning_per_ply() * depth
}

/// SEE pruning: the exchange result, in centipawns, below which a quiet move is pruned.
fn see_threshold(depth: i32) -> Option<i32> {
    let loss = (params::exchange_quiet_per_ply() + params::exchange_quiet_per_square_ply() * depth) * depth;
    (depth <= params::exchange_max_depth()).then_some(-loss)
}

/// SEE pruning of captures: the better the history, the larger the loss allowed.
fn capture_see_threshold(depth: i32, history: i32) -> Option<i32> {
    let loss = params::exchange_capture_per_ply() * depth;
    let credit = (history / params::exchange_history_divisor()).clamp(-loss, loss);
    (depth <= params::exchange_max_depth()).then_some(-loss - credit)
}

impl Worker<'_> {
    /// Returns the score of a node that is pruned as a whole, by RFP, NMP or ProbCut.
    pub(super) fn prune_node(&mut self, node: &Node) -> Result<Option<Score>, Stopped> {
        let Some(eval) = node.eval else { return Ok(None) };
        let prunes = self.pruning >= Pruning::Medium;
        if prunes
            && !node.tt_pv
            && let Some(score) = reverse_futility(node)
        {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(node, eval)? {
            return Ok(Some(score));
        }
        if prunes { self.probcut(node, eval) } else { Ok(None) }
    }

    /// Null-move pruning (NMP): returns a score if the opponent, given a free move, still cannot hold the score below beta.
    fn null_move(&mut self, node: &Node, eval: Score) -> Result<Option<Score>, Stopped> {
        let beta = node.window.beta;
        let after_null_move = self.stack.played_before(1).is_none();
        if self.pruning < Pruning::Small
            || self.stack.ss().is_side_search()
            || node.depth < params::null_move_min_depth()
            || eval < beta
            || !allows_null_move(self.stack.ss().static_eval, node.depth, beta)
            || beta.is_decisive()
            || after_null_move
            || !has_attacker(self.stack.position())
        {
            return Ok(None);
        }
        let depth = node.depth - null_move_reduction(node.depth, eval, beta);
        self.play_null();
        let score = -self.search::<NonPv>(node.window.at_beta().swapped(), depth, !node.cut_node)?;
        self.stack.undo();
        if score < beta {
            return Ok(None);
        }
        // A mate after a free move proves beta alone.
        let score = if score.is_decisive() { beta } else { score };
        let holds = node.depth < params::null_move_verify_depth() || self.verify_null_move(node, depth)?;
        Ok(holds.then_some(score))
    }

    /// Verification search: the node itself, without a null move here, must reach beta. It guards against zugzwang.
    fn verify_null_move(&mut self, node: &Node, depth: i32) -> Result<bool, Stopped> {
        self.stack.ss_mut().no_null_move = true;
        let score = self.search::<NonPv>(node.window.at_beta(), depth, false);
        self.stack.ss_mut().no_null_move = false;
        Ok(score? >= node.window.beta)
    }

    /// ProbCut: returns a score if a capture stays well above beta in a shallower search.
    ///
    /// After Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm" (1995).
    fn probcut(&mut self, node: &Node, eval: Score) -> Result<Option<Score>, Stopped> {
        let (ss, ply) = (self.stack.ss(), self.stack.ply());
        let (excluded, static_eval) = (ss.excluded, ss.static_eval.unwrap_or(eval));
        let tt = node.tt_hit.filter(|_| ss.trusts_tt_scores());
        let tt = tt.map(|entry| (Score::from_table(entry.score, ply), i32::from(entry.depth)));
        let Some(probcut_beta) = probcut_beta(node, tt) else { return Ok(None) };
        let window = Window { alpha: probcut_beta - 1, beta: probcut_beta }.swapped();
        let depth = node.depth - 1 - params::probcut_plies();
        let mut picker = Picker::captures(self.stack.position(), node.tt_move);
        while let Some(mv) = picker.next(self.stack.position(), self.history) {
            if excluded == Some(mv) || !self.stack.position().exchange_gains(mv, probcut_beta - static_eval) {
                continue;
            }
            self.play(mv);
            let mut score = -self.qsearch::<NonPv>(window)?;
            if score >= probcut_beta && depth > 0 {
                score = -self.search::<NonPv>(window, depth, !node.cut_node)?;
            }
            self.undo();
            if score >= probcut_beta {
                return Ok(Some(if score.is_decisive() { score } else { score - (probcut_beta - node.window.beta) }));
            }
        }
        Ok(None)
    }

    /// Late move pruning (LMP): whether a move is skipped because enough others have been searched.
    pub(super) fn late_move_pruning(&self, mv: Move, node: &Node, result: &NodeResult, checks: &Checks) -> bool {
        let move_count = result.searched.len();
        move_count >= late_move_count(node.depth, node.improving)
            && move_count > 0
            && !result.is_lost()
            && !self.is_exempt(mv, node, checks)
    }

    /// Whether late move pruning never skips the move: a capture, a check or a repetition.
    pub(super) fn is_exempt(&self, mv: Move, node: &Node, checks: &Checks) -> bool {
        let position = self.stack.position();
        position.is_capture(mv) || position.is_check(mv, checks) || node.repetitions.contains(&mv)
    }

    /// Futility, history and SEE pruning: returns the score that a pruned move leaves to the node.
    pub(super) fn prune_move(&self, mv: &MoveInfo, node: &Node, result: &NodeResult, alpha: Score) -> Option<Score> {
        if mv.move_count == 0 || result.is_lost() || node.repetitions.contains(&mv.mv) {
            return None;
        }
        let reduced_depth = node.depth - mv.reduction;
        if let Some(value) = futility(node, mv, reduced_depth, alpha) {
            return Some(value);
        }
        if mv.is_quiet() && history_pruning(reduced_depth, mv.continuation) {
            return Some(result.best);
        }
        let threshold = match mv.captured {
            Some(_) => capture_see_threshold(node.depth, mv.history),
            None => see_threshold(reduced_depth),
        };
        // Every threshold is a loss, so a move with SEE of at least 0 passes it.
        let loses = mv.see_holds != Some(true)
            && threshold.is_some_and(|threshold| !self.stack.position().exchange_gains(mv.mv, threshold));
        loses.then_some(result.best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::tests::{move_info, node};

    #[test]
    fn reverse_futility_needs_a_lead_that_grows_with_depth() {
        let margin = params::reverse_futility_per_ply();
        assert_eq!(reverse_futility(&node(1, margin, 0)), Some(Score::from_eval(0)));
        assert_eq!(reverse_futility(&node(1, margin - 1, 0)), None);
        assert_eq!(reverse_futility(&node(2, margin, 0)), None);
        assert_eq!(reverse_futility(&node(params::reverse_futility_max_depth() + 1, 20_000, 0)), None);
    }

    #[test]
    fn mates_are_never_pruned_by_static_evaluations() {
        let mated = Window { alpha: Score::mated_in(4), beta: Score::mated_in(4) + 1 };
        assert_eq!(reverse_futility(&Node { window: mated, ..node(1, 500, 0) }), None);
        assert_eq!(futility(&node(1, -20_000, 0), &move_info(), 1, Score::mate_in(9)), None);
    }

    #[test]
    fn a_null_move_needs_a_static_evaluation_well_above_beta_at_low_depth_alone() {
        let allows = |eval, depth| allows_null_move(Some(Score::from_eval(eval)), depth, Score::DRAW);
        let (base, per_ply) = (-params::null_move_eval_base(), params::null_move_eval_per_ply());
        assert!(allows(base - 3 * per_ply, 3) && !allows(base - 3 * per_ply - 1, 3));
        assert!(allows(base - 20 * per_ply, 20) && !allows(base - 20 * per_ply, 3));
        assert!(!allows_null_move(None, 20, Score::DRAW), "in check");
    }

    #[test]
    fn the_null_move_search_is_shallower_the_deeper_and_the_better_the_node_is() {
        let reduction = |depth, eval| null_move_reduction(depth, Score::from_eval(eval), Score::DRAW);
        let least = params::null_move_base_1024() + 4 * params::null_move_slope_1024();
        assert_eq!(reduction(4, 0), least / 1024);
        assert!(reduction(20, 0) > reduction(4, 0));
        assert_eq!(reduction(4, 20_000), (least + params::null_move_eval_max_1024()) / 1024);
    }

    #[test]
    fn pawns_and_defenders_alone_make_no_null_move() {
        let attacks = |fen: &str| has_attacker(&Position::from_fen(fen).unwrap());
        assert!(attacks("3k5/9/9/9/9/9/9/9/R8/5K3 w"));
        assert!(!attacks("3k5/9/9/9/9/9/9/9/R8/5K3 b"));
        assert!(!attacks("3k5/4P4/9/9/9/9/9/4B4/4A4/5K3 w"));
    }

    #[test]
    fn probcut_asks_for_more_than_beta() {
        let at = |depth| node(depth, 50, 50);
        assert_eq!(probcut_beta(&at(8), None), Some(Score::from_eval(50 + params::probcut_margin())));
        assert!(probcut_beta(&Node { improving: true, ..at(8) }, None) <= probcut_beta(&at(8), None));
        assert_eq!(probcut_beta(&at(params::probcut_min_depth() - 1), None), None);
        let mate = Window { alpha: Score::mate_in(9) - 1, beta: Score::mate_in(9) };
        assert_eq!(probcut_beta(&Node { window: mate, ..at(8) }, None), None);
    }

    #[test]
    fn probcut_is_not_tried_where_the_entry_refutes_it() {
        let (node, low) = (node(8, 50, 50), Score::from_eval(0));
        assert_eq!(probcut_beta(&node, Some((low, 8))), None);
        assert!(probcut_beta(&node, Some((low, 8 - params::probcut_plies() - 1))).is_some());
        assert!(probcut_beta(&node, Some((Score::from_eval(900), 8))).is_some());
    }

    #[test]
    fn fewer_late_moves_are_searched_when_the_evaluation_falls() {
        assert!(late_move_count(4, false) < late_move_count(4, true));
        assert!(late_move_count(3, true) < late_move_count(5, true));
        assert_eq!(late_move_count(params::late_move_max_depth() + 1, false), usize::MAX);
    }

    #[test]
    fn good_history_raises_the_futility_value() {
        let node = node(9, 0, 0);
        let alpha = Score::from_eval(params::futility_base() + params::futility_per_ply());
        let value = |depth, history| futility(&node, &MoveInfo { history, ..move_info() }, depth, alpha);
        assert_eq!(value(1, 0), Some(alpha));
        assert_eq!(value(2, 0), None);
        assert_eq!(value(1, params::futility_history_divisor()), None);
    }

    #[test]
    fn a_capture_that_wins_too_little_is_futile() {
        let pawn = MoveInfo { captured: Some(Kind::Pawn), ..move_info() };
        let gain =
            exchange_value(Kind::Pawn) + params::futility_capture_base() + 2 * params::futility_capture_per_ply();
        let value = |eval, depth, alpha| futility(&node(9, eval, 0), &pawn, depth, alpha);
        let alpha = Score::from_eval(gain);
        assert_eq!(value(-1, 2, alpha), Some(alpha - 1));
        assert_eq!((value(1, 2, alpha), value(-1, 3, alpha)), (None, None));
        assert_eq!(value(-20_000, 1, Score::mate_in(9)), None);
        assert_eq!(futility(&node(9, -900, 0), &MoveInfo { gives_check: true, ..pawn }, 2, alpha), None);
    }

    #[test]
    fn bad_history_prunes_at_low_depth_alone() {
        let bad = -params::history_pruning_per_ply() - 1;
        assert!(history_pruning(1, bad) && !history_pruning(1, bad + 1) && !history_pruning(2, bad));
        assert!(!history_pruning(params::history_pruning_max_depth() + 1, i32::MIN));
    }

    #[test]
    fn captures_with_good_history_may_lose_more() {
        let loss = params::exchange_capture_per_ply();
        assert_eq!(capture_see_threshold(1, 0), Some(-loss));
        assert_eq!(capture_see_threshold(1, params::exchange_history_divisor() * 10), Some(-loss - 10));
        assert_eq!(capture_see_threshold(1, -params::exchange_history_divisor() * 10_000), Some(0));
        assert_eq!(capture_see_threshold(params::exchange_max_depth() + 1, 0), None);
    }
}
