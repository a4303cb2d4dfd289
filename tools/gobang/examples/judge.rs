//! Judges stones by the rules of renju: `five`, `banned` or `-`.
//!
//! Each line of input has two words, the stones on the board in order and the cell of the next one, and gets one word of
//! output. `ci/gobang.sh judge` compares these with an independent judge.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result};
use chuhe_gobang::board::Board;
use chuhe_gobang::cell::{Cell, read};
use chuhe_gobang::pattern::Pattern;
use chuhe_gobang::rules::Winning;

fn main() -> Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (stones, cell) = line.split_once(' ').context("a line has two words")?;
        let mut board = Board::new(Winning::Forbidden);
        read(stones).context("these are not cells")?.into_iter().for_each(|stone| board.put(stone));
        let cell: Cell = cell.parse().ok().context("this is not a cell")?;
        let side = board.side();
        let verdict = if board.codes(side, cell).contains(&Pattern::Five) {
            "five"
        } else if board.is_banned(side, cell) {
            "banned"
        } else {
            "-"
        };
        writeln!(output, "{verdict}")?;
    }
    Ok(())
}
