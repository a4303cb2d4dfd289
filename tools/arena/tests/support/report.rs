//! A report of made-up games.

use chuhe_arena::report::{EngineSummary, MatchSummary, write};
use chuhe_arena::sprt::{Model, Sprt};
use chuhe_arena::stats::Tally;
use chuhe_games::record::GameRecord;

/// Names of the engines in the made-up games.
pub(crate) const ENGINES: [&str; 2] = ["Chuhe 0.1 楚河", "Fairy-Stockfish"];

pub(crate) fn report(games: &[GameRecord], title: &str) -> String {
    let engine = |name: &str, version: &str, details: &str| EngineSummary {
        name: name.into(),
        version: version.into(),
        details: details.into(),
    };
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
    write(&MatchSummary {
        title,
        games,
        engines: &[
            engine(ENGINES[0], "Chuhe 0.1.0", "UCCI, Hash=16"),
            engine(ENGINES[1], "Fairy-Stockfish 14", "UCI, Threads=1"),
        ],
        sprt: Some((&sprt, Tally::of(games, ENGINES[0], Some(ENGINES[1]), true))),
        repeat: &[("Command".into(), "chuhe-arena -engine cmd=a -engine cmd=b".into())],
        conditions: &[("time control".into(), "10+0.1".into()), ("rules".into(), "asian".into())],
    })
}

pub(crate) fn two_thousand_games() -> Vec<GameRecord> {
    let some = super::made_up_games(ENGINES, 10);
    (0..2000).map(|index| GameRecord { number: index as u32 + 1, ..some[index % some.len()].clone() }).collect()
}
