//! Data of the report for its script, compact enough for thousands of games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chuhe::board::{Move, Position};
use chuhe_games::page::MoveNames;
use chuhe_games::record::{EndingClass, Eval, GameRecord, GameResult};
use serde::Serialize;

use super::labels;
use super::mistakes::{Mistake, mistakes};
use super::series::{EloPoint, TimePoint, elo_by_games, time_by_move};
use super::summary::MatchSummary;
use super::variation::{Variation, variation};
use crate::averages::Averages;
use crate::sprt::{Decision, Sprt};
use crate::stats::{Tally, come_in_pairs};

#[derive(Serialize)]
pub(super) struct Data<'a> {
    title: &'a str,
    conditions: &'a [(String, String)],
    repeat: &'a [(String, String)],
    /// Times in milliseconds since 1970: the start of the first game and the end of the last; `None` without a game.
    played: Option<(u64, u64)>,
    engines: Vec<Engine<'a>>,
    /// Pairings, with the engine of the lower index first.
    pairings: Vec<Pairing>,
    sprt: Option<SprtState>,
    endings: Vec<EndingCount>,
    /// Start positions of the games with the names of their openings.
    starts: Vec<(&'a str, Option<&'a str>)>,
    games: Vec<Game<'a>>,
    names: MoveNames,
}

#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    version: &'a str,
    details: &'a str,
    speed: Averages,
    total: Total,
    time: Vec<TimePoint>,
}

/// A tally with the figures derived from it, as text.
#[derive(Serialize)]
struct Total {
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    pairs: [u64; 5],
    score: Option<String>,
    elo: Option<String>,
    normalised_elo: Option<String>,
    superiority: Option<String>,
    draw_ratio: Option<String>,
    pairs_ratio: Option<String>,
}

#[derive(Serialize)]
struct Pairing {
    /// Indices of the engines.
    engines: (usize, usize),
    total: Total,
    /// Score of Red over all games of the pairing.
    red_score: Option<String>,
    elo_by_games: Vec<EloPoint>,
}

#[derive(Serialize)]
struct SprtState {
    test: String,
    ratio: f64,
    lower: f64,
    upper: f64,
    decision: &'static str,
}

#[derive(Serialize)]
struct EndingCount {
    class: usize,
    label: &'static str,
    is_failure: bool,
    /// Games that ended like this, unfinished ones included.
    games: u64,
    red: u64,
    draws: u64,
    black: u64,
}

#[derive(Serialize)]
struct Game<'a> {
    number: u32,
    round: u32,
    red: usize,
    black: usize,
    /// Result: 0 black, 1 draw, 2 red, 3 unfinished.
    result: u8,
    /// Index into the endings.
    ending: usize,
    text: Cow<'a, str>,
    start: usize,
    clock: String,
    /// Moves of four characters each.
    moves: String,
    /// Scores from the mover's point of view in centipawns; a mate in n is 100000 - n.
    evals: Vec<Option<i32>>,
    depths: Vec<u32>,
    /// Times in milliseconds.
    times: Vec<u64>,
    /// Places of the moves in the list of names, up to the first illegal one.
    names: Vec<usize>,
    mistakes: Vec<Mistake>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variation>,
}

/// Largest number of moves of a match whose report has the variations of the engines: they are most of its size.
const MOST_MOVES_WITH_VARIATIONS: usize = 100_000;

impl<'a> Data<'a> {
    pub(super) fn new(summary: &MatchSummary<'a>) -> Self {
        let mut games: Vec<&GameRecord> = summary.games.iter().collect();
        games.sort_by_key(|game| game.number);
        let names = engine_names(summary);
        let endings = count_endings(&games);
        let (mut starts, mut move_names) = (Vec::new(), MoveNames::default());
        let in_pairs = come_in_pairs(summary.games);
        let has_variations = games.iter().map(|game| game.moves.len()).sum::<usize>() <= MOST_MOVES_WITH_VARIATIONS;
        Self {
            title: summary.title,
            conditions: summary.conditions,
            repeat: summary.repeat,
            engines: names.iter().map(|name| engine(name, summary, &games, in_pairs)).collect(),
            pairings: pairings(&names, &games, in_pairs, summary.sprt.map(|(sprt, _)| sprt)),
            sprt: summary.sprt.map(|(sprt, tally)| sprt_state(sprt, &tally)),
            played: played(&games),
            games: games
                .iter()
                .map(|record| {
                    let game = game(record, &names, &endings, &mut starts, &mut move_names);
                    if has_variations { game } else { Game { variations: vec![], ..game } }
                })
                .collect(),
            endings,
            starts,
            names: move_names,
        }
    }
}

