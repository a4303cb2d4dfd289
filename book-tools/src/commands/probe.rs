//! `probe`: the moves of a book in a position.

use std::path::PathBuf;

use anyhow::Result;
use chuhe::notation::{Notation, write};
use clap::Args;
use serde_json::json;

use super::position::PositionArguments;
use crate::file;

/// Show the moves that a book has in a position
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools probe my.book
  book-tools probe BOOK.DAT 炮二平五 马８进７
  book-tools probe my.book --fen 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b' --json")]
pub(super) struct Probe {
    /// A book of any format
    book: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

impl Probe {
    pub(super) fn run(self) -> Result<()> {
        let position = self.position.read()?;
        let candidates = file::open_unread(&self.book)?.candidates(&position);
        let total: f64 = candidates.iter().map(|candidate| f64::from(candidate.weight)).sum();
        let share = |weight: u16| if total == 0.0 { 0.0 } else { 100.0 * f64::from(weight) / total };
        if self.json {
            let moves: Vec<_> = candidates
                .iter()
                .map(|candidate| {
                    json!({
                        "move": candidate.mv.to_string(),
                        "weight": candidate.weight,
                        "percent": share(candidate.weight),
                        "score": candidate.score().map(|score| score.raw()),
                        "depth": candidate.eval.map(|(_, depth)| depth),
                    })
                })
                .collect();
            say!("{}", json!({ "fen": position.to_fen(), "moves": moves }))?;
            return Ok(());
        }
        say!("{}", position.to_fen())?;
        for candidate in candidates {
            let chinese = write(&position, candidate.mv, Notation::Chinese);
            let eval = candidate.eval.map(|(score, depth)| format!("  {score:?}, depth {depth}")).unwrap_or_default();
            say!("{} {chinese} {:>6} {:>5.1} %{eval}", candidate.mv, candidate.weight, share(candidate.weight))?;
        }
        Ok(())
    }
}
