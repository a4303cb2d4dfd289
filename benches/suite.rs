//! Mate suite: number of forced wins that the engine announces, by search mode and by kind of position.
//!
//! `cargo bench --bench suite -- [NODES [MILLISECONDS]] [FILE] [WORD...]`
//!
//! * `NODES`: node limit for each position, 1,300,000 by default, which takes about a second on a quiet core.
//! * `MILLISECONDS`: time limit for each position instead of the node limit.
//! * `FILE`: another suite (`.tsv`) than the one in the tree.
//! * `WORD`: names of search modes, by default `large`, `none` and `go-mate`; `large-alone` and `none-alone` search without
//!   the separate mate search.
//! * `shown`, `missed`: print every position, or those that are not won.
//! * `half`: only the positions that parameters may be tuned on; the others show whether a tuned value generalises.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use chuhe::board::Position;
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, OnMate, Outcome, Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use chuhe::splitmix::mix;

const NODES: u64 = 1_300_000;
const TABLE_MEBIBYTES: usize = 64;
/// Seed that splits the suite into a half for tuning and a half that is held out.
const SEED_OF_HALVES: u64 = 20_261_122;

/// A position of the suite.
struct Case {
    position: Position,
    /// Moves within which the side to move mates; 0 if the suite does not give them.
    moves: u32,
    /// Largest number of those moves that give no check.
    quiets: u32,
    has_quiet_key: bool,
    may_be_tuned_on: bool,
}

impl Case {
    fn read(index: usize, line: &str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: usize| fields.get(field).and_then(|text| text.parse().ok()).unwrap_or(0);
        Self {
            position: Position::from_fen(fields[0]).expect("a position"),
            moves: number(1),
            quiets: number(2),
            has_quiet_key: fields.get(3) == Some(&"quiet"),
            may_be_tuned_on: mix(SEED_OF_HALVES ^ index as u64).is_multiple_of(2),
        }
    }

    /// Categories that the position counts towards.
    fn kinds(&self) -> [&'static str; 4] {
        [
            "all",
            if self.may_be_tuned_on { "tuned on" } else { "held out" },
            match self.quiets {
                0 => "checks alone",
                _ if self.has_quiet_key => "quiet key",
                _ => "quiet move later",
            },
            match self.moves {
                0..=4 => "up to 4 moves",
                5..=6 => "5 and 6 moves",
                7..=9 => "7 to 9 moves",
                _ => "10 moves and more",
            },
        ]
    }
}

/// A search mode.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    pruning: Pruning,
    mates: MateSearch,
    asks_for_mate: bool,
}

const WAYS: [Way; 5] = [
    Way { name: "large", pruning: Pruning::Large, mates: MateSearch::Probe, asks_for_mate: false },
    Way { name: "none", pruning: Pruning::None, mates: MateSearch::First, asks_for_mate: false },
    Way { name: "go-mate", pruning: Pruning::None, mates: MateSearch::First, asks_for_mate: true },
    Way { name: "large-alone", pruning: Pruning::Large, mates: MateSearch::Never, asks_for_mate: false },
    Way { name: "none-alone", pruning: Pruning::None, mates: MateSearch::Never, asks_for_mate: false },
];
/// Number of modes, from the first on, that are used if none is named.
const USUAL_WAYS: usize = 3;

/// Limit on the search of a position.
#[derive(Clone, Copy)]
enum Effort {
    Nodes(u64),
    Time(Duration),
}

/// Number of wins out of a number of positions.
#[derive(Clone, Copy, Default)]
struct Share {
    won: usize,
    of: usize,
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse::<u64>().ok());
    let (nodes, time) = (numbers.next().unwrap_or(NODES), numbers.next());
    let effort = time.map_or(Effort::Nodes(nodes), |time| Effort::Time(Duration::from_millis(time)));
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates.tsv");
    let path = words.iter().find(|word| word.ends_with(".tsv")).map_or(own, String::as_str);
    let suite = fs::read_to_string(path).expect("a suite that can be read");
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    let cases = lines.enumerate().map(|(index, line)| Case::read(index, line));
    let cases: Vec<Case> = cases.filter(|case| case.may_be_tuned_on || !is_named("half")).collect();
    let some_named = WAYS.iter().any(|way| is_named(way.name));
    let is_wanted = |(index, way): &(usize, Way)| if some_named { is_named(way.name) } else { *index < USUAL_WAYS };
    for (_, way) in WAYS.into_iter().enumerate().filter(is_wanted) {
        let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
        let (mut spent, mut moves) = (0, 0);
        for (case, Outcome { score, nodes, .. }) in cases.iter().zip(outcomes(&cases, way, effort)) {
            let wins = score.is_mate() && score > Score::DRAW;
            for kind in case.kinds() {
                let share = shares.entry(kind).or_default();
                *share = Share { won: share.won + usize::from(wins), of: share.of + 1 };
            }
            moves += score.plies_to_end().filter(|_| wins).map_or(0, |plies| plies.div_ceil(2));
            spent += nodes;
            if is_named("shown") || is_named("missed") && !wins {
                println!("{}\t{wins}\t{nodes}\t{score:?}\t{}\t{:?}", way.name, case.position.to_fen(), case.kinds());
            }
        }
        let Share { won, of } = shares.get("all").copied().unwrap_or_default();
        let mean = moves as f64 / f64::max(won as f64, 1.0);
        println!("{}: {won} of {of} won, {spent} nodes, {mean:.1} moves in the mean", way.name);
        for (kind, Share { won, of }) in shares.iter().filter(|(kind, _)| **kind != "all") {
            println!("    {kind}: {won} of {of}");
        }
    }
}

/// Searches the cases one after the other, each as a new game.
fn outcomes(cases: &[Case], way: Way, effort: Effort) -> impl Iterator<Item = Outcome> {
    let mut table = Arc::new(Table::new(TABLE_MEBIBYTES).expect("there is memory"));
    let mut searcher = Searcher::new(0);
    cases.iter().map(move |case| {
        Arc::get_mut(&mut table).expect("the last search has dropped its share").clear(1);
        searcher.new_game();
        let mate = Some(case.moves).filter(|&moves| way.asks_for_mate && moves > 0);
        let nodes = if let Effort::Nodes(nodes) = effort { Some(nodes) } else { None };
        let limits = Limits { nodes, mate, ..Limits::default() };
        let plan = Plan { pruning: way.pruning, mates: way.mates, on_mate: OnMate::Stop, ..Plan::default() };
        let context = SearchContext { limits, plan, ..SearchContext::new(Arc::clone(&table), vec![case.position]) };
        let stop = context.stop.clone();
        thread::scope(|scope| {
            let (_done, is_done) = mpsc::channel::<()>();
            if let Effort::Time(time) = effort {
                scope.spawn(move || {
                    if is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                        stop.raise();
                    }
                });
            }
            searcher.think(&context, &mut Silent)
        })
    })
}
