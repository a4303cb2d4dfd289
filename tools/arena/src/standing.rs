//! Standing of a match: counts of the finished games, the state of the SPRT, and the lines to print.

use std::collections::BTreeMap;
use std::time::Duration;

use chuhe_engines::player::EngineSpec;
use chuhe_games::record::{GameRecord, GameResult};

use crate::averages::Averages;
use crate::fastchess;
use crate::live::Live;
use crate::output;
use crate::ranking::{outcomes, ranking};
use crate::settings::{OutputFormat, Settings};
use crate::sprt::{Decision, Sprt};
use crate::stats::Tally;

/// Standing of a match.
pub(crate) struct Standing<'a> {
    settings: &'a Settings,
    /// SPRT, if there is one; `None` in a part of a match, which decides nothing about the whole.
    sprt: Option<&'a Sprt>,
    /// Tallies by the names of first and second engine.
    tallies: BTreeMap<[String; 2], Tally>,
    /// Half points of the first engine in the finished game of each incomplete pair.
    halves: BTreeMap<u32, u64>,
    /// Pairs that the SPRT counts: without a gap from the first one on.
    prefix: Prefix,
}

/// Pairs of a match up to the first incomplete one, over which the SPRT is evaluated.
///
/// The decision does not depend on the order in which games finish, and short games do not count before long ones.
#[derive(Default)]
struct Prefix {
    tally: Tally,
    next: u32,
    waiting: BTreeMap<u32, u64>,
}

impl Prefix {
    fn add(&mut self, pair: u32, half_points: u64) {
        self.waiting.insert(pair, half_points);
    }

    /// Counts the next pair if it is complete.
    fn advance(&mut self) -> bool {
        let Some(half_points) = self.waiting.remove(&(self.next + 1)) else { return false };
        self.next += 1;
        self.tally.add_pair(half_points);
        true
    }
}

impl<'a> Standing<'a> {
    /// Returns the standing before the first game.
    pub(crate) fn new(settings: &'a Settings) -> Self {
        let sprt = settings.sprt.as_ref().filter(|_| settings.shard.is_none());
        Self { settings, sprt, tallies: BTreeMap::new(), halves: BTreeMap::new(), prefix: Prefix::default() }
    }

    /// Returns the standing after these games.
    pub(crate) fn of(settings: &'a Settings, games: &[GameRecord]) -> Self {
        let mut standing = Self::new(settings);
        games.iter().for_each(|game| standing.count(game));
        standing
    }

    /// Returns the SPRT and the games that it has counted.
    pub(crate) fn tested(&self) -> Option<(&'a Sprt, Tally)> {
        self.sprt.map(|sprt| (sprt, self.prefix.tally))
    }

    /// Returns the score line of the two engines of a game that has been counted.
    pub(crate) fn score_of(&self, game: &GameRecord) -> String {
        let [first, second] = self.encounter(game);
        output::score(&first, &second, &self.tallies[&[first.clone(), second.clone()]])
    }

    /// Returns rating and SPRT of two engines, or the ranking of several.
    pub(crate) fn lines(&self, games: &[GameRecord]) -> Vec<String> {
        let [first, second] = self.settings.engines.as_slice() else { return ranking(self.settings, games) };
        let tally = self.tallies.get(&[first.name.clone(), second.name.clone()]).copied().unwrap_or_default();
        if self.settings.output_format == OutputFormat::Fastchess {
            let heading = fastchess::heading([first, second], self.settings.openings.as_ref());
            let test = self.sprt.map(|sprt| sprt.summary(&self.prefix.tally.outcomes()));
            return fastchess::block(&heading, &tally, fastchess::even_pairs(games), test.as_deref());
        }
        let test = self.sprt.map(|sprt| output::sprt(sprt, &self.prefix.tally));
        output::rating(&tally).into_iter().chain(test).collect()
    }

    /// Returns the progress line of a terminal; `new` games were played in `elapsed`.
    pub(crate) fn live(&self, [played, planned]: [u32; 2], new: u32, elapsed: Duration) -> String {
        let both = |engines: &[EngineSpec]| match engines {
            [first, second] => self.tallies.get(&[first.name.clone(), second.name.clone()]).copied(),
            _ => None,
        };
        let outcomes = self.prefix.tally.outcomes();
        let test = self.sprt.map(|sprt| (sprt.log_likelihood_ratio(&outcomes), sprt.bounds()));
        let tally = both(&self.settings.engines);
        Live { played, planned, new, elapsed, tally, test }.line()
    }

    /// Returns the summary of a match, at its end or before.
    pub(crate) fn summary(&self, games: &[GameRecord]) -> Vec<String> {
        let score = match self.settings.engines.as_slice() {
            [first, second] if self.settings.output_format == OutputFormat::Cutechess => {
                let tally = Tally::of(games, &first.name, Some(&second.name), true);
                Some(output::score(&first.name, &second.name, &tally))
            }
            _ => None,
        };
        let (standing, failures) = (self.lines(games), output::failures(games));
        let averages = self.settings.engines.iter().flat_map(|engine| {
            let averages = Averages::of(games, &engine.name);
            let latency = self.settings.show_latency.then(|| averages.latency_line(&engine.name));
            averages.line(&engine.name).into_iter().chain(latency)
        });
        let outcomes = if self.settings.outcome_interval > 0 { outcomes(games) } else { vec![] };
        let rest = output::repetitions(games).into_iter().chain(outcomes).chain(averages).chain(output::latency(games));
        score.into_iter().chain(standing).chain(failures).chain(rest).collect()
    }

    /// Returns the names of a game's engines in the order of the command line.
    fn encounter(&self, game: &GameRecord) -> [String; 2] {
        let place = |name: &str| self.settings.engines.iter().position(|engine| engine.name == name);
        let (red, black) = (game.red.clone(), game.black.clone());
        if place(&red) <= place(&black) { [red, black] } else { [black, red] }
    }

    /// Counts a finished game.
    pub(crate) fn count(&mut self, game: &GameRecord) {
        let encounter = self.encounter(game);
        let half_points = match game.result {
            GameResult::Draw | GameResult::Unfinished => 1,
            GameResult::Red => 2 * u64::from(game.red == encounter[0]),
            GameResult::Black => 2 * u64::from(game.black == encounter[0]),
        };
        let tally = self.tallies.entry(encounter).or_default();
        tally.add_game(half_points);
        // With an odd number of games an encounter's games are not pairs, unless only two engines play.
        let paired = self.settings.games.is_multiple_of(2) || self.settings.engines.len() == 2;
        if !paired || !self.settings.swap {
            return;
        }
        let pair = game.number.div_ceil(2);
        match self.halves.remove(&pair) {
            None => drop(self.halves.insert(pair, half_points)),
            Some(first) => {
                tally.add_pair(first + half_points);
                self.prefix.add(pair, first + half_points);
                self.advance();
            }
        }
    }

    /// Counts pairs for the SPRT, one after the other and none after its decision.
    fn advance(&mut self) {
        let Some(sprt) = self.sprt else { return };
        while sprt.decision(&self.prefix.tally.outcomes()) == Decision::Open && self.prefix.advance() {}
    }

    /// Returns the decision of the SPRT, if it has come to one.
    pub(crate) fn decision(&self) -> Option<Decision> {
        let decision = self.sprt?.decision(&self.prefix.tally.outcomes());
        (decision != Decision::Open).then_some(decision)
    }
}
