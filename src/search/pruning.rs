//! Pruning conditions: pure functions of a node or a move, with their margins in [`params`].

use super::params;
use super::window::Window;
use crate::score::Score;

/// Inputs of node pruning, for a node whose mover is not in check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prospect {
    pub(crate) depth: i32,
    /// Static evaluation, corrected, and replaced by the TT score where its bound is tighter.
    pub(crate) eval: Score,
    /// Whether the mover stands better than two plies ago.
    pub(crate) improving: bool,
    pub(crate) window: Window,
}

/// Reverse futility pruning (RFP): returns the value of the node if it lies too far above beta for the opponent to
/// catch up.
pub(crate) fn reverse_futility(node: &Prospect) -> Option<Score> {
    let margin = params::reverse_futility_per_ply() * node.depth
        - if node.improving { params::reverse_futility_improving() } else { 0 };
    let prunes = node.depth <= params::reverse_futility_max_depth()
        && node.eval - margin >= node.window.beta
        && !node.window.beta.is_decisive()
        && !node.eval.is_decisive();
    prunes.then_some(node.eval - margin.max(0))
}

/// Late move pruning (LMP): returns the number of moves tried before the remaining quiet ones are skipped.
pub(crate) fn late_move_count(depth: i32, improving: bool) -> usize {
    if depth > params::late_move_max_depth() {
        return usize::MAX;
    }
    let count = params::late_move_base_1024() + params::late_move_slope_1024() * depth * depth;
    let part = if improving { 1024 } else { params::late_move_not_improving_1024() };
    usize::try_from(count * part / (1024 * 1024)).unwrap_or(0)
}

/// Futility pruning of a quiet move: returns the futility value if it does not exceed alpha.
pub(crate) fn futility(depth: i32, eval: Score, history: i32, alpha: Score) -> Option<Score> {
    let hope =
        params::futility_base() + params::futility_per_ply() * depth + history / params::futility_history_divisor();
    hopeless(depth, eval + hope, alpha)
}

/// Futility pruning of a capture of `gain` centipawns: returns the futility value if it does not exceed alpha.
pub(crate) fn capture_futility(depth: i32, eval: Score, gain: i32, alpha: Score) -> Option<Score> {
    let hope = gain + params::futility_capture_base() + params::futility_capture_per_ply() * depth;
    hopeless(depth, eval + hope, alpha)
}

/// Returns the futility value if it does not exceed alpha and the depth is small.
fn hopeless(depth: i32, best_hope: Score, alpha: Score) -> Option<Score> {
    let is_hopeless = depth <= params::futility_max_depth() && !alpha.is_decisive() && best_hope <= alpha;
    is_hopeless.then_some(best_hope)
}

/// History pruning: whether the continuation history of a quiet move is too bad for a search to `depth` plies.
pub(crate) fn history_pruning(depth: i32, continuation: i32) -> bool {
    depth <= params::history_pruning_max_depth() && continuation < -params::history_pruning_per_ply() * depth
}

/// SEE pruning: returns the minimum exchange gain of a quiet move, a negative number of centipawns.
pub(crate) fn see_pruning(depth: i32) -> Option<i32> {
    let loss = (params::exchange_quiet_per_ply() + params::exchange_quiet_per_square_ply() * depth) * depth;
    (depth <= params::exchange_max_depth()).then_some(-loss)
}

/// SEE pruning: returns the minimum exchange gain of a capture, in centipawns; a good history allows a larger loss.
pub(crate) fn capture_see_pruning(depth: i32, history: i32) -> Option<i32> {
    let loss = params::exchange_capture_per_ply() * depth;
    let credit = (history / params::exchange_history_divisor()).clamp(-loss, loss);
    (depth <= params::exchange_max_depth()).then_some(-loss - credit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: i32, eval: i32, beta: i32) -> Prospect {
        let beta = Score::from_eval(beta);
        Prospect { depth, eval: Score::from_eval(eval), improving: false, window: Window { alpha: beta - 1, beta } }
    }

    #[test]
    fn reverse_futility_needs_a_lead_that_grows_with_depth() {
        let margin = params::reverse_futility_per_ply();
        assert_eq!(reverse_futility(&node(1, margin, 0)), Some(Score::from_eval(0)));
        assert_eq!(reverse_futility(&node(1, margin - 1, 0)), None);
        assert_eq!(reverse_futility(&node(2, margin, 0)), None);
        assert_eq!(reverse_futility(&node(params::reverse_futility_max_depth() + 1, 20_000, 0)), None);
    }

    #[test]
    fn mates_are_never_pruned_by_static_values() {
        let mated = Window { alpha: Score::mated_in(4), beta: Score::mated_in(4) + 1 };
        let hopeless = Prospect { depth: 1, eval: Score::from_eval(500), improving: true, window: mated };
        assert_eq!(reverse_futility(&hopeless), None);
        assert_eq!(futility(1, Score::from_eval(-20_000), 0, Score::mate_in(9)), None);
    }

    #[test]
    fn bad_history_counts_at_low_depth_alone() {
        let bad = -params::history_pruning_per_ply() - 1;
        assert!(history_pruning(1, bad) && !history_pruning(1, bad + 1) && !history_pruning(2, bad));
        assert!(!history_pruning(params::history_pruning_max_depth() + 1, i32::MIN));
    }

    #[test]
    fn a_quiet_move_that_has_done_well_may_hope_for_more() {
        let alpha = Score::from_eval(params::futility_base() + params::futility_per_ply());
        assert_eq!(futility(1, Score::DRAW, 0, alpha), Some(alpha), "so much may it be worth");
        assert_eq!(futility(2, Score::DRAW, 0, alpha), None);
        assert_eq!(futility(1, Score::DRAW, params::futility_history_divisor(), alpha), None);
    }

    #[test]
    fn a_capture_that_takes_too_little_is_futile() {
        let hope = 100 + params::futility_capture_base() + 2 * params::futility_capture_per_ply();
        let alpha = Score::from_eval(hope);
        assert_eq!(capture_futility(2, Score::DRAW, 99, alpha), Some(alpha - 1));
        for (depth, gain) in [(2, 101), (3, 100)] {
            assert_eq!(capture_futility(depth, Score::DRAW, gain, alpha), None);
        }
        assert_eq!(capture_futility(1, Score::from_eval(-20_000), 0, Score::mate_in(9)), None);
    }

    #[test]
    fn captures_that_have_done_well_may_lose_more() {
        let loss = params::exchange_capture_per_ply();
        assert_eq!(capture_see_pruning(1, 0), Some(-loss));
        assert_eq!(capture_see_pruning(1, params::exchange_history_divisor() * 10), Some(-loss - 10));
        assert_eq!(capture_see_pruning(1, -params::exchange_history_divisor() * 10_000), Some(0));
        assert_eq!(capture_see_pruning(params::exchange_max_depth() + 1, 0), None);
    }

    #[test]
    fn fewer_late_moves_are_tried_when_things_get_worse() {
        assert!(late_move_count(4, false) < late_move_count(4, true));
        assert!(late_move_count(3, true) < late_move_count(5, true));
        assert_eq!(late_move_count(params::late_move_max_depth() + 1, false), usize::MAX);
    }
}
