//! Difficulty of a move, judged by the iterations so far: stability of the best move, fall of the score, and
//! distribution of the nodes.

use super::progress::Progress;
use crate::smp::table::Bound;

/// Factor of the soft limit, which lies beyond the plan so that the time used is the time planned.
///
/// On the average, iterations end at 58 % of the soft limit (40 games of 10 s + 0.1 s).
const SLACK: f64 = 1.7;
/// Factor for a best move of long standing...
const STABLE: f64 = 0.7;
/// ...and its increase for one that has just changed, which fades with the iterations that confirm it.
const UNSTABLE: f64 = 0.9;
/// Growth of the factor per centipawn by which the score is below its average.
const FALLING_PER_CENTIPAWN: f64 = 0.006;
/// Minimum factor, for a rising score.
const FALLING_LEAST: f64 = 0.85;
/// Maximum factor, for a falling score.
const FALLING_MOST: f64 = 1.7;
/// Weight of the newest score in the average.
const NEWEST_WEIGHT: f64 = 0.4;
/// Factor if no node was spent below the best move...
const EFFORT_NONE: f64 = 1.45;
/// ...and its decrease if all were.
const EFFORT_ALL: f64 = 0.8;
/// Divisor that turns `best_permille` into a share.
const PERMILLE: f64 = 1000.0;

/// Trend of the iterations so far, which says how difficult the move is.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Trend {
    best: Option<u16>,
    /// Number of iterations that have confirmed `best`.
    confirmations: u32,
    /// Running average of the scores, in centipawns.
    average: Option<f64>,
    /// Factor of the planned time; `None` before the first iteration.
    factor: Option<f64>,
    failing_low: bool,
}

impl Trend {
    /// Takes an iteration, finished or not, into account.
    pub(super) fn follow(&mut self, progress: &Progress) {
        match progress.bound {
            Bound::Exact => self.follow_value(progress),
            Bound::Upper => self.failing_low = true,
            Bound::Lower => {}
        }
    }

    /// Returns the factor of the planned time.
    pub(super) fn factor(&self) -> f64 {
        self.factor.unwrap_or(1.0)
    }

    /// Whether the current iteration has failed low.
    pub(super) fn is_failing_low(&self) -> bool {
        self.failing_low
    }

    fn follow_value(&mut self, progress: &Progress) {
        let best = Some(progress.best);
        self.confirmations = if best == self.best { self.confirmations.saturating_add(1) } else { 0 };
        self.best = best;
        self.failing_low = false;
        let score = f64::from(progress.score);
        let average = self.average.unwrap_or(score);
        self.average = Some(average + (score - average) * NEWEST_WEIGHT);

        let stability = STABLE + UNSTABLE / (1.0 + f64::from(self.confirmations));
        let falling = (1.0 + (average - score) * FALLING_PER_CENTIPAWN).clamp(FALLING_LEAST, FALLING_MOST);
        let effort = EFFORT_NONE - EFFORT_ALL * (f64::from(progress.best_permille) / PERMILLE).min(1.0);
        self.factor = Some(SLACK * stability * falling * effort);
    }
}
