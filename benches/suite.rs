//! Of the suite of forced wins, how many the engine announces as won: by pruning and by whether it looks for mates alone.
//!
//! `cargo bench --bench suite -- [NODES [MILLISECONDS]] [NAME...]`: most nodes for each position, 300,000 if nothing is said, or so
//! much time; of the ways to search those named, otherwise all. With `shown` every position is.

use std::env;
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use chuhe::board::Position;
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, Plan, Pruning, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;

const NODES: u64 = 300_000;
const TABLE_MEBIBYTES: usize = 64;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse::<u64>().ok());
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let (nodes, time) = (numbers.next().unwrap_or(NODES), numbers.next().map(Duration::from_millis));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates.tsv");
    let suite = fs::read_to_string(path).expect("the suite is part of the tree");
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    let positions: Vec<Position> =
        lines.map(|line| Position::from_fen(line.split('\t').next().unwrap_or("")).expect("a position")).collect();
    let ways = [
        ("large-alone", Pruning::Large, MateSearch::Never),
        ("large", Pruning::Large, MateSearch::Probe),
        ("none-alone", Pruning::None, MateSearch::Never),
        ("none", Pruning::None, MateSearch::First),
    ];
    let some_named = ways.iter().any(|&(name, ..)| is_named(name));
    for (name, pruning, mates) in ways.into_iter().filter(|&(name, ..)| !some_named || is_named(name)) {
        let mut table = Arc::new(Table::new(TABLE_MEBIBYTES).expect("there is memory"));
        let mut searcher = Searcher::new(0);
        let (mut won, mut spent, mut moves) = (0, 0, 0);
        for position in &positions {
            Arc::get_mut(&mut table).expect("the last search has dropped its share").clear(1);
            searcher.new_game();
            let limits = Limits { nodes: time.is_none().then_some(nodes), ..Limits::default() };
            let plan = Plan { pruning, mates, ..Plan::default() };
            let context = SearchContext { limits, plan, ..SearchContext::new(Arc::clone(&table), vec![*position]) };
            let stop = context.stop.clone();
            let outcome = thread::scope(|scope| {
                if let Some(time) = time {
                    scope.spawn(move || {
                        thread::sleep(time);
                        stop.raise();
                    });
                }
                searcher.think(&context, &mut Silent)
            });
            let wins = outcome.score.is_mate() && outcome.score > Score::DRAW;
            won += usize::from(wins);
            moves += outcome.score.plies_to_end().filter(|_| wins).map_or(0, |plies| plies.div_ceil(2));
            spent += outcome.nodes;
            if is_named("shown") {
                println!("{name}\t{wins}\t{}\t{:?}\t{}", outcome.nodes, outcome.score, position.to_fen());
            }
        }
        let mean = moves as f64 / f64::max(won as f64, 1.0);
        println!("{name}: {won} of {} won, {spent} nodes, {mean:.1} moves in the mean", positions.len());
    }
}