/// Returns the start of the first game and the end of the last.
fn played(games: &[&GameRecord]) -> Option<(u64, u64)> {
    let first = games.iter().map(|game| game.started_at_ms).min()?;
    let last = games.iter().map(|game| game.started_at_ms + game.duration_ms).max()?;
    Some((first, last))
}

fn engine_names<'a>(summary: &MatchSummary<'a>) -> Vec<&'a str> {
    let mut names: Vec<&str> = vec![];
    let given = summary.engines.iter().map(|engine| engine.name.as_str());
    let played = summary.games.iter().flat_map(|game| [game.red.as_str(), game.black.as_str()]);
    for name in given.chain(played) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn engine<'a>(name: &'a str, summary: &MatchSummary<'a>, games: &[&GameRecord], in_pairs: bool) -> Engine<'a> {
    let given = summary.engines.iter().find(|engine| engine.name == name);
    Engine {
        name,
        version: given.map_or("", |engine| engine.version.as_str()),
        details: given.map_or("", |engine| engine.details.as_str()),
        speed: Averages::of(games.iter().copied(), name),
        total: Total::new(&Tally::of(games.iter().copied(), name, None, in_pairs)),
        time: time_by_move(games, name),
    }
}

fn pairings(names: &[&str], games: &[&GameRecord], in_pairs: bool, sprt: Option<&Sprt>) -> Vec<Pairing> {
    let mut pairings = vec![];
    for (first, engine) in names.iter().enumerate() {
        for (second, opponent) in names.iter().enumerate().skip(first + 1) {
            let are_theirs = |game: &&&GameRecord| {
                (game.red == *engine && game.black == *opponent) || (game.red == *opponent && game.black == *engine)
            };
            let theirs: Vec<&GameRecord> = games.iter().filter(are_theirs).copied().collect();
            if theirs.is_empty() {
                continue;
            }
            let sprt = sprt.filter(|_| (first, second) == (0, 1));
            pairings.push(Pairing {
                engines: (first, second),
                total: Total::new(&Tally::of(theirs.iter().copied(), engine, Some(opponent), in_pairs)),
                red_score: red_score(&theirs).map(labels::percent),
                elo_by_games: elo_by_games(&theirs, in_pairs, [*engine, *opponent], sprt),
            });
        }
    }
    pairings
}

