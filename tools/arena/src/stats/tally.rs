//! Results of one engine against another, or against all others.

use std::collections::BTreeMap;

use chuhe_games::record::{GameRecord, GameResult};

use super::estimate::Estimate;
use super::outcomes::Outcomes;

/// Counts of games and complete pairs, from the first engine's point of view. Unfinished games do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of games won.
    pub wins: u64,
    /// Number of games lost.
    pub losses: u64,
    /// Number of games drawn.
    pub draws: u64,
    /// Pentanomial counts: pairs by half points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Returns the results of `engine` against `opponent`, or against all others, in `games`, in any order.
    ///
    /// With `in_pairs` (see [`come_in_pairs`]) games `2n - 1` and `2n` between the same engines with colours exchanged form a
    /// pair; half of a pair counts as a game only.
    pub fn of<'a>(
        games: impl IntoIterator<Item = &'a GameRecord>,
        engine: &str,
        opponent: Option<&str>,
        in_pairs: bool,
    ) -> Self {
        let mut tally = Self::default();
        let mut waiting: BTreeMap<(u32, &str), (u64, bool)> = BTreeMap::new();
        for game in games {
            let is_red = game.red == engine;
            let other = if is_red { &game.black } else { &game.red };
            let plays = is_red || game.black == engine;
            if !plays || opponent.is_some_and(|opponent| opponent != other) {
                continue;
            }
            let Some(half_points) = half_points(game.result, is_red) else { continue };
            tally.add_game(half_points);
            if !in_pairs {
                continue;
            }
            let pair = (game.number.div_ceil(2), other.as_str());
            match waiting.remove(&pair) {
                Some((first, was_red)) if was_red != is_red => tally.add_pair(first + half_points),
                Some(_) => {}
                None => {
                    waiting.insert(pair, (half_points, is_red));
                }
            }
        }
        tally
    }

    /// Counts one game with 0, 1 or 2 half points.
    pub fn add_game(&mut self, half_points: u64) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts one pair with 0 to 4 half points; its games are counted separately.
    ///
    /// # Panics
    /// If there are more than four.
    pub fn add_pair(&mut self, half_points: u64) {
        let index = usize::try_from(half_points).expect("a pair has at most four half points");
        self.pairs[index] += 1;
    }

    /// Returns the number of games with a result.
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the number of complete pairs.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Returns the points, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the points per game, 0 to 1; `None` without a game.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Returns the evidence: pentanomial counts, or those of single games if there are no pairs.
    pub fn outcomes(&self) -> Outcomes {
        if self.complete_pairs() > 0 {
            Outcomes::Pairs(self.pairs)
        } else {
            Outcomes::Games([self.losses, self.draws, self.wins])
        }
    }

    /// Returns the Elo estimate; `None` without a game.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::new(&self.outcomes())
    }

    /// Returns the share of drawn games, 0 to 1; `None` without a game.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Returns the share of drawn pairs, 0 to 1, which fastchess prints as `DrawRatio`; `None` without a pair.
    pub fn even_pair_ratio(&self) -> Option<f64> {
        (self.complete_pairs() > 0).then(|| self.pairs[2] as f64 / self.complete_pairs() as f64)
    }

    /// Returns the ratio of won to lost pairs, which fastchess prints as `PairsRatio`; infinite if none was lost, `None` if
    /// none was won either.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let (lost, won) = (self.pairs[0] + self.pairs[1], self.pairs[3] + self.pairs[4]);
        (lost + won > 0).then(|| won as f64 / lost as f64)
    }

    /// Returns the tally from the other engine's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.pairs.reverse();
        Self { wins: self.losses, losses: self.wins, ..self }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (count, other) in self.pairs.iter_mut().zip(other.pairs) {
            *count += other;
        }
    }
}

/// Whether games `2n - 1` and `2n` always belong to one encounter.
///
/// With an odd number of games per encounter they do not, unless there is only one encounter.
pub fn come_in_pairs<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> bool {
    let mut encounters = BTreeMap::new();
    games.into_iter().all(|game| {
        let mut engines = [game.red.as_str(), game.black.as_str()];
        engines.sort_unstable();
        *encounters.entry(game.number.div_ceil(2)).or_insert(engines) == engines
    })
}

