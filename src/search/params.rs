//! Search parameters: the tunable numbers of the heuristics, with values and ranges.

use std::ops::RangeInclusive;

/// Search parameter that tuners may set, for all searches of the process, while no search runs.
#[derive(Clone, Debug)]
pub struct Parameter<H> {
    /// Name of the parameter, as declared below.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Range of sensible values.
    pub range: RangeInclusive<i32>,
    /// Sets the parameter to the nearest value of its range.
    ///
    /// The first argument is left alone; with it, the function has the signature of the option setters.
    pub set: fn(&mut H, i64),
}

/// Declares the parameters, whose ranges the compiler checks: constants, unless the build is made for tuning.
macro_rules! params {
    ($($name:ident: $value:literal, $range:expr;)*) => {
        $(
            #[cfg(not(feature = "tune"))]
            pub(crate) const fn $name() -> i32 {
                $value
            }

            #[cfg(feature = "tune")]
            pub(crate) fn $name() -> i32 {
                // Relaxed: nothing is published through it, and it is set only while no search runs.
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }

            const _: () = {
                const RANGE: RangeInclusive<i32> = $range;
                assert!($value >= *RANGE.start() && $value <= *RANGE.end());
            };
        )*

        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::AtomicI32;

            $(
                #[expect(non_upper_case_globals, reason = "it bears the parameter's name")]
                pub(super) static $name: AtomicI32 = AtomicI32::new($value);
            )*
        }

        /// Returns the settable parameters: none.
        #[cfg(not(feature = "tune"))]
        pub fn parameters<H>() -> Vec<Parameter<H>> {
            Vec::new()
        }

        /// Returns every parameter.
        #[cfg(feature = "tune")]
        pub fn parameters<H>() -> Vec<Parameter<H>> {
            vec![$(
                Parameter {
                    name: stringify!($name),
                    default: $value,
                    range: $range,
                    set: |_, value| {
                        let value = i32::try_from(value).unwrap_or($value).clamp(*$range.start(), *$range.end());
                        values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    },
                },
            )*]
        }
    };
}

