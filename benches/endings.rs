//! Depth in positions of few men after a fixed number of nodes, which does not depend on the load of the machine.
//!
//! `cargo bench --bench endings -- [NODES] [FILE] [WORD...]`
//!
//! * `NODES`: nodes for each position, 500,000 by default.
//! * `FILE`: other positions (`.tsv`) than those in the tree.
//! * `alone`: without the mate search.
//! * `shown`: print every position.

use std::env;
use std::fs;
use std::sync::Arc;

use chuhe::board::Position;
use chuhe::endgame::Tables;
use chuhe::score::Score;
use chuhe::search::{Limits, MateSearch, OnMate, Outcome, Plan, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;

const NODES: u64 = 500_000;
const TABLE_MEBIBYTES: usize = 64;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let nodes = words.iter().find_map(|word| word.parse::<u64>().ok()).unwrap_or(NODES);
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/few.tsv");
    let path = words.iter().find(|word| word.ends_with(".tsv")).map_or(own, String::as_str);
    let text = fs::read_to_string(path).expect("positions that can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap_or(line));
    let mates = if is_named("alone") { MateSearch::Never } else { MateSearch::Probe };
    let (mut depths, mut won) = (Vec::new(), 0);
    for fen in lines {
        let Outcome { score, depth, .. } = outcome(fen, nodes, mates);
        let wins = score.is_mate() && score > Score::DRAW;
        won += usize::from(wins);
        // A proven mate ends the search, so there is no depth to speak of.
        if !score.is_mate() {
            depths.push(depth);
        }
        if is_named("shown") {
            println!("{depth}\t{score:?}\t{fen}");
        }
    }
    depths.sort_unstable();
    let part = |tenths: usize| depths.get(depths.len() * tenths / 10).copied().unwrap_or(0);
    let mean = f64::from(depths.iter().sum::<u32>()) / f64::max(depths.len() as f64, 1.0);
    let mean_ply = depths.iter().map(|&depth| (nodes as f64).ln() / f64::from(depth.max(1))).sum::<f64>();
    println!(
        "{nodes} nodes: depth {} (a tenth below {}, a tenth above {}), {mean:.1} in the mean; {won} won; branching {:.3}",
        part(5),
        part(1),
        part(9),
        (mean_ply / f64::max(depths.len() as f64, 1.0)).exp()
    );
}

/// Searches a position as a new game.
fn outcome(fen: &str, nodes: u64, mates: MateSearch) -> Outcome {
    let position = Position::from_fen(fen).expect("a position");
    let table = Arc::new(Table::new(TABLE_MEBIBYTES).expect("there is memory"));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let endgames = Some(Arc::clone(Tables::embedded()));
    let plan = Plan { mates, endgames, on_mate: OnMate::Stop, ..Plan::default() };
    Searcher::new(0).think(&SearchContext { limits, plan, ..SearchContext::new(table, vec![position]) }, &mut Silent)
}
