//! Standing of a match for programs: one JSON object, or comma-separated values.

use std::collections::BTreeMap;

use anyhow::Result;
use chuhe_games::record::{EndingClass, GameRecord};
use serde::Serialize;

use crate::averages::Averages;
use crate::journal::Header;
use crate::output;
use crate::settings::Settings;
use crate::sprt::Decision;
use crate::standing::Standing;
use crate::stats::{Tally, come_in_pairs, standings};

/// Standing of a match.
#[derive(Serialize)]
pub(crate) struct StandingData<'a> {
    version: &'a str,
    seed: u64,
    command: &'a [String],
    games: u32,
    planned: u32,
    /// Engines by descending score.
    engines: Vec<Engine>,
    /// Encounters, seen by the engine that was given first.
    encounters: Vec<Encounter>,
    sprt: Option<SprtData>,
    /// Number of games by the class of their ending.
    endings: BTreeMap<String, u32>,
    /// Lines about failures and other things to know.
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Engine {
    name: String,
    #[serde(flatten)]
    results: Results,
    /// Games lost by failures, by class.
    failures: BTreeMap<String, u32>,
    averages: Averages,
}

/// Results of one engine; numbers that are infinite or unknown are `null`.
#[derive(Serialize)]
struct Results {
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    points: f64,
    /// Points per game.
    score: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    normalised_elo: Option<f64>,
    normalised_elo_error: Option<f64>,
    /// Likelihood of superiority.
    los: Option<f64>,
    /// Number of pairs of games with 0, 1/2, 1, 3/2 and 2 points.
    pentanomial: [u64; 5],
}

#[derive(Serialize)]
struct Encounter {
    first: String,
    second: String,
    #[serde(flatten)]
    results: Results,
}

#[derive(Serialize)]
struct SprtData {
    test: String,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: &'static str,
}

impl Results {
    fn new(tally: &Tally) -> Self {
        let estimate = tally.estimate();
        let value = |number: Option<f64>| number.filter(|number| number.is_finite()).map(|number| number + 0.0);
        Self {
            games: tally.games(),
            wins: tally.wins,
            losses: tally.losses,
            draws: tally.draws,
            points: tally.points(),
            score: tally.score(),
            elo: value(estimate.map(|estimate| estimate.elo.value)),
            elo_error: estimate.and_then(|estimate| estimate.elo.known_error()),
            normalised_elo: value(estimate.map(|estimate| estimate.normalised_elo.value)),
            normalised_elo_error: estimate.and_then(|estimate| estimate.normalised_elo.known_error()),
            los: value(estimate.map(|estimate| estimate.superiority)),
            pentanomial: tally.pairs,
        }
    }
}

impl<'a> StandingData<'a> {
    /// Returns the standing after these games of a match of `planned` games.
    pub(crate) fn new(settings: &'a Settings, header: &'a Header, games: &[GameRecord], planned: u32) -> Self {
        let mut headless = header.command.as_slice();
        if let [word, rest @ ..] = headless
            && word == "chuhe-arena"
        {
            headless = rest;
        }
        let mut endings = BTreeMap::new();
        games.iter().for_each(|game| *endings.entry(class(game.ending.class)).or_default() += 1);
        Self {
            version: &header.version,
            seed: header.seed,
            command: headless,
            games: u32::try_from(games.len()).unwrap_or(u32::MAX),
            planned,
            engines: standings(games).into_iter().map(|(name, tally)| engine(name, &tally, games)).collect(),
            encounters: encounters(settings, games),
            sprt: sprt(settings, games),
            endings,
            notes: output::failures(games).into_iter().chain(output::repetitions(games)).collect(),
        }
    }

    /// Returns one line of JSON.
    pub(crate) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Returns a heading and one line for each engine, by descending score; unknown numbers are empty.
    pub(crate) fn csv(&self) -> String {
        let mut text =
            "rank,name,games,wins,losses,draws,points,score,elo,elo_error,normalised_elo,normalised_elo_error,los,\
                        failures,moves,depth,nodes_per_move,nodes_per_second,time_ms\n"
                .to_owned();
        for (engine, rank) in self.engines.iter().zip(1..) {
            let Engine { name, results, failures, averages } = engine;
            let number = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
            let whole = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
            let cells = [
                rank.to_string(),
                quoted(name),
                results.games.to_string(),
                results.wins.to_string(),
                results.losses.to_string(),
                results.draws.to_string(),
                results.points.to_string(),
                number(results.score),
                number(results.elo),
                number(results.elo_error),
                number(results.normalised_elo),
                number(results.normalised_elo_error),
                number(results.los),
                failures.values().sum::<u32>().to_string(),
                averages.moves.to_string(),
                averages.depth.map_or_else(String::new, |depth| depth.to_string()),
                whole(averages.nodes_per_move),
                whole(averages.nodes_per_second),
                whole(averages.time_ms),
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

fn engine(name: String, tally: &Tally, games: &[GameRecord]) -> Engine {
    let mut failures = BTreeMap::new();
    for game in games.iter().filter(|game| game.ending.class.is_failure() && game.loser() == Some(&name)) {
        *failures.entry(class(game.ending.class)).or_default() += 1;
    }
    let averages = Averages::of(games, &name);
    Engine { name, results: Results::new(tally), failures, averages }
}

fn encounters(settings: &Settings, games: &[GameRecord]) -> Vec<Encounter> {
    let in_pairs = come_in_pairs(games);
    let names: Vec<&String> = settings.engines.iter().map(|engine| &engine.name).collect();
    let mut encounters = vec![];
    for (at, first) in names.iter().enumerate() {
        for second in &names[at + 1..] {
            let tally = Tally::of(games, first, Some(second), in_pairs);
            if tally.games() > 0 {
                let (first, second) = ((*first).clone(), (*second).clone());
                encounters.push(Encounter { first, second, results: Results::new(&tally) });
            }
        }
    }
    encounters
}

fn sprt(settings: &Settings, games: &[GameRecord]) -> Option<SprtData> {
    let (sprt, tally) = Standing::of(settings, games).tested()?;
    let llr = sprt.log_likelihood_ratio(&tally.outcomes());
    let (lower, upper) = sprt.bounds();
    let decision = match sprt.decide(llr) {
        Decision::Open => "open",
        Decision::AcceptH0 => "H0",
        Decision::AcceptH1 => "H1",
    };
    Some(SprtData { test: sprt.to_string(), llr, lower, upper, decision })
}

/// Returns the name of a class of endings as the journal has it.
fn class(class: EndingClass) -> String {
    format!("{class:?}")
}

/// Quotes a value for CSV where that is necessary.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_comma_is_quoted() {
        assert_eq!([quoted("A"), quoted("A, \"B\"")], ["A", "\"A, \"\"B\"\"\""]);
    }
}
