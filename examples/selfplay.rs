//! Plays a game of the engine against itself: `cargo run --release --example selfplay -- [NODES]`.

use std::env;
use std::error::Error;
use std::sync::Arc;

use chuhe::board::{Position, Side};
use chuhe::eval::nnue::Network;
use chuhe::rules::{RuleSet, judge};
use chuhe::search::{Limits, Plan, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = env::args().nth(1).map_or(Ok(2_000), |nodes| nodes.parse())?;
    let rules = RuleSet::Asian.rules();
    let table = Arc::new(Table::new(16)?);
    let mut searcher = Searcher::new(0);
    let mut game = vec![Position::start()];
    loop {
        let position = game[game.len() - 1];
        if let Some(verdict) = judge(&game, &rules) {
            println!("\n{}; loser: {:?}", verdict.ending.name(), verdict.loser);
            return Ok(());
        }
        let context = SearchContext {
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            plan: Plan { network: Network::embedded().cloned(), ..Plan::default() },
            rules,
            ..SearchContext::new(Arc::clone(&table), game.clone())
        };
        let best = searcher.think(&context, &mut Silent).pv[0];
        match position.side() {
            Side::Red => print!("{}. {best}", game.len() / 2 + 1),
            Side::Black => println!(" {best}"),
        }
        game.push(position.play(best));
    }
}
