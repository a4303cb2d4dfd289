//! `dump`: a book as text.

use std::io::{self, BufWriter, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::{Candidate, Source};
use chuhe::io::write_stderr;
use chuhe::notation::{Notation, write};
use chuhe::score::Score;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;

use super::position::PositionArguments;
use crate::file;
use crate::progress::Progress;
use crate::text;
use crate::walk::walk_with;

/// Print a book
///
/// `text` holds every record without loss: `convert` restores the same book from it. The other formats walk through the book
/// from a position and print what can be reached.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools dump my.book > my.txt
  book-tools dump my.book --format tree --plies 6 炮二平五
  book-tools dump BOOK.DAT --format csv > moves.csv")]
pub(super) struct Dump {
    /// A book of any format
    book: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Depth of the walk: the maximum distance of positions whose moves are printed, or the length of the lines of a tree
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    plies: usize,
    #[command(flatten)]
    position: PositionArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Csv,
    Json,
    Tree,
}

impl Dump {
    pub(super) fn run(self) -> Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        let start = self.position.read()?;
        ensure!(
            !matches!(self.format, Form::Text) || self.position.is_default() && self.plies == usize::MAX,
            "text is the whole book: a position, moves and --plies are for the other formats"
        );
        match self.format {
            Form::Text => every_record(&self.book, &mut out)?,
            Form::Csv => csv(&file::open(&self.book)?, &start, self.plies, &mut out)?,
            Form::Json => json_lines(&file::open(&self.book)?, &start, self.plies, &mut out)?,
            Form::Tree => {
                let book = file::open(&self.book)?;
                Tree { book: &book, plies: self.plies, path: vec![start] }.write(&start, &mut out)?;
            }
        }
        Ok(out.flush()?)
    }
}

fn every_record(path: &Path, out: &mut impl Write) -> Result<()> {
    let book = file::open_native(path)?;
    writeln!(out, "{}", text::header(&book.layout().about))?;
    for record in book.records() {
        writeln!(out, "{}", text::line(record))?;
    }
    Ok(())
}

/// A move of a walk.
#[derive(Serialize)]
struct Row<'a> {
    line: &'a str,
    fen: &'a str,
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    weight: u16,
    score: Option<i32>,
    depth: Option<u8>,
}

/// Lists every move; the first failure to write ends the walk.
fn list(book: &Source, start: &Position, plies: usize, mut put: impl FnMut(&Row) -> Result<()>) -> Result<()> {
    let mut outcome = Ok(());
    let mut printed = 0;
    // A bar would interfere with the lines on the terminal.
    let progress = if io::stdout().is_terminal() { Progress::silent() } else { Progress::new(book.len()) };
    walk_with(progress, book, start, plies, |node, candidates| {
        let moves: Vec<_> = node.line.iter().map(ToString::to_string).collect();
        let (line, fen) = (moves.join(" "), node.position.to_fen());
        for candidate in candidates {
            if outcome.is_ok() {
                outcome = put(&Row {
                    line: &line,
                    fen: &fen,
                    mv: candidate.mv.to_string(),
                    chinese: write(&node.position, candidate.mv, Notation::Chinese),
                    weight: candidate.weight,
                    score: candidate.score().map(Score::raw),
                    depth: candidate.eval.map(|(_, depth)| depth),
                });
            }
            printed += 1;
        }
    });
    if plies == usize::MAX && printed < book.len() {
        let left_out = book.len() - printed;
        write_stderr(&format!(
            "{left_out} of {} moves are not printed: they are forbidden, or no way leads to them",
            book.len()
        ));
    }
    outcome
}

fn csv(book: &Source, start: &Position, plies: usize, out: &mut impl Write) -> Result<()> {
    let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    // A book without moves has a heading too.
    out.write_record(["line", "fen", "move", "chinese", "weight", "score", "depth"]).map_err(of_csv)?;
    list(book, start, plies, |row| Ok(out.serialize(row).map_err(of_csv)?))?;
    Ok(out.flush()?)
}

/// Extracts the I/O error, whose kind identifies a closed pipe.
fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

fn json_lines(book: &Source, start: &Position, plies: usize, out: &mut impl Write) -> Result<()> {
    list(book, start, plies, |row| Ok(writeln!(out, "{}", json!(row))?))
}

struct Tree<'a> {
    book: &'a Source,
    plies: usize,
    /// Positions of the current line, which ends if it returns to one of them.
    path: Vec<Position>,
}

impl Tree<'_> {
    fn write(&mut self, position: &Position, out: &mut impl Write) -> Result<()> {
        let depth = self.path.len() - 1;
        if depth >= self.plies {
            return Ok(());
        }
        for candidate in self.book.candidates(position) {
            let Candidate { mv, weight, .. } = candidate;
            let score = candidate.score().map(|score| format!(" {score:?}")).unwrap_or_default();
            let chinese = write(position, mv, Notation::Chinese);
            writeln!(out, "{:indent$}{chinese} {mv} {weight}{score}", "", indent = 2 * depth)?;
            let next = position.play(mv);
            if self.path.iter().all(|earlier| earlier.key() != next.key()) {
                self.path.push(next);
                self.write(&next, out)?;
                self.path.pop();
            }
        }
        Ok(())
    }
}
