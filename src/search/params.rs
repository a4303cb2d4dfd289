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
    aspiration_delta: 23, 5..=80;
    aspiration_growth_percent: 173, 120..=400;
    aspiration_from_depth: 5, 2..=10;

    // Reverse futility: the static value is so far above beta that the opponent will not catch up.
    reverse_futility_max_depth: 8, 3..=14;
    reverse_futility_per_ply: 102, 20..=200;
    reverse_futility_improving: 90, 0..=200;

    // Null move: how many plies a free move of the opponent saves.
    null_move_min_depth: 3, 2..=5;
    // In 1024ths of a ply: at least, for every ply of depth, and for being above beta at most.
    null_move_base_1024: 2_643, 1_024..=5_120;
    null_move_slope_1024: 289, 100..=600;
    // So many centipawns above beta are a ply.
    null_move_eval_divisor: 158, 80..=500;
    null_move_eval_max_1024: 2_921, 0..=6_144;
    null_move_verify_depth: 12, 8..=30;

    // ProbCut: by how much a capture must beat beta, and how many plies shallower.
    probcut_min_depth: 5, 3..=9;
    probcut_margin: 158, 50..=400;
    probcut_improving: 45, 0..=200;
    probcut_plies: 3, 2..=5;

    // Singular extension: from which depth, how much shallower the entry may be, how far the other moves must stay below it
    // in 1024ths of a centipawn by depth, how far for two plies, and how many plies less where the table expects beta.
    singular_min_depth: 6, 4..=12;
    singular_entry_plies: 3, 1..=5;
    singular_margin_1024: 1_589, 256..=8_192;
    singular_double_margin: 21, 0..=100;
    singular_negative_plies: 2, 0..=4;
    shuffling_plies: 10, 4..=60;

    // Check extension: from which depth.
    check_extension_min_depth: 2, 0..=10;

    // Internal iterative reduction, where no move is known.
    internal_iterative_min_depth: 5, 3..=9;

    // Late move pruning: quiets tried at depth d are base + d * d, in 1024ths, and a part of that if not improving.
    late_move_max_depth: 8, 3..=14;
    late_move_base_1024: 4_971, 512..=10_240;
    late_move_slope_1024: 1_133, 256..=3_072;
    late_move_not_improving_1024: 572, 256..=1_024;

    // Futility of quiet moves, in centipawns by reduced depth.
    futility_max_depth: 7, 3..=14;
    futility_base: 69, 20..=300;
    futility_per_ply: 118, 30..=250;
    // Units of history that count as a centipawn.
    futility_history_divisor: 80, 32..=1_024;

    // Futility of captures: beyond what they take, in centipawns by reduced depth.
    futility_capture_base: 159, 20..=600;
    futility_capture_per_ply: 175, 30..=400;

    // Quiet moves that have failed as continuations, in units of history by reduced depth.
    history_pruning_max_depth: 6, 2..=12;
    history_pruning_per_ply: 1_413, 500..=10_000;

    // Exchanges a move may lose, in centipawns by depth.
    exchange_max_depth: 8, 3..=14;
    exchange_capture_per_ply: 121, 20..=250;
    exchange_quiet_per_ply: 101, 10..=200;
    // And by the square of it.
    exchange_quiet_per_square_ply: 6, 0..=40;
    // How much of that the history of a capture moves, in units of history by centipawn.
    exchange_history_divisor: 139, 32..=1_024;

    // Late move reductions, in 1024ths of a ply.
    reduction_base_1024: 311, -1024..=2048;
    reduction_slope_1024: 224, 100..=500;
    reduction_not_improving_1024: 547, 0..=2048;
    reduction_pv_1024: 447, 0..=2048;
    reduction_was_pv_1024: 802, 0..=2048;
    reduction_check_1024: 1_011, 0..=2048;
    reduction_killer_1024: 1_042, 0..=2048;
    reduction_cut_1024: 1_822, 0..=3072;
    reduction_unknown_1024: 500, 0..=2048;
    reduction_table_capture_1024: 457, 0..=2048;
    reduction_cutoffs_1024: 502, 0..=2048;
    reduction_capture_1024: 444, 0..=2048;
    // So much less for every centipawn by which the static value had to be corrected.
    reduction_doubt_1024: 13, 0..=40;
    // So many nodes below that have failed high make the rest of a node look futile.
    many_cutoffs: 3, 1..=8;
    // A reduced search this far above the best score so far, in centipawns, is repeated deeper; one hardly above it, less deep.
    deeper_margin: 28, 10..=200;
    deeper_per_ply: 2, 0..=10;
    shallower_margin: 13, 0..=40;
    // For every unit of history.
    reduction_history_per_1024: 113, 20..=400;
    reduction_min_depth: 3, 2..=5;
    reduction_from_move: 3, 2..=6;

    // History: gravity keeps every entry within the limit.
    history_limit: 16_000, 4_000..=32_000;
    history_bonus_per_ply: 179, 20..=400;
    history_bonus_max: 1_412, 400..=4_000;
    // What the moves tried before the best one lose.
    history_malus_per_ply: 147, 20..=400;
    history_malus_max: 1_232, 400..=4_000;
    // What the quiet move that led to a node earns which no answer refutes, in 128ths of a bonus.
    history_unrefuted_128: 31, 0..=160;
    // How the kind of the captured piece counts beside the history of the capture: units by centipawn.
    order_victim: 18, 2..=60;
    // What is added for a move that gives check.
    order_check: 1_894, -4_000..=12_000;
    // What is added to leave the attack of a lesser piece, and taken off to walk into it.
    order_escape: 2_188, -4_000..=12_000;
    order_exposed: 4_491, -4_000..=12_000;
    // A move is credited for what it changes in the static value, per centipawn beyond what having the move is worth to both.
    progress_per_centipawn_16: 91, 0..=640;
    progress_tempo: 47, -50..=100;
    progress_max: 786, 100..=2_000;

    // Correction history: gravity limit of an entry, how fast it learns, and 1024ths of a centipawn that a unit counts.
    correction_limit: 1_024, 512..=4_096;
    correction_learning_1024: 151, 20..=512;
    correction_pawns: 39, 0..=256;
    correction_minors: 56, 0..=256;
    correction_pieces: 52, 0..=256;
    correction_moves: 62, 0..=256;

    // Quiescence: what a capture must at least bring the mover near to alpha, in centipawns.
    quiescence_margin: 234, 50..=500;
    // What an exchange must gain there.
    quiescence_gain: 18, -150..=60;
}
