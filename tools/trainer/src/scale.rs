//! Scale of scores, fitted to results: centipawns per unit of log odds.

use crate::math::sigmoid;
use crate::sample::Sample;

/// Most samples used; more would not change the scale.
const MOST: usize = 1 << 20;

/// Returns the K for which sigmoid(score / K) predicts the results with the highest likelihood, within 50 and 5,000; a draw is
/// half a win.
pub fn fit(samples: &[Sample]) -> i32 {
    let chosen: Vec<(f32, f32)> = samples
        .iter()
        .step_by(samples.len().div_ceil(MOST).max(1))
        .map(|sample| (f32::from(sample.score), f32::from(sample.points) / 2.0))
        .collect();
    // The derivative of the likelihood by 1 / K decreases monotonically, and is positive while K is too large.
    let is_too_large = |scale: i32| {
        let slope = |&(score, points): &(f32, f32)| f64::from(score * (points - sigmoid(score / scale as f32)));
        chosen.iter().map(slope).sum::<f64>() > 0.0
    };
    let (mut low, mut high) = (50, 5000);
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if is_too_large(middle) { high = middle } else { low = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Position;
    use chuhe::splitmix::SplitMix64;

    #[test]
    fn the_scale_of_made_up_results_is_found() {
        let start = Position::start();
        for scale in [150, 400, 900] {
            let mut random = SplitMix64::new(scale);
            let samples: Vec<Sample> = (0..40_000)
                .map(|_| {
                    let score = i16::try_from(random.below(2001)).unwrap() - 1000;
                    let luck = random.below(1 << 20) as f32 / (1 << 20) as f32;
                    let wins = luck < sigmoid(f32::from(score) / scale as f32);
                    Sample::new(&start, score, if wins { 2 } else { 0 })
                })
                .collect();
            let (scale, found) = (scale as f64, f64::from(fit(&samples)));
            assert!((found / scale - 1.0).abs() < 0.06, "{found} instead of {scale}");
        }
    }
}