/// Returns the points of Red per game; `None` without a game.
fn red_score(games: &[&GameRecord]) -> Option<f64> {
    let points = games.iter().filter_map(|game| match game.result {
        GameResult::Red => Some(1.0),
        GameResult::Draw => Some(0.5),
        GameResult::Black => Some(0.0),
        GameResult::Unfinished => None,
    });
    let (sum, count) = points.fold((0.0, 0), |(sum, count), points: f64| (sum + points, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Total {
    fn new(tally: &Tally) -> Self {
        let estimate = tally.estimate();
        Self {
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            pairs: tally.pairs,
            score: tally.score().map(labels::percent),
            elo: estimate.map(|estimate| labels::interval(estimate.elo)),
            normalised_elo: estimate.map(|estimate| labels::interval(estimate.normalised_elo)),
            superiority: estimate.map(|estimate| labels::percent(estimate.superiority)),
            draw_ratio: tally.draw_ratio().map(labels::percent),
            pairs_ratio: tally.pairs_ratio().map(labels::ratio),
        }
    }
}

fn sprt_state(sprt: &Sprt, tally: &Tally) -> SprtState {
    let ratio = sprt.log_likelihood_ratio(&tally.outcomes());
    let (lower, upper) = sprt.bounds();
    let decision = match sprt.decide(ratio) {
        Decision::Open => "open",
        Decision::AcceptH0 => "H0 accepted",
        Decision::AcceptH1 => "H1 accepted",
    };
    SprtState { test: sprt.to_string(), ratio, lower, upper, decision }
}

fn count_endings(games: &[&GameRecord]) -> Vec<EndingCount> {
    let mut counts: BTreeMap<EndingClass, [u64; 4]> = BTreeMap::new();
    for game in games {
        let counts = counts.entry(game.ending.class).or_default();
        match game.result {
            GameResult::Red => counts[0] += 1,
            GameResult::Draw => counts[1] += 1,
            GameResult::Black => counts[2] += 1,
            GameResult::Unfinished => counts[3] += 1,
        }
    }
    let count = |(class, [red, draws, black, unfinished]): (EndingClass, [u64; 4])| EndingCount {
        class: class as usize,
        label: labels::ending(class),
        is_failure: class.is_failure(),
        games: red + draws + black + unfinished,
        red,
        draws,
        black,
    };
    let mut counts: Vec<EndingCount> = counts.into_iter().map(count).collect();
    counts.sort_by_key(|ending| std::cmp::Reverse(ending.games));
    counts
}

fn game<'a>(
    record: &'a GameRecord,
    names: &[&str],
    endings: &[EndingCount],
    starts: &mut Vec<(&'a str, Option<&'a str>)>,
    move_names: &mut MoveNames,
) -> Game<'a> {
    let index_of = |name: &str| names.iter().position(|other| *other == name).expect("the names come from the games");
    let start = (record.start_fen.as_str(), record.opening.as_deref());
    let known = starts.iter().position(|other| *other == start);
    let (name_places, variations) = named(record, move_names);
    Game {
        number: record.number,
        round: record.round,
        red: index_of(&record.red),
        black: index_of(&record.black),
        result: match record.result {
            GameResult::Black => 0,
            GameResult::Draw => 1,
            GameResult::Red => 2,
            GameResult::Unfinished => 3,
        },
        ending: endings
            .iter()
            .position(|ending| ending.class == record.ending.class as usize)
            .expect("every ending has been counted"),
        text: ending_text(record),
        start: known.unwrap_or_else(|| {
            starts.push(start);
            starts.len() - 1
        }),
        clock: labels::time_control(&record.time_control),
        moves: readable_moves(record),
        evals: record.moves.iter().map(|record| record.eval.map(eval_number)).collect(),
        depths: record.moves.iter().map(|record| record.depth.unwrap_or(0)).collect(),
        times: record.moves.iter().map(|record| record.time_ms).collect(),
        names: name_places,
        mistakes: mistakes(&record.moves),
        variations,
    }
}

/// Returns the names of the moves up to the first illegal one, and the variations that the engines have shown.
fn named(record: &GameRecord, names: &mut MoveNames) -> (Vec<usize>, Vec<Variation>) {
    let (mut places, mut variations) = (vec![], vec![]);
    let Ok(mut position) = Position::from_fen(&record.start_fen) else { return (places, variations) };
    for (index, played) in record.moves.iter().enumerate() {
        let Some(mv) = played.mv.parse().ok().filter(|mv: &Move| position.is_legal(*mv)) else { break };
        places.push(names.place(&position, mv));
        variations.extend(variation(index, played, &position, names));
        position = position.play(mv);
    }
    (places, variations)
}

/// Returns why a game ended, and whether it had to be repeated.
fn ending_text(record: &GameRecord) -> Cow<'_, str> {
    let text = Cow::Borrowed(record.ending.text.as_str());
    if record.killed.is_empty() {
        return text;
    }
    Cow::Owned(format!("{text}; played again, {} having been killed", record.killed.join(" and ")))
}

/// Returns the moves up to the first invalid one, so that the script can split them every four characters.
fn readable_moves(record: &GameRecord) -> String {
    record.moves.iter().map_while(|record| record.mv.parse::<Move>().ok()).map(|mv| mv.to_string()).collect()
}

fn eval_number(eval: Eval) -> i32 {
    const MATE: i32 = 100_000;
    const MOST: i32 = 90_000;
    match eval {
        Eval::Centipawns(centipawns) => centipawns.clamp(-MOST, MOST),
        Eval::Mate(moves) if moves > 0 => MATE - moves.min(MATE - MOST - 1),
        Eval::Mate(moves) => -MATE - moves.max(MOST + 1 - MATE),
    }
}
