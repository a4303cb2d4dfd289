//! Won positions are converted even if the client sends a bare position before every move, and `ucinewgame` before it,
//! as several programs do: no search has information from the one before, and still each leads closer to the mate.
#![cfg(feature = "engine")]

mod support;

use std::sync::Arc;

use chuhe::board::Position;
use chuhe::rules::{Ending, RuleSet, Rules, judge};
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, Plan, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;
use support::composer::won_by_tables;
use support::engine::nodes;
use support::test_engine::TestEngine;

/// Nodes per move.
const NODES: u64 = 50_000;
/// Most plies of a won game: a longer one counts as not won.
const MOST_PLIES: usize = 300;

/// Result of a game for the side that was to move first.
#[derive(PartialEq, Eq, Debug)]
enum End {
    Mate,
    /// The other side has lost by a forbidden repetition.
    WonByRepetition,
    NotWon(Option<Ending>),
}

impl End {
    fn is_won(&self) -> bool {
        matches!(self, Self::Mate | Self::WonByRepetition)
    }
}

fn rules() -> Rules {
    RuleSet::Asian.rules()
}

/// Returns the FEN of a position without its counters.
fn bare(position: &Position) -> String {
    position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Lets the engine play both sides from `fen`; it receives only the current position before each move.
fn play_out(engine: &TestEngine, fen: &str, nodes_a_move: u64) -> End {
    let mut history = vec![Position::from_fen(fen).unwrap()];
    while history.len() <= MOST_PLIES {
        let last = history[history.len() - 1];
        if let Some(verdict) = judge(&history, &rules()) {
            let is_won = verdict.loser == Some(!history[0].side());
            return match verdict.ending {
                Ending::Checkmate | Ending::Stalemate if is_won => End::Mate,
                Ending::Repetition(_) if is_won => End::WonByRepetition,
                other => End::NotWon(Some(other)),
            };
        }
        engine.set("newgame", "");
        engine.position(&bare(&last), "");
        history.push(last.play(engine.go(nodes(nodes_a_move)).best));
    }
    End::NotWon(None)
}

fn mates() -> Vec<String> {
    let suite = include_str!("data/mates.tsv").lines().filter(|line| !line.starts_with('#'));
    suite.filter_map(|line| line.split('\t').next()).map(str::to_owned).collect()
}

/// Pairs of positions that led to each other endlessly: in each, a mate was proven whose first moves lead to the other.
const CIRCLES: [&str; 5] = [
    "9/c2k5/C5R2/3N5/9/9/9/4p4/3p1p1r1/4K4 w",
    "9/c3k4/CN4R2/9/9/9/9/4p4/3p1p1r1/4K4 w",
    "1RC1kabr1/4aP3/9/9/9/4N4/9/4p4/2nn2r2/4K4 w",
    "1R1akabr1/5P3/9/9/9/4N4/2C6/4p4/2nn2r2/4K4 w",
    "N2k1a3/5P3/3a5/9/9/9/9/C3RA3/4Nr3/2p1K1pnc w",
];

#[test]
#[cfg_attr(miri, ignore = "plays games")]
fn positions_that_led_to_each_other_are_won() {
    let engine = TestEngine::start();
    for fen in CIRCLES {
        let end = play_out(&engine, fen, NODES);
        assert!(end.is_won(), "{end:?} {fen}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "plays games")]
fn whoever_gives_bare_positions_mates_too() {
    let engine = TestEngine::start();
    let step = if cfg!(debug_assertions) { 60 } else { 12 };
    for fen in mates().iter().skip(4).step_by(step) {
        let end = play_out(&engine, fen, NODES);
        assert!(end.is_won(), "{end:?} {fen}");
    }
}

/// Returns positions from self-play games in which the engine announces a mate.
fn from_games(count: usize) -> Vec<String> {
    let (mut random, mut searcher) = (SplitMix64::new(1), Searcher::new(0));
    let mut think = |history: &[Position], nodes| {
        let plan = Plan { mates: MateSearch::Probe, ..Plan::default() };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let table = Arc::new(Table::new(1).unwrap());
        searcher.think(&SearchContext { limits, plan, ..SearchContext::new(table, history.to_vec()) }, &mut Silent)
    };
    let mut found = Vec::new();
    while found.len() < count {
        let mut history = vec![Position::start()];
        for _ in 0..8 {
            let last = history[history.len() - 1];
            history.push(last.play(random.pick(&last.legal_moves())));
        }
        while history.len() < 200 && judge(&history, &rules()).is_none() {
            let outcome = think(&history, 3_000);
            let last = history[history.len() - 1];
            if outcome.score.is_mate() && outcome.score > Score::DRAW && outcome.pv.len() > 8 {
                found.push(bare(&last));
                break;
            }
            history.push(last.play(outcome.pv[0]));
        }
    }
    found
}

#[test]
#[ignore = "half an hour"]
fn five_hundred_won_positions_are_won_by_bare_positions() {
    let engine = TestEngine::start();
    let mut random = SplitMix64::new(7);
    let tables =
        std::iter::repeat_with(|| won_by_tables(&mut random)).flatten().map(|position| bare(&position)).take(80);
    let positions: Vec<String> = mates().into_iter().chain(tables).chain(from_games(61)).collect();
    assert_eq!(positions.len(), 500);
    let mut failed = Vec::new();
    for (number, fen) in positions.iter().enumerate() {
        let end = play_out(&engine, fen, NODES);
        if end != End::Mate {
            eprintln!("{number} {end:?} {fen}");
        }
        if !end.is_won() {
            failed.push(fen);
        }
    }
    assert!(failed.is_empty(), "{} of 500 are not won", failed.len());
}
