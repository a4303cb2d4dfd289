//! Generates reproducible data for measurements:
//!
//! * `synthetic tuples COUNT FILE`: tuples as of many games, `.tuples` or `.parquet`. Positions are distributed as in
//!   openings: a few make up half of the tuples, the rest spread over more and more, and most have only some moves.
//! * `synthetic games COUNT FILE`: games of random legal moves, as PGN.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result, bail};
use book_tools::columns::Writer;
use book_tools::tuple::{Points, Tuple};
use chuhe::board::Position;
use chuhe::splitmix::{SplitMix64, mix};

/// Plies of each generated game.
const PLIES: u64 = 40;
/// Number of tuples written at once.
const BLOCK: u64 = 1 << 16;

/// Draws a tuple. Position numbers up to 2^40 follow Zipf's law with exponent 1: their logarithm is uniform.
fn tuple(chance: &mut SplitMix64) -> Tuple {
    let bits = chance.below(40);
    let position = (1 << bits) | chance.below(1 << bits) as u64;
    // Equal positions have equal moves; of four moves the first is played most.
    let choice = chance.below(8).min(chance.below(8)).min(3);
    let moves = mix(position ^ mix(choice as u64));
    let from = moves % 90;
    let to = (from + 1 + (moves >> 32) % 89) % 90;
    let points = Points::ALL[[3, 3, 1, 1, 2, 2, 2, 0][chance.below(8)]];
    let rating = if chance.below(3) == 0 { 0 } else { 1500 + chance.below(1300) as u16 };
    Tuple::new(mix(position), (from * 128 + to) as u16, (bits as u64 * PLIES / 40) as u16, rating, points)
}

fn write_tuples(count: u64, path: &str) -> Result<()> {
    let mut chance = SplitMix64::new(1);
    let mut file = BufWriter::new(File::create(path).with_context(|| format!("{path}: cannot be written"))?);
    let blocks = (0..count).step_by(BLOCK as usize).map(|start| BLOCK.min(count - start));
    let mut blocks = blocks.map(|length| (0..length).map(|_| tuple(&mut chance)).collect::<Vec<_>>());
    if path.ends_with(".parquet") {
        let mut writer = Writer::new(file)?;
        blocks.try_for_each(|block| writer.push(&block))?;
        file = writer.finish()?;
    } else {
        blocks.try_for_each(|block| file.write_all(bytemuck::cast_slice(&block)))?;
    }
    Ok(file.flush()?)
}

fn game(chance: &mut SplitMix64) -> String {
    let result = ["1-0", "0-1", "1/2-1/2", "*"][chance.below(4)];
    let rating = 1500 + chance.below(1300);
    let mut text = format!("[Result \"{result}\"]\n[RedElo \"{rating}\"]\n\n");
    let mut position = Position::start();
    for ply in 0..PLIES {
        let moves = position.legal_moves();
        // Many games share their first moves.
        let choices = moves.len().min(2 + ply as usize);
        if choices == 0 {
            break;
        }
        let mv = moves[chance.below(choices)];
        let _ = write!(text, "{mv} ");
        position = position.play(mv);
    }
    text + result + "\n\n"
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [what, count, path] = arguments.as_slice() else { bail!("synthetic tuples|games COUNT FILE") };
    let count: u64 = count.parse().with_context(|| format!("{count:?} is not a number"))?;
    match what.as_str() {
        "tuples" => write_tuples(count, path),
        "games" => {
            let mut chance = SplitMix64::new(1);
            let games: String = (0..count).map(|_| game(&mut chance)).collect();
            std::fs::write(path, games).with_context(|| format!("{path}: cannot be written"))
        }
        other => bail!("{other:?} is neither tuples nor games"),
    }
}
