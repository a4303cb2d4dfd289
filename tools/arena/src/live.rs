//! Progress line of a terminal: games, LLR, Elo and remaining time.

use std::time::Duration;

use crate::stats::Tally;

/// Columns of the narrowest terminal that shows the whole line.
const COLUMNS: usize = 80;

/// Number of planned games above which only the SPRT ends the match.
const ENDLESS: u32 = 1_000_000;

/// Share of the way to a bound of the SPRT below which no remaining time is estimated.
const HARDLY_MOVED: f64 = 0.02;

/// State of a running match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    /// Number of games, including those of earlier runs.
    pub(crate) played: u32,
    pub(crate) planned: u32,
    /// Number of games in this run, and the time that they took.
    pub(crate) new: u32,
    pub(crate) elapsed: Duration,
    /// Tally of a match between two engines.
    pub(crate) tally: Option<Tally>,
    /// LLR of the SPRT, and its bounds.
    pub(crate) test: Option<(f64, (f64, f64))>,
}

impl Live {
    /// Returns the line, short enough for a terminal of 80 columns.
    pub(crate) fn line(&self) -> String {
        let games =
            if self.planned > ENDLESS { self.played.to_string() } else { format!("{}/{}", self.played, self.planned) };
        let estimate = self.tally.and_then(|tally| tally.estimate());
        let elo = estimate.map(|estimate| {
            let value = estimate.elo.value + 0.0;
            match estimate.elo.known_error() {
                Some(error) => format!("Elo {value:.1} +/- {error:.1}"),
                None => format!("Elo {value:.1}"),
            }
        });
        let left = self.time_to_go().map(|left| format!("{} to go", duration(left)));
        let ratio = self.test.map(|(ratio, _)| format!("LLR {ratio:.2}"));
        let bounded = self.test.map(|(ratio, (low, high))| format!("LLR {ratio:.2} ({low:.2}, {high:.2})"));
        let joined = |ratio: Option<String>| {
            [Some(games.clone()), ratio, elo.clone(), left.clone()].into_iter().flatten().collect::<Vec<_>>().join("  ")
        };
        let whole = joined(bounded);
        if whole.chars().count() < COLUMNS { whole } else { joined(ratio) }
    }

    /// Estimates the remaining time, for all planned games or until the SPRT ends at its current pace; `None` if unknown.
    fn time_to_go(&self) -> Option<Duration> {
        let per_game = self.elapsed.as_secs_f64() / f64::from(self.new).max(1.0);
        let by_plan = (self.planned <= ENDLESS).then(|| f64::from(self.planned.saturating_sub(self.played)));
        let by_test = self.test.and_then(|(ratio, (low, high))| {
            let share = ratio / if ratio < 0.0 { low } else { high };
            (share > HARDLY_MOVED).then(|| f64::from(self.played) * (1.0 / share - 1.0).max(0.0))
        });
        let games = [by_plan, by_test].into_iter().flatten().reduce(f64::min).filter(|_| self.new > 0)?;
        Duration::try_from_secs_f64(games * per_game).ok()
    }
}

/// Formats a duration: `45s`, `12m 30s`, `1h 02m`, `3d 04h`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {:02}s", seconds % 60),
        (0, _, _) => format!("{hours}h {:02}m", minutes % 60),
        (1..1000, _, _) => format!("{days}d {:02}h", hours % 24),
        (_, _, _) => "years".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(played: u32, planned: u32) -> Live {
        let tally = Tally { wins: 60, losses: 30, draws: 10, pairs: [5, 10, 10, 15, 10] };
        let elapsed = Duration::from_secs(u64::from(played));
        Live { played, planned, new: played, elapsed, tally: Some(tally), test: Some((1.47, (-2.94, 2.94))) }
    }

    #[test]
    fn games_test_strength_and_time_are_reported() {
        let line = live(100, 1000).line();
        // Half of the way took a hundred games of a second each.
        assert!(
            line.starts_with("100/1000  LLR 1.47 (-2.94, 2.94)  Elo ") && line.ends_with("  1m 40s to go"),
            "{line}"
        );
        let without_test = Live { test: None, ..live(100, 1000) };
        assert!(without_test.line().ends_with("  15m 00s to go"), "{}", without_test.line());
        let endless = Live { test: Some((0.01, (-2.94, 2.94))), ..live(100, 2_000_000) };
        assert!(endless.line().starts_with("100  LLR 0.01") && !endless.line().contains("to go"), "{}", endless.line());
        assert_eq!(Live { played: 0, new: 0, tally: None, test: None, ..live(0, 8) }.line(), "0/8");
        // The same holds on the way to the lower bound.
        let sinking = Live { test: Some((-1.47, (-2.94, 2.94))), ..live(100, 2_000_000) };
        assert!(sinking.line().ends_with("1m 40s to go"), "{}", sinking.line());
    }

    #[test]
    fn it_fits_into_eighty_columns() {
        let lopsided = Tally { wins: 900_000, losses: 0, draws: 1, pairs: [0, 0, 0, 1, 449_999] };
        for tally in [Tally { wins: 1, losses: 0, draws: 2, pairs: [0, 0, 0, 1, 0] }, lopsided] {
            for ratio in [-123.45, 0.0, 1234.56] {
                for (played, elapsed) in [(1, 1), (999_999, 3_000_000_000), (999_999, 1)] {
                    let test = Some((ratio, (-12.94, 12.94)));
                    let elapsed = Duration::from_secs(elapsed);
                    let line = Live { played, planned: 1_000_000, new: 1, elapsed, tally: Some(tally), test }.line();
                    assert!(line.chars().count() < COLUMNS, "{line}");
                }
            }
        }
    }

    #[test]
    fn durations_have_two_parts() {
        let durations = [45, 750, 3720, 273_600, u64::MAX / 2].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(durations, ["45s", "12m 30s", "1h 02m", "3d 04h", "years"]);
    }
}
