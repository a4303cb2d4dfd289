//! The score of a match, with its error, and what went wrong in it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::game::{Ending, Failure};
use super::matches::Played;

/// What came of a match; contestants are numbered 0 and 1, and scores are the first one's.
#[derive(Debug)]
pub(crate) struct Tally {
    names: [String; 2],
    wins: u32,
    losses: u32,
    draws: u32,
    /// Half points of each pair of games, 0 to 4.
    pairs: Vec<u32>,
    endings: BTreeMap<&'static str, u32>,
    failures: [Vec<Failure>; 2],
    least_left: [Duration; 2],
}

impl Tally {
    /// Before the first game; no clock shows more than `full`.
    pub(crate) fn new(names: [String; 2], full: Duration) -> Self {
        Self {
            names,
            wins: 0,
            losses: 0,
            draws: 0,
            pairs: vec![],
            endings: BTreeMap::new(),
            failures: [vec![], vec![]],
            least_left: [full; 2],
        }
    }

    pub(crate) fn add_game(&mut self, played: Played) {
        match played.winner {
            Some(0) => self.wins += 1,
            Some(_) => self.losses += 1,
            None => self.draws += 1,
        }
        *self.endings.entry(played.ending.name()).or_default() += 1;
        for (least, left) in self.least_left.iter_mut().zip(played.least_left) {
            *least = left.min(*least);
        }
        if let (Ending::Failure(failure), Some(winner)) = (played.ending, played.winner) {
            self.failures[1 - winner].push(failure);
        }
    }

    /// Adds the sum of a pair and how the processes ended after it.
    pub(crate) fn add_pair(&mut self, half_points: u32, ends: Option<[Result<(), Failure>; 2]>) {
        self.pairs.push(half_points);
        for (failures, end) in self.failures.iter_mut().zip(ends.into_iter().flatten()) {
            failures.extend(end.err());
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// What a contestant did wrong.
    pub(crate) fn failures_of(&self, contestant: usize) -> &[Failure] {
        &self.failures[contestant]
    }

    /// The rating difference and the half width of its 95 % interval; `None` if the games do not bound it.
    fn elo(&self) -> Option<(f64, f64)> {
        // Both games of a pair share their opening, so pairs are independent and games are not.
        let scores: Vec<f64> = self.pairs.iter().map(|&half_points| f64::from(half_points) / 4.0).collect();
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = 1.96 * (variance / count).sqrt();
        let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
        // Pairs that all end alike say nothing about their spread.
        let bounded = error > 0.0 && mean - error > 0.0 && mean + error < 1.0;
        bounded.then(|| (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.names;
        let endings: Vec<_> = self.endings.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "Endings: {}", endings.join(", "))?;
        for ((name, least), failures) in self.names.iter().zip(self.least_left).zip(&self.failures) {
            let least = least.as_millis();
            writeln!(f, "{name}: {} failures, never less than {least} ms on its clock after a move", failures.len())?;
            for failure in failures {
                writeln!(f, "  {failure}")?;
            }
        }
        match self.elo() {
            Some((elo, error)) => writeln!(f, "Elo difference: {elo:+.1} +/- {error:.1} (95 %, by pairs)")?,
            None => writeln!(f, "Elo difference: too few games to bound it")?,
        }
        let games = self.games();
        let share = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games.max(1));
        let (wins, losses, draws) = (self.wins, self.losses, self.draws);
        write!(f, "Score of {first} vs {second}: {wins} - {losses} - {draws} [{share:.3}] {games}")
    }
}
