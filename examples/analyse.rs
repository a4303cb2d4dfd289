//! Analyses a position: `cargo run --release --example analyse -- [FEN [DEPTH]]`.

use std::env;
use std::error::Error;
use std::sync::Arc;

use chuhe::board::{Position, START_FEN};
use chuhe::eval::nnue::Network;
use chuhe::search::{Iteration, Limits, Observer, Plan, SearchContext, Searcher};
use chuhe::smp::table::Table;

/// Prints every iteration.
struct Print;

impl Observer for Print {
    fn iteration(&mut self, iteration: Iteration) {
        let Iteration { depth, score, bound, nodes, pv, .. } = iteration;
        let line: Vec<String> = pv.iter().map(ToString::to_string).collect();
        println!("depth {depth:2}  score {score:?} ({bound:?})  nodes {nodes:8}  {}", line.join(" "));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let position = Position::from_fen(&arguments.next().unwrap_or(START_FEN.to_owned()))?;
    let depth = arguments.next().map_or(Ok(12), |depth| depth.parse())?;
    let table = Arc::new(Table::new(64)?);
    let context = SearchContext {
        limits: Limits { depth: Some(depth), ..Limits::default() },
        plan: Plan { network: Network::embedded().cloned(), ..Plan::default() },
        ..SearchContext::new(table, vec![position])
    };
    let outcome = Searcher::new(0).think(&context, &mut Print);
    println!("best move {}", outcome.pv[0]);
    Ok(())
}
