//! Counts the leaves below each legal move and judges a loop: `cargo run --release --example perft -- [DEPTH]`.

use std::env;
use std::error::Error;

use chuhe::board::{Position, perft};
use chuhe::rules::{RuleSet, judge};

fn main() -> Result<(), Box<dyn Error>> {
    let depth: u32 = env::args().nth(1).map_or(Ok(4), |depth| depth.parse())?;
    let start = Position::start();
    let mut sum = 0;
    for mv in start.legal_moves() {
        let leaves = perft(&start.play(mv), depth.saturating_sub(1));
        println!("{mv}: {leaves}");
        sum += leaves;
    }
    println!("{sum} leaves at depth {depth}");

    // Red's rook checks forever: the referee's verdict on the whole game, oldest position first.
    let mut game = vec![Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w")?];
    for mv in ["e1d1", "d9e9", "d1e1", "e9d9"].into_iter().cycle().take(12) {
        game.push(game[game.len() - 1].play(mv.parse()?));
    }
    match judge(&game, &RuleSet::Asian.rules()) {
        Some(verdict) => println!("{}: loser {:?}", verdict.ending.name(), verdict.loser),
        None => println!("the game goes on"),
    }
    Ok(())
}
