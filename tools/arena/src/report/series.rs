//! Series for charts: Elo by number of games, time by move number.

use std::collections::BTreeMap;

use chuhe_games::record::GameRecord;

use crate::averages::moves_of;
use crate::sprt::Sprt;
use crate::stats::Tally;

/// Maximum number of points of a curve.
const MOST_POINTS: usize = 300;
/// Limit of the Elo curves; beyond it a difference has no practical meaning.
const MOST_ELO: f64 = 1200.0;

/// Number of games, Elo, its lower and upper bound, and the LLR.
pub(super) type EloPoint = (u64, f64, f64, f64, Option<f64>);

/// Returns the Elo difference of `engine` against `opponent` over the match, pair by pair.
pub(super) fn elo_by_games(
    games: &[&GameRecord],
    in_pairs: bool,
    [engine, opponent]: [&str; 2],
    sprt: Option<&Sprt>,
) -> Vec<EloPoint> {
    let pairs: Vec<&[&GameRecord]> = games.chunk_by(|a, b| a.number.div_ceil(2) == b.number.div_ceil(2)).collect();
    let step = pairs.len().div_ceil(MOST_POINTS).max(1);
    let mut total = Tally::default();
    let mut points = vec![];
    for (index, pair) in pairs.iter().enumerate() {
        total += Tally::of(pair.iter().copied(), engine, Some(opponent), in_pairs);
        let is_wanted = (index + 1).is_multiple_of(step) || index + 1 == pairs.len();
        if let Some(estimate) = total.estimate().filter(|_| is_wanted) {
            let [value, low, high] = [estimate.elo.value, estimate.elo.low, estimate.elo.high]
                .map(|elo| (elo.clamp(-MOST_ELO, MOST_ELO) * 10.0).round() / 10.0);
            let ratio = sprt.map(|sprt| (sprt.log_likelihood_ratio(&total.outcomes()) * 1000.0).round() / 1000.0);
            points.push((total.games(), value, low, high, ratio));
        }
    }
    points
}

/// Move number from 1, median and ninth decile of the time in milliseconds.
pub(super) type TimePoint = (usize, u64, u64);

/// Returns the time that `engine` used for its first, second, ... move.
pub(super) fn time_by_move(games: &[&GameRecord], engine: &str) -> Vec<TimePoint> {
    const MOST_MOVES: usize = 200;
    let mut times: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for (index, record) in moves_of(games.iter().copied(), engine).filter(|(index, _)| index / 2 < MOST_MOVES) {
        times.entry(index / 2 + 1).or_default().push(record.time_ms);
    }
    let quantile = |sorted: &[u64], tenths: usize| sorted[(sorted.len() - 1) * tenths / 10];
    times
        .into_iter()
        .map(|(number, mut times)| {
            times.sort_unstable();
            (number, quantile(&times, 5), quantile(&times, 9))
        })
        .collect()
}
