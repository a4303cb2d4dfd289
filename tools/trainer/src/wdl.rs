//! Fit of the win, draw and loss model (WDL) to the results of games, by maximum likelihood. The games come from the generator or
//! from timed matches, since longer thinking times lead to more draws.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::engine::wdl::{Curve, attackers};
use chuhe_games::journal;
use chuhe_games::record::{Eval, GameRecord};
use serde_json::Value;

use crate::data::{VALIDATION_ONE_IN, each_game};
use crate::source::replace;

/// Width of a score bin in centipawns, and number of steps of the share of attackers.
const SCORE_STEP: i32 = 10;
const SHARES: f64 = 20.0;

/// Largest score used; those beyond are decided anyway.
const MOST_SCORE: u16 = 2000;

/// File extension of the journals of the match runner.
const JOURNAL: &str = "journal";

/// Lower bound of each parameter of the curve, in centipawns, which keeps the draw width and the slope positive.
const LEAST: f64 = 10.0;

/// First and last step size of the search, in centipawns.
const STEPS: [f64; 2] = [64.0, 0.25];

/// Counts of lost, drawn and won positions, by score and share of attackers.
#[derive(Default)]
pub struct Results {
    cells: BTreeMap<(i32, i32), [u32; 3]>,
}

impl Results {
    /// Reads the training and the validation positions of games, including those in check. A path is a chunk of the generator, a
    /// folder of chunks, or a journal of the match runner (`.journal`).
    ///
    /// # Errors
    /// If either has no positions, or a file cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<[Self; 2]> {
        let mut parts = [Self::default(), Self::default()];
        let is_journal = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == JOURNAL);
        let (journals, chunks): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_journal);
        for path in journals {
            read_journal(path, &mut parts)?;
        }
        if !chunks.is_empty() {
            let chunks: Vec<PathBuf> = chunks.into_iter().cloned().collect();
            each_game(&chunks, |game, is_validation| {
                for turn in game.turns() {
                    let points = game.result.half_points(turn.position.side());
                    parts[usize::from(is_validation)].push(turn.score, attackers(&turn.position), points);
                }
            })?;
        }
        ensure!(parts.iter().all(|part| !part.is_empty()), "there are too few games");
        Ok(parts)
    }

    /// Adds a position with its score for the side to move, the share of attackers left, and that side's half points. Decisive
    /// scores are left out.
    pub fn push(&mut self, score: i16, attackers: f64, points: u8) {
        if score.unsigned_abs() > MOST_SCORE {
            return;
        }
        let cell = (i32::from(score).div_euclid(SCORE_STEP), (attackers * SHARES).round() as i32);
        self.cells.entry(cell).or_default()[usize::from(points)] += 1;
    }

    /// Number of positions.
    pub fn len(&self) -> u64 {
        self.cells.values().flatten().map(|&count| u64::from(count)).sum()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the cross-entropy: the mean negative log-likelihood of the results.
    pub fn cross_entropy(&self, curve: &Curve) -> f64 {
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

/// Adds the positions of the finished games in a journal.
fn read_journal(path: &Path, parts: &mut [Results; 2]) -> Result<()> {
    let (_, games): (Value, Vec<GameRecord>) = journal::read(path)?;
    for game in &games {
        let part = &mut parts[usize::from(u64::from(game.number).is_multiple_of(VALIDATION_ONE_IN))];
        push_game(game, part)?;
    }
    Ok(())
}

fn push_game(game: &GameRecord, results: &mut Results) -> Result<()> {
    let mut position = Position::from_fen(&game.start_fen)?;
    for record in &game.moves {
        let Some(mv) = record.mv.parse().ok().filter(|mv: &Move| position.is_legal(*mv)) else { break };
        if let (Some(Eval::Centipawns(score)), Some(outcome)) = (record.eval, game.result.outcome()) {
            let score = score.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
            results.push(score, attackers(&position), outcome.half_points(position.side()));
        }
        position = position.play(mv);
    }
    Ok(())
}

/// Returns the curve with the least cross-entropy, by coordinate search from `begin`: each parameter moves a step up or down
/// while that helps, then the step is halved.
pub fn fit(results: &Results, begin: &Curve) -> Curve {
    let mut numbers = [begin.draw_half_width, begin.slope].concat();
    let curve = |numbers: &[f64]| Curve { draw_half_width: [numbers[0], numbers[1]], slope: [numbers[2], numbers[3]] };
    let mut least = results.cross_entropy(&curve(&numbers));
    let mut step = STEPS[0];
    while step >= STEPS[1] {
        let before = least;
        for number in 0..numbers.len() {
            for change in [step, -step] {
                let mut other = numbers.clone();
                other[number] = (other[number] + change).max(LEAST);
                let cross_entropy = results.cross_entropy(&curve(&other));
                if cross_entropy < least {
                    (numbers, least) = (other, cross_entropy);
                }
            }
        }
        if least == before {
            step /= 2.0;
        }
    }
    curve(&numbers)
}

/// Puts the curve into the source code of the engine, in whole centipawns.
///
/// # Errors
/// If a constant is missing in the source.
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
        assert!(results.cross_entropy(&found) < results.cross_entropy(&CURVE) - 0.01);
    }

    #[test]
    fn a_journal_of_a_match_counts_what_its_engines_have_said() {
        let entry = |number: u32, result: &str| {
            serde_json::json!({
                "number": number, "round": 1, "red": "A", "black": "B",
                "start_fen": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
                "opening": null, "result": result,
                "ending": {"class": "Mate", "text": ""},
                "moves": [
                    {"mv": "h2e2", "eval": {"Centipawns": 30}, "depth": 9, "selective_depth": 9, "nodes": 1, "time_ms": 1,
                     "left_ms": null, "ponder_hit": false},
                    {"mv": "h9g7", "eval": {"Mate": 3}, "depth": 9, "selective_depth": 9, "nodes": 1, "time_ms": 1,
                     "left_ms": null, "ponder_hit": false},
                    {"mv": "h0g2", "eval": {"Centipawns": 2500}, "depth": 9, "selective_depth": 9, "nodes": 1, "time_ms": 1,
                     "left_ms": null, "ponder_hit": false}
                ],
                "started_at_ms": 0, "duration_ms": 1, "time_control": "3+0.03"
            })
        };
        let games = [(1, "Red"), (2, "Draw"), (3, "Unfinished"), (20, "Black")]
            .map(|(number, result)| entry(number, result).to_string());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal");
        std::fs::write(&path, format!("{{\"match\":1}}\n{}\n", games.join("\n"))).unwrap();
        let [training, validation] = Results::read(&[path]).unwrap();
        assert_eq!((training.len(), validation.len()), (2, 1));
        assert_eq!(training.cells.values().copied().collect::<Vec<_>>(), [[0, 1, 1]]);
        assert_eq!(validation.cells.values().copied().collect::<Vec<_>>(), [[1, 0, 0]]);
    }

    #[test]
    fn the_source_takes_the_curve() {
        assert_eq!(rewrite(SOURCE, &CURVE).unwrap(), SOURCE);
        let other = Curve { draw_half_width: [199.6, 80.2], slope: [61.0, 99.0] };
        let rewritten = rewrite(SOURCE, &other).unwrap();
        assert!(rewritten.contains("const DRAW_HALF_WIDTH: [f64; 2] = [200.0, 80.0];"), "{rewritten}");
        assert!(rewritten.contains("const SLOPE: [f64; 2] = [61.0, 99.0];"), "{rewritten}");
        assert!(rewrite("nothing", &other).is_err());
    }
}
