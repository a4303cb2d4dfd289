//! Generates openings for matches from which either colour can still win.
//!
//! An opening is a few stones near the centre. The engine plays two games against itself from it, in which first black and then
//! white searches one ply deeper, and the results must differ. Output is reproducible: `openings COUNT SEED`.

use std::env::args;
use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Context, Result};
use chuhe::smp::shared::{NodeCounters, StopFlag};
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;
use chuhe_gobang::board::Board;
use chuhe_gobang::cell::{Cell, concatenated};
use chuhe_gobang::rules::{Side, Winning};
use chuhe_gobang::search::{Aim, CurrentMoves, Searcher, Task};

/// Depth of the shallower player, in plies.
const DEPTH: i32 = 4;
/// Greatest distance of a stone from the centre, in cells.
const REACH: u32 = 3;
/// Number of stones.
const STONES: RangeInclusive<usize> = 2..=5;
/// Size of each player's table, in MiB.
const MEBIBYTES: usize = 8;

fn main() -> Result<()> {
    let mut numbers = args().skip(1).map_while(|text| text.parse::<u64>().ok());
    let (count, seed) = numbers.next().zip(numbers.next()).context("openings COUNT SEED")?;
    let mut random = SplitMix64::new(seed);
    let mut found = 0;
    while found < count {
        let opening = random_opening(&mut random);
        if game(&opening, Side::Black)? != game(&opening, Side::White)? {
            println!("{}", concatenated(opening.moves()));
            found += 1;
        }
    }
    Ok(())
}

fn random_opening(random: &mut SplitMix64) -> Board {
    let (fewest, most) = STONES.into_inner();
    let stones = fewest + random.below(most - fewest + 1);
    let square: Vec<Cell> = Cell::all().filter(|cell| cell.distance(Cell::CENTRE) <= REACH).collect();
    let mut board = Board::new(Winning::Free);
    while board.moves().len() < stones {
        let cell = square[random.below(square.len())];
        if board.stone(cell).is_none() {
            board.put(cell);
        }
    }
    board
}

/// Plays a game in which this side searches one ply deeper; returns the winner.
fn game(opening: &Board, deeper: Side) -> Result<Option<Side>> {
    let mut board = opening.clone();
    let mut players = [Searcher::new(0), Searcher::new(0)];
    let tables = [Arc::new(Table::new(MEBIBYTES)?), Arc::new(Table::new(MEBIBYTES)?)];
    while board.winner().is_none() && !board.is_full() {
        let side = board.side();
        let task = Task {
            id: 0,
            root_moves: Cell::all().filter(|&cell| board.stone(cell).is_none()).collect(),
            board: board.clone(),
            looks_at_all: false,
            aim: Aim::Best,
            in_game: true,
            table: Arc::clone(&tables[side.index()]),
            stop: StopFlag::default(),
            counters: NodeCounters::new(1),
            current_moves: CurrentMoves::default(),
            depth: DEPTH + i32::from(side == deeper),
        };
        task.table.advance_age();
        let found = players[side.index()].search(&task, &mut |_| ()).context("a worker 0 that knows no move")?;
        board.put(found.line[0]);
    }
    Ok(board.winner())
}
