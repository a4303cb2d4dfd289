//! Reads a move, judges it, and asks the opening book and the endgame tablebases: all without the engine.
//!
//! `cargo run --release --example probe -- [FEN]`

use std::env;
use std::error::Error;

use chuhe::board::Position;
use chuhe::book::{Book, EMBEDDED};
use chuhe::endgame::Tables;
use chuhe::notation::{Notation, read_any, write};
use chuhe::rules::{RuleSet, judge};

fn main() -> Result<(), Box<dyn Error>> {
    let start = Position::start();
    let mv = read_any(&start, "炮二平五")?;
    println!("{mv} {}", write(&start, mv, Notation::Wxf));

    let (book, errors) = Book::open(EMBEDDED.as_ref());
    assert!(errors.is_empty());
    for candidate in book.candidates(&start) {
        println!("{} weight {}", write(&start, candidate.mv, Notation::Chinese), candidate.weight);
    }

    let fen = env::args().nth(1).unwrap_or_else(|| "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w".to_owned());
    let tables = Tables::embedded();
    let mut game = vec![Position::from_fen(&fen)?];
    while let Some(&mv) = tables.best_moves(&game[game.len() - 1]).first() {
        let position = &game[game.len() - 1];
        println!("{mv} {:?}, {:?} plies", tables.outcome(position), tables.plies_to_conversion(position));
        game.push(position.play(mv));
        if let Some(verdict) = judge(&game, &RuleSet::Asian.rules()) {
            println!("{}: loser {:?}", verdict.ending.name(), verdict.loser);
            break;
        }
    }
    Ok(())
}
