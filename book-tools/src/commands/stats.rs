//! `stats`: the size and coverage of a book.

use std::path::PathBuf;

use anyhow::Result;
use chuhe::board::Position;
use chuhe::book::Source;
use clap::Args;
use serde::Serialize;

use crate::entry::moves_by_key;
use crate::file;
use crate::walk::walk;

/// Count the moves and positions of a book
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools stats my.book
  book-tools stats BOOK.DAT --json")]
pub(super) struct Stats {
    /// A book of any format
    book: PathBuf,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figures {
    records: usize,
    positions: usize,
    /// Number of positions with one move, two moves, and so on.
    moves_per_position: Vec<usize>,
    scored: usize,
    forbidden: usize,
    /// Number of reachable positions, by plies from the start.
    reachable_by_ply: Vec<usize>,
}

impl Stats {
    pub(super) fn run(self) -> Result<()> {
        let book = file::open(&self.book)?;
        let figures = figures(&book);
        if self.json {
            say!("{}", serde_json::to_string(&figures)?)?;
            return Ok(());
        }
        say!("{} moves, {} of them scored, {} forbidden", figures.records, figures.scored, figures.forbidden)?;
        say!("{} positions", figures.positions)?;
        for (index, count) in figures.moves_per_position.iter().enumerate().filter(|(_, count)| **count > 0) {
            say!("  {count} with {} moves", index + 1)?;
        }
        let reachable = figures.reachable_by_ply.iter().sum::<usize>();
        say!("{reachable} of {} positions can be reached from the start", figures.positions)?;
        for (ply, count) in figures.reachable_by_ply.iter().enumerate() {
            say!("  {count} after {ply} plies")?;
        }
        Ok(())
    }
}

fn figures(book: &Source) -> Figures {
    let sizes: Vec<usize> = moves_by_key(book).map(|(_, moves)| moves).collect();
    let mut moves_per_position = vec![0; sizes.iter().copied().max().unwrap_or_default()];
    sizes.iter().for_each(|size| moves_per_position[size - 1] += 1);
    let (scored, forbidden) = match book {
        Source::Native(book) => (
            book.records().iter().filter(|record| record.eval().is_some()).count(),
            book.records().iter().filter(|record| record.is_forbidden()).count(),
        ),
        Source::EleEye(_) => (0, 0),
        Source::Binghe(book) => book.scored_and_forbidden(),
    };
    let mut reachable_by_ply = vec![];
    walk(book, &Position::start(), usize::MAX, |node, _| {
        reachable_by_ply.resize(reachable_by_ply.len().max(node.line.len() + 1), 0);
        reachable_by_ply[node.line.len()] += 1;
    });
    Figures { records: book.len(), positions: sizes.len(), moves_per_position, scored, forbidden, reachable_by_ply }
}
