//! How difficult a move is, judging by the iterations so far: whether the best one stands, the score falls, and where the
//! nodes have gone.

use super::progress::{Found, Progress};

/// Iterations end where they end, on the average at 58 % of the soft limit (40 games of 10 s + 0.1 s): the limit lies so
/// many times beyond the plan that what is used is what was planned.
const SLACK: f64 = 1.7;
/// Factor for a best move that has stood for ever...
const STABLE: f64 = 0.7;
/// ...and what is added for one that has just changed; it fades with the iterations that confirm it.
const UNSTABLE: f64 = 0.9;
/// Growth of the factor per centipawn by which the score is below its average.
const FALLING_PER_CENTIPAWN: f64 = 0.006;
/// The least factor for a rising score.
const FALLING_LEAST: f64 = 0.85;
/// The greatest factor for a falling score.
const FALLING_MOST: f64 = 1.7;
/// Weight of the newest score in the average.
const NEWEST_WEIGHT: f64 = 0.4;
/// Factor when no node was spent below the best move...
const EFFORT_NONE: f64 = 1.45;
/// ...and what is taken off when all were.
const EFFORT_ALL: f64 = 0.8;
/// `best_permille` as a share.
const PERMILLE: f64 = 1000.0;

/// What the iterations so far say about how difficult the move is.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Trend {
    best: Option<u16>,
    /// Iterations that have confirmed `best`.
    confirmations: u32,
    /// Running average of the scores, in centipawns.
    average: Option<f64>,
    /// By what the planned time is multiplied; none before the first iteration.
    factor: Option<f64>,
    failing_low: bool,
}

impl Trend {
    /// Takes an iteration, or an attempt at one, into account.
    pub(super) fn follow(&mut self, progress: &Progress) {
        match progress.found {
            Found::Value => self.follow_value(progress),
            Found::AtMost => self.failing_low = true,
            Found::AtLeast => {}
        }
    }

    /// By what the planned time is multiplied.
    pub(super) fn factor(&self) -> f64 {
        self.factor.unwrap_or(1.0)
    }

    /// Whether the iteration under way has found that the position is worse than was thought.
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
