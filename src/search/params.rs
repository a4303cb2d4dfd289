//! Every number of the search's heuristics: name, value, range of sensible values.

// As constants, unless the build is made for tuning.
#[cfg_attr(feature = "tune", path = "params/settable.rs")]
#[cfg_attr(not(feature = "tune"), path = "params/fixed.rs")]
#[macro_use]
mod declaration;

use std::ops::RangeInclusive;

/// One that tuners may set, for all searches of the process: not while one runs.
#[derive(Clone, Debug)]
pub struct Parameter<H> {
    /// As it is called below.
    pub name: &'static str,
    /// What it is at first.
    pub default: i32,
    /// What it may be set to.
    pub range: RangeInclusive<i32>,
    /// Sets it to the nearest value of its range. What it is announced among is left alone; it is there so that this fits
    /// among the functions that set options.
    pub set: fn(&mut H, i64),
}

params! {
    // Aspiration: centipawns around the last score, and how the failing side grows.
    aspiration_delta: 24, 5..=80;
    aspiration_growth_percent: 170, 120..=400;
    aspiration_from_depth: 4, 2..=10;

    // Reverse futility: the static value is so far above beta that the opponent will not catch up.
    reverse_futility_max_depth: 8, 3..=14;
    reverse_futility_per_ply: 85, 20..=200;
    reverse_futility_improving: 70, 0..=200;

    // Razoring: so far below alpha that only captures could help.
    razor_max_depth: 3, 1..=6;
    razor_base: 260, 50..=600;
    razor_per_ply: 230, 50..=600;

    // Null move: how many plies a free move of the opponent saves.
    null_move_min_depth: 3, 2..=5;
    null_move_base: 3, 2..=5;
    null_move_depth_divisor: 4, 2..=8;
    null_move_eval_divisor: 220, 80..=500;
    null_move_eval_max: 3, 0..=6;
    null_move_verify_depth: 12, 8..=30;

    // Internal reduction where no move is known.
    unknown_move_min_depth: 5, 3..=9;

    // Late move pruning: quiets tried at depth d are (base + d * d) / (2 if not improving).
    late_move_max_depth: 8, 3..=14;
    late_move_base: 4, 1..=10;

    // Futility of quiet moves, in centipawns by reduced depth.
    futility_max_depth: 7, 3..=14;
    futility_base: 110, 20..=300;
    futility_per_ply: 90, 30..=250;

    // Exchanges a move may lose, in centipawns by depth.
    exchange_max_depth: 8, 3..=14;
    exchange_capture_per_ply: 90, 20..=250;
    exchange_quiet_per_ply: 55, 10..=200;

    // Late move reductions, in 1024ths of a ply.
    reduction_base_1024: 300, -1024..=2048;
    reduction_slope_1024: 240, 100..=500;
    reduction_not_improving_1024: 700, 0..=2048;
    reduction_pv_1024: 900, 0..=2048;
    reduction_check_1024: 900, 0..=2048;
    reduction_killer_1024: 900, 0..=2048;
    reduction_cut_1024: 900, 0..=2048;
    reduction_history_divisor: 9, 2..=40;
    reduction_min_depth: 3, 2..=5;
    reduction_from_move: 3, 2..=6;

    // History: gravity keeps every entry within the limit.
    history_limit: 16_000, 4_000..=32_000;
    history_bonus_per_ply: 160, 20..=400;
    history_bonus_max: 1_600, 400..=4_000;

    // Quiescence: what a capture must at least bring the mover near to alpha, in centipawns.
    quiescence_margin: 180, 50..=500;
}
