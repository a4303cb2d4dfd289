//! Prints one position of every STEPth game of a folder, with its score: raw material for suites of positions.
//!
//! `cargo run --release -p chuhe-selfplay --example endings -- FOLDER STEP few MEN` prints the first position with at most
//! MEN men; `... FOLDER STEP won CENTIPAWNS` the first one whose mover is so far ahead. Positions in check are passed over.

use std::env;
use std::path::Path;

use anyhow::{Context, bail};
use chuhe_selfplay::chunk::Chunk;
use chuhe_selfplay::folder;
use chuhe_selfplay::game::Turn;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, step, kind, limit] = &arguments[..] else { bail!("FOLDER STEP few|won LIMIT") };
    let (step, limit) = (step.parse::<usize>().context("STEP")?, limit.parse::<u32>().context("LIMIT")?);
    let is_few = match kind.as_str() {
        "few" => true,
        "won" => false,
        other => bail!("{other} is neither few nor won"),
    };
    let is_wanted = |turn: &Turn| {
        let is_near = if is_few {
            turn.position.occupied().count() <= limit
        } else {
            turn.score > 0 && u32::from(turn.score.unsigned_abs()) >= limit
        };
        is_near && !turn.position.in_check()
    };
    for path in folder::chunks(Path::new(folder))? {
        for game in Chunk::read(&path)?.games.iter().step_by(step.max(1)) {
            if let Some(turn) = game.turns().find(|turn| is_wanted(turn)) {
                let fen = turn.position.to_fen();
                let board: Vec<&str> = fen.split(' ').take(2).collect();
                println!("{} - - 0 1\t{}", board.join(" "), turn.score);
            }
        }
    }
    Ok(())
}
