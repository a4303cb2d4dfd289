//! Late move reductions (LMR): the later a move comes in a well-ordered list, the less deep it is searched.

use super::params;
use crate::board::{MAX_MOVES, Move};
use crate::score::MAX_PLY;

/// Returns the binary logarithm in 1024ths, in integers by repeated squaring so that every machine gets the same
/// tree.
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

/// Kind of a node's TT move (hash move).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableMove {
    Unknown,
    Quiet,
    Capture,
}

/// Inputs of the reduction of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateMove {
    pub(crate) depth: i32,
    /// Number of moves searched before this one.
    pub(crate) earlier_moves: usize,
    pub(crate) in_pv: bool,
    /// Whether the position is, or once was, on a principal variation (TT PV).
    pub(crate) was_pv: bool,
    pub(crate) improving: bool,
    pub(crate) is_capture: bool,
    pub(crate) gives_check: bool,
    pub(crate) is_killer: bool,
    /// Whether the node is expected to fail high on an early move (cut node).
    pub(crate) expects_cut: bool,
    /// Kind of the TT move, if there is one.
    pub(crate) table_move: TableMove,
    /// Cutoff count: fail highs among the siblings of the position after the move.
    pub(crate) cutoffs_below: u32,
    /// Complexity: absolute correction of the node's static evaluation, in centipawns.
    pub(crate) doubt: i32,
    /// History score of the move.
    pub(crate) history: i32,
}

/// Late move reductions (LMR): returns the plies to take off; 0 for early moves and shallow nodes.
pub(crate) fn late_move_reduction(mv: &LateMove) -> i32 {
    if mv.depth < params::reduction_min_depth() || mv.earlier_moves < params::reduction_from_move() as usize {
        return 0;
    }
    let depth = usize::try_from(mv.depth).unwrap_or(0).min(LOGS - 1);
    let product = LOG2_1024[depth] * LOG2_1024[mv.earlier_moves.min(LOGS - 1)] / 1024;
    let mut reduction = params::reduction_base_1024() + product * params::reduction_slope_1024() / 1024;
    let mut adjust = |applies: bool, by: i32| reduction += if applies { by } else { 0 };
    adjust(!mv.improving, params::reduction_not_improving_1024());
    adjust(mv.in_pv, -params::reduction_pv_1024());
    adjust(mv.was_pv, -params::reduction_was_pv_1024());
    adjust(mv.is_capture, -params::reduction_capture_1024());
    adjust(mv.gives_check, -params::reduction_check_1024());
    adjust(mv.is_killer, -params::reduction_killer_1024());
    adjust(mv.expects_cut, params::reduction_cut_1024());
    adjust(mv.expects_cut && mv.table_move == TableMove::Unknown, params::reduction_unknown_1024());
    adjust(mv.table_move == TableMove::Capture && !mv.is_capture, params::reduction_table_capture_1024());
    adjust(mv.cutoffs_below > params::many_cutoffs() as u32, params::reduction_cutoffs_1024());
    reduction -= params::reduction_doubt_1024() * mv.doubt;
    reduction -= mv.history * params::reduction_history_per_1024() / 1024;
    (reduction / 1024).clamp(0, mv.depth - 2)
}

/// Internal iterative reduction (IIR): returns one ply for a deep node without a TT move, which is to find one first.
pub(crate) fn internal_iterative_reduction(depth: i32, table_move: Option<Move>) -> i32 {
    i32::from(table_move.is_none() && depth >= params::internal_iterative_min_depth())
}

/// Returns the change of depth, in plies, when a reduced move is searched again.
///
/// `beyond_best` is the result of the reduced search above the best score so far, `depth` the depth without
/// reduction.
pub(crate) fn re_search_change(beyond_best: i32, depth: i32) -> i32 {
    let deeper = beyond_best > params::deeper_margin() + params::deeper_per_ply() * depth;
    let shallower = beyond_best < params::shallower_margin();
    i32::from(deeper) - i32::from(shallower)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: LateMove = LateMove {
        depth: 10,
        earlier_moves: 20,
        in_pv: false,
        was_pv: false,
        improving: true,
        is_capture: false,
        gives_check: false,
        is_killer: false,
        expects_cut: false,
        table_move: TableMove::Quiet,
        cutoffs_below: 0,
        doubt: 0,
        history: 0,
    };

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (n, &log) in LOG2_1024.iter().enumerate().skip(1) {
            let exact = (n as f64).log2() * 1024.0;
            assert!((f64::from(log) - exact).abs() <= 2.0, "{n}: {log} {exact}");
        }
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let reduction = |depth, earlier_moves| late_move_reduction(&LateMove { depth, earlier_moves, ..LATE });
        assert_eq!(reduction(2, 30), 0);
        assert_eq!(reduction(10, 1), 0);
        assert!(reduction(10, 30) > reduction(10, 4));
        assert!(reduction(20, 30) > reduction(6, 30));
        assert!((1..=9).contains(&reduction(10, 20)));
    }

    /// Returns the sum of many reductions, in which changes of less than a ply show.
    fn in_all(mv: LateMove) -> i32 {
        (0..60).map(|earlier_moves| late_move_reduction(&LateMove { earlier_moves, ..mv })).sum()
    }

    #[test]
    fn promising_moves_are_reduced_less() {
        let plain = in_all(LATE);
        let promising = [
            LateMove { in_pv: true, ..LATE },
            LateMove { was_pv: true, ..LATE },
            LateMove { doubt: 100, ..LATE },
            LateMove { gives_check: true, ..LATE },
            LateMove { is_capture: true, ..LATE },
            LateMove { is_killer: true, ..LATE },
            LateMove { history: params::history_limit(), ..LATE },
        ];
        for mv in promising {
            assert!(in_all(mv) < plain, "{mv:?}");
        }
        assert!(in_all(LateMove { expects_cut: true, ..LATE }) > plain);
        assert!(in_all(LateMove { improving: false, ..LATE }) > plain);
    }

    #[test]
    fn moves_are_reduced_more_where_others_have_failed_high() {
        let cut = LateMove { expects_cut: true, ..LATE };
        let capture = LateMove { table_move: TableMove::Capture, cutoffs_below: 9, ..LATE };
        assert!(late_move_reduction(&LateMove { table_move: TableMove::Unknown, ..cut }) >= late_move_reduction(&cut));
        assert!(late_move_reduction(&capture) > late_move_reduction(&LATE));
        assert!(late_move_reduction(&LateMove { is_capture: true, ..capture }) < late_move_reduction(&capture));
    }

    #[test]
    fn a_surprise_is_looked_at_deeper_and_a_near_miss_less() {
        assert_eq!(re_search_change(1000, 8), 1);
        assert_eq!(re_search_change(params::shallower_margin() + 1, 8), 0);
        assert_eq!(re_search_change(1, 8), -1);
    }

    #[test]
    fn only_deep_nodes_without_a_known_move_are_reduced() {
        let deep = params::internal_iterative_min_depth();
        assert_eq!(internal_iterative_reduction(deep, None), 1);
        assert_eq!(internal_iterative_reduction(deep - 1, None), 0);
        assert_eq!(internal_iterative_reduction(deep, "h2e2".parse().ok()), 0);
    }
}
