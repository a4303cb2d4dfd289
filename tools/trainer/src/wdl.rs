//! Fits the chances that the engine tells beside its scores to the results of games, by likelihood.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::engine::wdl::{Curve, attackers};

use crate::data::{each_game, points};
use crate::source::replace;

/// Scores are put together in steps of so many centipawns, and shares of attackers in such parts.
const SCORE_STEP: i32 = 10;
const SHARES: f64 = 20.0;

/// Scores beyond this say nothing that a search would not.
const MOST_SCORE: u16 = 2000;

/// The least that a number of the curve may be, in centipawns: the draw has a width, and the curve a slope.
const LEAST: f64 = 10.0;

/// The search begins with steps of so many centipawns and ends below the last.
const STEPS: [f64; 2] = [64.0, 0.25];

/// Lost, drawn and won positions, by score and by attackers.
#[derive(Default)]
pub struct Results {
    cells: BTreeMap<(i32, i32), [u32; 3]>,
}

impl Results {
    /// The positions of games, those to learn from or those for validation; every one counts, in check or not.
    ///
    /// # Errors
    /// If there are none, or a chunk cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<[Self; 2]> {
        let mut parts = [Self::default(), Self::default()];
        each_game(paths, |game, is_validation| {
            for turn in game.turns().filter(|turn| turn.score.unsigned_abs() <= MOST_SCORE) {
                let points = points(game.result, turn.position.side());
                parts[usize::from(is_validation)].push(turn.score, attackers(&turn.position), points);
            }
        })?;
        ensure!(parts.iter().all(|part| !part.is_empty()), "there are too few games");
        Ok(parts)
    }

    /// Adds a position with a score for its mover, the share of attackers that is left, and the mover's half points.
    pub fn push(&mut self, score: i16, attackers: f64, points: u8) {
        let cell = (i32::from(score).div_euclid(SCORE_STEP), (attackers * SHARES).round() as i32);
        self.cells.entry(cell).or_default()[usize::from(points)] += 1;
    }

    /// How many positions there are.
    pub fn len(&self) -> u64 {
        self.cells.values().flatten().map(|&count| u64::from(count)).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How surprised the curve is by the results: minus the mean logarithm of the chances it gave them.
    pub fn surprise(&self, curve: &Curve) -> f64 {
        const FLOOR: f64 = 1e-9;
        let of_cell = |(&(score, share), counts): (&(i32, i32), &[u32; 3])| {
            let lead = f64::from(score * SCORE_STEP) + f64::from(SCORE_STEP) / 2.0;
            let [won, lost] = curve.decided(lead, f64::from(share) / SHARES);
            let chances = [lost, 1.0 - won - lost, won];
            counts.iter().zip(chances).map(|(&count, chance)| -f64::from(count) * chance.max(FLOOR).ln()).sum::<f64>()
        };
        self.cells.iter().map(of_cell).sum::<f64>() / self.len() as f64
    }
}

/// The curve that is surprised least, sought from `begin` on: each number a step up or down as long as that helps, then in
/// steps half as large.
pub fn fit(results: &Results, begin: &Curve) -> Curve {
    let mut numbers = [begin.draw_half_width, begin.slope].concat();
    let curve = |numbers: &[f64]| Curve { draw_half_width: [numbers[0], numbers[1]], slope: [numbers[2], numbers[3]] };
    let mut least = results.surprise(&curve(&numbers));
    let mut step = STEPS[0];
    while step >= STEPS[1] {
        let before = least;
        for number in 0..numbers.len() {
            for change in [step, -step] {
                let mut other = numbers.clone();
                other[number] = (other[number] + change).max(LEAST);
                let surprise = results.surprise(&curve(&other));
                if surprise < least {
                    (numbers, least) = (other, surprise);
                }
            }
        }
        if least == before {
            step /= 2.0;
        }
    }
    curve(&numbers)
}

/// Puts the curve into the source of the engine's own, in whole centipawns.
///
/// # Errors
/// If a constant is missing in it.
pub fn rewrite(source: &str, curve: &Curve) -> Result<String> {
    let pair = |[few, all]: [f64; 2]| format!("[{:.1}, {:.1}]", few.round(), all.round());
    let source = replace(source, "DRAW_HALF_WIDTH", &pair(curve.draw_half_width))?;
    replace(&source, "SLOPE", &pair(curve.slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::engine::wdl::CURVE;
    use chuhe::splitmix::SplitMix64;

    const SOURCE: &str = include_str!("../../../src/engine/wdl.rs");

    #[test]
    fn the_curve_that_made_the_results_is_found_again() {
        let truth = Curve { draw_half_width: [180.0, 60.0], slope: [50.0, 150.0] };
        let mut random = SplitMix64::new(4);
        let mut results = Results::default();
        for _ in 0..400_000 {
            let score = i16::try_from(random.below(1601)).unwrap() - 800;
            let share = random.below(21) as f64 / 20.0;
            let [won, lost] = truth.decided(f64::from(score), share);
            let luck = random.below(1 << 20) as f64 / f64::from(1 << 20);
            results.push(score, share, if luck < won { 2 } else { u8::from(luck < 1.0 - lost) });
        }
        let found = fit(&results, &CURVE);
        let far = |found: [f64; 2], truth: [f64; 2]| (found[0] - truth[0]).abs().max((found[1] - truth[1]).abs());
        assert!(far(found.draw_half_width, truth.draw_half_width) < 6.0, "{found:?}");
        assert!(far(found.slope, truth.slope) < 6.0, "{found:?}");
        assert!(results.surprise(&found) < results.surprise(&CURVE) - 0.01);
    }

    #[test]
    fn the_source_takes_the_curve() {
        assert_eq!(rewrite(SOURCE, &CURVE).unwrap(), SOURCE);
        let other = Curve { draw_half_width: [199.6, 80.2], slope: [61.0, 99.0] };
        let told = rewrite(SOURCE, &other).unwrap();
        assert!(told.contains("const DRAW_HALF_WIDTH: [f64; 2] = [200.0, 80.0];"), "{told}");
        assert!(told.contains("const SLOPE: [f64; 2] = [61.0, 99.0];"), "{told}");
        assert!(rewrite("nothing", &other).is_err());
    }
}