/// Returns the results of every engine against all others, by descending score, then by name.
pub fn standings(games: &[GameRecord]) -> Vec<(String, Tally)> {
    let mut names: Vec<&str> = games.iter().flat_map(|game| [game.red.as_str(), game.black.as_str()]).collect();
    names.sort_unstable();
    names.dedup();
    let in_pairs = come_in_pairs(games);
    let mut table: Vec<(String, Tally)> =
        names.into_iter().map(|name| (name.to_owned(), Tally::of(games, name, None, in_pairs))).collect();
    let score = |tally: &Tally| tally.score().unwrap_or(0.0);
    table.sort_by(|(_, a), (_, b)| score(b).total_cmp(&score(a)));
    table
}

/// Returns the half points of one engine, given whether it had Red; `None` for an unfinished game.
fn half_points(result: GameResult, is_red: bool) -> Option<u64> {
    match result {
        GameResult::Unfinished => None,
        GameResult::Draw => Some(1),
        GameResult::Red => Some(if is_red { 2 } else { 0 }),
        GameResult::Black => Some(if is_red { 0 } else { 2 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;
    use chuhe_games::record::EndingClass;

    fn game(number: u32, red: &str, black: &str, result: GameResult) -> GameRecord {
        made_up::game(number, red, black, result, EndingClass::Mate)
    }

    #[test]
    fn pairs_are_found_in_any_order_and_halves_are_left_out() {
        use GameResult::{Black, Draw, Red, Unfinished};
        let games = [
            game(4, "B", "A", Draw),
            game(1, "A", "B", Red),
            game(3, "A", "B", Red),
            game(2, "B", "A", Black),
            game(5, "A", "B", Black),
            game(7, "A", "B", Red),
            game(8, "B", "A", Unfinished),
            game(9, "A", "C", Red),
            game(10, "C", "A", Red),
        ];
        let tally = Tally::of(&games, "A", Some("B"), true);
        assert_eq!(tally, Tally { wins: 4, losses: 1, draws: 1, pairs: [0, 0, 0, 1, 1] });
        assert_eq!(Tally::of(&games, "B", Some("A"), true), tally.reversed());
        assert_eq!((tally.points(), tally.games(), tally.pairs_ratio()), (4.5, 6, Some(f64::INFINITY)));
        let names: Vec<String> = standings(&games).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "C", "B"]);
        assert_eq!(Tally::of(&games, "A", None, true).pairs, [0, 0, 1, 1, 1]);
    }

    #[test]
    fn games_against_different_opponents_are_no_pair() {
        use GameResult::{Draw, Red};
        // Three encounters of one game a round.
        let games = [("A", "B"), ("A", "C"), ("A", "D"), ("B", "A"), ("C", "A"), ("D", "A")];
        let games = games
            .iter()
            .zip(1..)
            .map(|(&(red, black), number)| game(number, red, black, if number < 4 { Red } else { Draw }));
        let tally = Tally::of(&games.collect::<Vec<_>>(), "A", None, true);
        assert_eq!((tally.complete_pairs(), tally.outcomes()), (0, Outcomes::Games([0, 3, 3])));
    }

    #[test]
    fn of_an_odd_number_of_games_between_several_every_one_counts() {
        use GameResult::{Black, Draw, Red};
        let encounters = [("A", "B"), ("A", "C"), ("B", "C")];
        let games: Vec<GameRecord> = (1..=9)
            .map(|number| {
                let (one, other) = encounters[(number as usize - 1) / 3];
                let (red, black) = if number % 2 == 1 { (one, other) } else { (other, one) };
                game(number, red, black, [Red, Draw, Black][number as usize % 3])
            })
            .collect();
        assert!(!come_in_pairs(&games) && come_in_pairs(&games[..3]));
        for (name, tally) in standings(&games) {
            let Outcomes::Games(counted) = tally.outcomes() else { panic!("{name} has pairs") };
            assert_eq!(counted.iter().sum::<u64>(), 6, "{name}");
        }
    }

    #[test]
    fn a_match_without_pairs_is_judged_by_its_games() {
        let games = [game(1, "A", "B", GameResult::Red), game(3, "A", "B", GameResult::Draw)];
        assert_eq!(Tally::of(&games, "A", None, true).outcomes(), Outcomes::Games([0, 1, 1]));
    }
}
