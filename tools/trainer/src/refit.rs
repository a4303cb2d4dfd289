//! Refit of the hand-crafted evaluation (HCE) to games, with the loss of the network: a Gauss-Newton method, which needs no
//! learning rate, regularised towards the current weights where the games say little.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use chuhe::board::{Kind, Position, RANKS, Side};
use chuhe::eval::hce::{self, PLACES, TERMS, WEIGHTS};
use chuhe_selfplay::game::Turn;
use nalgebra::{DMatrix, DVector};

use crate::data::each_game;
use crate::gradient::Target;
use crate::math::sigmoid;
use crate::source::replace;

/// Files of a table.
const FILES: usize = PLACES / RANKS;

/// Most rounds of the method, which converges in five or six.
const ROUNDS: usize = 20;

/// Convergence threshold: least share of the loss that a round must gain.
const SETTLED: f64 = 1e-7;

/// Positions as counts of evaluation terms, with the expected result of each.
#[derive(Default)]
pub struct Sums {
    /// Weights and their counts for Red, position by position.
    counts: Vec<(u16, i8)>,
    /// End of each position's counts, and the expected result for Red, 0 to 1.
    rows: Vec<(usize, f32)>,
}

impl Sums {
    /// Adds a position, unless it is a draw for any weights.
    pub fn push(&mut self, position: &Position, expected: f32) {
        let mut of_position = [0; WEIGHTS];
        if hce::counts(position, |weight, count| of_position[weight] += count) {
            let counted = (0..).zip(of_position).filter(|&(_, count)| count != 0);
            self.counts.extend(counted.map(|(weight, count)| (weight, i8::try_from(count).expect("counts are small"))));
            self.rows.push((self.counts.len(), expected));
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn rows(&self) -> impl Iterator<Item = (&[(u16, i8)], f64)> {
        let mut begin = 0;
        self.rows.iter().map(move |&(end, expected)| {
            let counts = &self.counts[std::mem::replace(&mut begin, end)..end];
            (counts, expected.into())
        })
    }

    /// Returns the mean squared error of the expected results with these weights, at `scale` centipawns per unit of log odds.
    pub fn loss(&self, weights: &[f64], scale: i32) -> f64 {
        let error = |(counts, expected): (&[(u16, i8)], f64)| (chance(counts, weights, scale) - expected).powi(2);
        self.rows().map(error).sum::<f64>() / self.len() as f64
    }
}

/// Reads the training and the validation positions of games.
///
/// # Errors
/// If either has no positions, or a chunk cannot be read.
pub fn read(paths: &[PathBuf], target: Target) -> Result<[Sums; 2]> {
    let mut parts = [Sums::default(), Sums::default()];
    each_game(paths, |game, is_validation| {
        for turn in game.turns().filter(Turn::is_usable) {
            let side = turn.position.side();
            let expected = target.of(turn.score, game.result.half_points(side));
            let for_red = if side == Side::Red { expected } else { 1.0 - expected };
            parts[usize::from(is_validation)].push(&turn.position, for_red);
        }
    })?;
    ensure!(parts.iter().all(|part| !part.is_empty()), "there are too few games");
    Ok(parts)
}

/// Returns the expected result for Red.
fn chance(counts: &[(u16, i8)], weights: &[f64], scale: i32) -> f64 {
    let value: f64 = counts.iter().map(|&(weight, count)| weights[usize::from(weight)] * f64::from(count)).sum();
    sigmoid((value / f64::from(scale)) as f32).into()
}

/// Returns the weights with the least loss, starting from `begin` and pulled towards it as strongly as by `drawn_by` positions
/// for each weight.
///
/// # Errors
/// If there are no positions, or `drawn_by` is not positive and finite.
pub fn fit(sums: &Sums, begin: &[i32], scale: i32, drawn_by: f64) -> Result<Vec<f64>> {
    ensure!(!sums.is_empty(), "there is no position to learn from");
    ensure!(drawn_by > 0.0, "weights of which the games say nothing must be drawn to what they are");
    ensure!(drawn_by.is_finite(), "weights that are drawn by {drawn_by} positions learn nothing");
    let begin: Vec<f64> = begin.iter().copied().map(f64::from).collect();
    let mut weights = begin.clone();
    let mut loss = sums.loss(&weights, scale);
    for _ in 0..ROUNDS {
        let next = round(sums, &weights, &begin, scale, drawn_by)?;
        let better = sums.loss(&next, scale);
        if better > loss {
            break;
        }
        weights = next;
        let gain = loss - better;
        loss = better;
        if gain < SETTLED * loss {
            break;
        }
    }
    Ok(weights)
}

/// Runs one Gauss-Newton step: solves the least squares problem with linearised expectations.
fn round(sums: &Sums, weights: &[f64], begin: &[f64], scale: i32, drawn_by: f64) -> Result<Vec<f64>> {
    let scale_of_slope = 1.0 / f64::from(scale);
    // Curvature of a balanced position for a weight that counts once in it.
    let draw = drawn_by * (0.25 * scale_of_slope).powi(2);
    let mut matrix = DMatrix::from_diagonal_element(WEIGHTS, WEIGHTS, draw);
    let mut gradient =
        DVector::from_iterator(WEIGHTS, weights.iter().zip(begin).map(|(now, then)| draw * (now - then)));
    for (counts, expected) in sums.rows() {
        let chance = chance(counts, weights, scale);
        let slope = chance * (1.0 - chance) * scale_of_slope;
        for (number, &(row, times)) in counts.iter().enumerate() {
            let weighed = slope * f64::from(times);
            gradient[usize::from(row)] += weighed * (chance - expected);
            // The matrix is symmetric: its lower half is enough.
            for &(column, times) in &counts[..=number] {
                matrix[(usize::from(row), usize::from(column))] += weighed * slope * f64::from(times);
            }
        }
    }
    let factors = matrix.cholesky().context("the games leave the weights undetermined")?;
    let step = factors.solve(&gradient);
    Ok(weights.iter().zip(step.iter()).map(|(weight, step)| weight - step).collect())
}

/// Puts weights into the source code of the engine.
///
/// # Errors
/// If a constant is missing in the source.
pub fn rewrite(source: &str, weights: &[f64]) -> Result<String> {
    let number = |weight: f64| weight.round().to_string().replace("-0", "0");
    let mut source = source.to_owned();
    let mut put = |name: &str, numbers: &str| -> Result<()> {
        source = replace(&source, name, numbers)?;
        Ok(())
    };
    let (tables, rest) = weights.split_at(Kind::ALL.len() * PLACES);
    for (kind, table) in Kind::ALL.into_iter().zip(tables.chunks(PLACES)) {
        let material = f64::from(hce::material(kind));
        let mut rows = String::from("[\n");
        for row in table.chunks(FILES) {
            let numbers: Vec<String> = row.iter().map(|&weight| number(weight - material)).collect();
            let empty = numbers.iter().all(|number| number == "0");
            writeln!(rows, "    [{}],", if empty { "0; HALF".to_owned() } else { numbers.join(", ") })?;
        }
        put(&format!("{kind:?}").to_uppercase(), &(rows + "]"))?;
    }
    let (terms, near) = rest.split_at(TERMS.len());
    for ((name, _), &value) in TERMS.iter().zip(terms) {
        put(name, &number(value))?;
    }
    // Only differences between these matter.
    let near: Vec<String> = near.iter().map(|&value| number(value - near[0])).collect();
    put("ATTACKERS_NEAR", &format!("[{}]", near.join(", ")))?;
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::tests::random_positions;
    use chuhe::splitmix::SplitMix64;

    const SOURCE: &str = include_str!("../../../src/eval/hce/weights.rs");
    const SCALE: i32 = 400;

    fn floating(weights: &[i32]) -> Vec<f64> {
        weights.iter().copied().map(f64::from).collect()
    }

    /// Returns positions with the expected results of these weights.
    fn sums(weights: &[f64]) -> Sums {
        let mut sums = Sums::default();
        for position in random_positions(6, 20_000) {
            sums.push(&position, 0.5);
        }
        let expected: Vec<f32> = sums.rows().map(|(counts, _)| chance(counts, weights, SCALE) as f32).collect();
        sums.rows.iter_mut().zip(expected).for_each(|(row, expected)| row.1 = expected);
        sums
    }

    #[test]
    fn weights_that_made_the_scores_are_found_again() {
        let begin = hce::weights();
        let mut random = SplitMix64::new(2);
        let truth: Vec<f64> = begin.iter().map(|&weight| f64::from(weight) + random.below(41) as f64 - 20.0).collect();
        let sums = sums(&truth);
        let fitted = fit(&sums, &begin, SCALE, 1e-3).unwrap();
        let loss = sums.loss(&floating(&begin), SCALE);
        assert!(loss > 1e-4 && sums.loss(&fitted, SCALE) < loss / 1e4, "{loss} {}", sums.loss(&fitted, SCALE));
        // A rook's mobility counts everywhere.
        let at = Kind::ALL.len() * PLACES;
        assert!((fitted[at] - truth[at]).abs() < 0.5, "{} {}", fitted[at], truth[at]);
    }

    #[test]
    fn what_games_say_nothing_of_stays() {
        let begin = hce::weights();
        let fitted = fit(&sums(&floating(&begin)), &begin, SCALE, 10.0).unwrap();
        assert!(fitted.iter().zip(&begin).all(|(fitted, &begin)| (fitted - f64::from(begin)).abs() < 0.5));
    }

    #[test]
    fn what_is_no_number_draws_no_weight() {
        let begin = hce::weights();
        let mut sums = Sums::default();
        sums.push(&Position::start(), 0.5);
        for drawn_by in [0.0, f64::NAN, f64::INFINITY] {
            assert!(fit(&sums, &begin, SCALE, drawn_by).is_err(), "{drawn_by}");
        }
    }

    #[test]
    fn the_source_takes_the_weights() {
        let compact =
            |source: &str| source.replace("[0; HALF]", "[0, 0, 0, 0, 0]").split_whitespace().collect::<String>();
        let same = rewrite(SOURCE, &floating(&hce::weights())).unwrap();
        assert_eq!(compact(&same), compact(SOURCE));
        let changed: Vec<f64> = hce::weights().iter().map(|&weight| f64::from(weight) + 1.2).collect();
        let changed = rewrite(SOURCE, &changed).unwrap();
        let (name, value) = TERMS[0];
        assert!(changed.contains(&format!("const {name}: i32 = {};", value + 1)), "{changed}");
        let line =
            |text: &str| SOURCE.lines().find(|line| line.contains(text)).expect("it is in the source").to_owned();
        assert!(changed.contains(&line("const ATTACKERS_NEAR")), "only differences count among these: {changed}");
        let back_rank = |source: &str| -> Vec<i32> {
            let (_, rows) = source.split_once("ROOK: Table = [\n").expect("it has the table");
            let row = rows.lines().next().unwrap().trim().trim_matches(['[', ']', ',']);
            row.split(", ").map(|number| number.parse().unwrap()).collect()
        };
        assert_eq!(back_rank(&changed), back_rank(SOURCE).iter().map(|number| number + 1).collect::<Vec<_>>());
        let error = rewrite("nothing", &floating(&hce::weights())).unwrap_err();
        assert_eq!(error.to_string(), "the source has no single constant KING");
    }
}