params! {
    // Aspiration window: centipawns around the last score, and growth of the failing side.
    aspiration_delta: 23, 5..=80;
    aspiration_growth_percent: 173, 120..=400;
    aspiration_from_depth: 5, 2..=10;

    // Reverse futility pruning (RFP): the static evaluation is too far above beta for the opponent to catch up.
    reverse_futility_max_depth: 8, 3..=14;
    reverse_futility_per_ply: 102, 20..=200;
    reverse_futility_improving: 82, 0..=200;

    // Centipawns above beta at which a static evaluation counts as improving, whatever it was before.
    improving_margin: 80, 0..=400;

    // Null-move pruning (NMP): plies saved by a pass.
    null_move_min_depth: 3, 2..=5;
    // The static evaluation must reach beta with these centipawns added: base, and per ply of depth.
    null_move_eval_base: -180, -400..=0;
    null_move_eval_per_ply: 18, 0..=60;
    // In 1024ths of a ply: base, per ply of depth, and at most for being above beta.
    null_move_base_1024: 2_883, 1_024..=5_120;
    null_move_slope_1024: 313, 100..=600;
    // Centipawns above beta that count as a ply.
    null_move_eval_divisor: 136, 80..=500;
    null_move_eval_max_1024: 2_921, 0..=6_144;
    null_move_verify_depth: 12, 8..=30;

    // ProbCut: margin by which a capture must beat beta, and plies by which its search is shallower.
    probcut_min_depth: 5, 3..=9;
    probcut_margin: 158, 50..=400;
    probcut_improving: 48, 0..=200;
    probcut_plies: 3, 2..=5;

    // Singular extension (SE): minimum depth, plies by which the entry may be shallower, singular margin in 1024ths
    // of a centipawn per ply of depth, margin of a double extension, and plies of the negative extension where the TT
    // score reaches beta.
    singular_min_depth: 6, 4..=12;
    singular_entry_plies: 3, 1..=5;
    singular_margin_1024: 1_589, 256..=8_192;
    singular_double_margin: 26, 0..=100;
    singular_negative_plies: 2, 0..=4;
    shuffling_plies: 10, 4..=60;

    // Check extension: minimum depth.
    check_extension_min_depth: 2, 0..=10;

    // Internal iterative reduction (IIR), without a TT move: minimum depth.
    internal_iterative_min_depth: 5, 3..=9;

    // Late move pruning (LMP): moves searched at depth d, before further quiets are skipped, are base + slope * d * d, in 1024ths; fewer if not improving.
    late_move_max_depth: 8, 3..=14;
    late_move_base_1024: 4_971, 512..=10_240;
    late_move_slope_1024: 1_133, 256..=3_072;
    late_move_not_improving_1024: 530, 256..=1_024;

    // Futility pruning of quiet moves, in centipawns by reduced depth.
    futility_max_depth: 10, 3..=14;
    futility_base: 69, 20..=300;
    futility_per_ply: 97, 30..=250;
    // Units of history that count as a centipawn.
    futility_history_divisor: 80, 32..=1_024;

    // Futility pruning of captures: margin beyond the captured piece, in centipawns by reduced depth.
    futility_capture_base: 166, 20..=600;
    futility_capture_per_ply: 175, 30..=400;

    // History pruning of quiet moves that have failed as continuations, in units of history by reduced depth.
    history_pruning_max_depth: 6, 2..=12;
    history_pruning_per_ply: 1_413, 500..=10_000;

    // SEE pruning: exchange loss allowed to a move, in centipawns by depth.
    exchange_max_depth: 8, 3..=14;
    exchange_capture_per_ply: 121, 20..=250;
    exchange_quiet_per_ply: 108, 10..=200;
    // In centipawns by the square of the depth.
    exchange_quiet_per_square_ply: 5, 0..=40;
    // Effect of the capture history on the allowed loss, in units of history per centipawn.
    exchange_history_divisor: 139, 32..=1_024;

    // Late move reductions (LMR), in 1024ths of a ply.
    reduction_base_1024: 311, -1024..=2048;
    reduction_slope_1024: 238, 100..=500;
    // The same with few men left, in a search for mates beside another, and the most men that are few.
    reduction_slope_few_men_1024: 520, 100..=1_200;
    few_men: 12, 4..=20;
    reduction_not_improving_1024: 572, 0..=2048;
    reduction_pv_1024: 447, 0..=2048;
    reduction_tt_pv_1024: 856, 0..=2048;
    reduction_check_1024: 1_011, 0..=2048;
    reduction_killer_1024: 1_042, 0..=2048;
    reduction_cut_node_1024: 1_822, 0..=3072;
    reduction_no_tt_move_1024: 543, 0..=2048;
    reduction_tt_capture_1024: 457, 0..=2048;
    reduction_cutoffs_1024: 545, 0..=2048;
    reduction_capture_1024: 444, 0..=2048;
    // Subtracted per centipawn of complexity (absolute correction of the static evaluation).
    reduction_complexity_1024: 14, 0..=40;
    // Fail highs at the next ply above which the reduction grows.
    many_cutoffs: 3, 1..=8;
    // Re-search of a reduced move: a ply deeper if it beats the best score by this margin in centipawns, a ply less
    // if by hardly anything.
    deeper_margin: 26, 10..=200;
    deeper_per_ply: 2, 0..=10;
    shallower_margin: 12, 0..=40;
    // Subtracted per 1024 units of history.
    reduction_history_per_1024: 113, 20..=400;
    reduction_min_depth: 3, 2..=5;
    reduction_from_move: 3, 2..=6;

    // History: gravity keeps every entry within the limit.
    history_limit: 16_000, 4_000..=32_000;
    history_bonus_per_ply: 171, 20..=400;
    history_bonus_max: 1_480, 400..=4_000;
    // Malus of the moves tried beside the best one.
    history_malus_per_ply: 162, 20..=400;
    history_malus_max: 1_232, 400..=4_000;
    // Prior-move bonus, for the quiet move that led to a node where no reply raised alpha, in 128ths of a bonus.
    history_unrefuted_128: 35, 0..=160;
    // Weight of the captured piece beside the capture history, in units per centipawn.
    order_victim: 20, 2..=60;
    // Bonus of a quiet move that gives check.
    order_check: 1_894, -4_000..=12_000;
    // Bonus for leaving the attack of a lesser piece, and malus for moving into one.
    order_escape: 2_042, -4_000..=12_000;
    order_exposed: 4_899, -4_000..=12_000;
    // Evaluation-difference ordering: bonus in 16ths per centipawn, compensation for the tempo of both sides, and
    // maximum.
    progress_per_centipawn_16: 91, 0..=640;
    progress_tempo: 43, -50..=100;
    progress_max: 786, 100..=2_000;

    // Correction history: gravity limit of an entry, learning rate, and weight of a unit in 1024ths of a centipawn.
    correction_limit: 1_024, 512..=4_096;
    correction_learning_1024: 151, 20..=512;
    correction_pawns: 39, 0..=256;
    correction_minors: 59, 0..=256;
    correction_pieces: 56, 0..=256;
    correction_moves: 62, 0..=256;

    // Quiescence search (qsearch): delta pruning margin, in centipawns.
    quiescence_margin: 234, 50..=500;
    // Exchange gain (SEE) required of a capture, in centipawns.
    quiescence_gain: 18, -150..=60;
}
