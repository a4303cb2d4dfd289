//! `eval`: scores of an engine for the moves of a book.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::{Source, canonical};
use chuhe::score::Score;
use chuhe_console::words::Share;
use clap::Args;

use super::engine::{EngineArguments, progress};
use super::outputs;
use super::position::read_fen;
use crate::analysis::negated;
use crate::file;
use crate::walk::walk;

/// Let an engine score the moves of a book
///
/// The position after every move that can be reached from the start is searched once, and the move gets the negated score.
/// Weights stay; `minimax --weigh` adapts them, `prune --margin` leaves bad moves out. Results are kept in a
/// journal beside the new book until it is written, so an interrupted command can be resumed with --resume. The scores depend
/// neither on --jobs nor on interruptions, as far as the engine itself is deterministic.
///
/// With --shard several machines score a book: each writes a book of its share of the moves, and `merge` combines all shares
/// into exactly the book that one machine would have written.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools eval my.book -o scored.book --engine ./chuhe --proto uci --nodes 100000 --jobs 4
  book-tools eval my.book -o scored.book --engine ./eleeye --depth 10 --resume
  book-tools eval my.book -o part2.book --engine ./chuhe --nodes 100000 --shard 2/5
  book-tools merge part*.book -o scored.book")]
pub(super) struct Eval {
    /// A book
    book: PathBuf,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Position in which the lines begin: a FEN
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Number of plies from there in which moves are scored
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    plies: usize,
    /// Keep existing scores
    #[arg(long)]
    missing: bool,
    /// Score the I-th of N shares of the moves, and leave out the others
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Share,
    #[command(flatten)]
    engine: EngineArguments,
}

/// A move of the book, and the position after it.
struct Edge {
    key: u64,
    mv: Move,
    next: Position,
}

impl Eval {
    pub(super) fn run(self) -> Result<()> {
        outputs::check_native(&self.out, &[&self.book])?;
        ensure!(self.plies > 0, "--plies 0: no move would be scored");
        let book = file::open_native(&self.book)?;
        let mut about = book.layout().about;
        if self.shard.number > 1 {
            // Only the first share has the sources, so that the merged shares have them once.
            about.sources = 0;
        }
        let mut records = book.records().to_vec();
        records.retain(|record| self.shard.has(record.key));
        let edges = self.edges(Source::Native(book))?;
        let mut analyst = self.engine.analyst(&self.out, &[&self.book], about.symmetry, 1, 0)?;
        let open: Vec<Position> = edges.iter().map(|edge| edge.next).filter(Position::has_legal_move).collect();
        let bar = progress(open.len())?;
        analyst.think(&open, &bar)?;
        bar.finish_and_clear();
        let found = |position: &Position| {
            let lines = analyst.lines(canonical(position, about.symmetry).0);
            lines.and_then(|lines| lines.first()).and_then(|line| line.eval)
        };
        if !open.is_empty() && !open.iter().any(|position| found(position).is_some()) {
            // A resumed analysis would find the same.
            analyst.finish()?;
            bail!("{}: the engine gave no score to any of {} positions", self.book.display(), open.len());
        }
        let (moves, mut scored) = (edges.len(), 0);
        for Edge { key, mv, next } in edges {
            let found = if next.has_legal_move() { found(&next) } else { Some((Score::mated_in(0).to_table(0), 0)) };
            let of_key = file::range_of_key(&records, key);
            let record = records[of_key].iter_mut().find(|record| record.mv == mv.bits());
            if let (Some((score, depth)), Some(record)) = (found, record) {
                *record = record.scored(negated(score), depth.saturating_add(1));
                scored += 1;
            }
        }
        file::write(&self.out, about, records.into_iter().map(Ok))?;
        analyst.finish()?;
        say!("{}: {scored} moves of {moves} are scored", self.out.display())?;
        Ok(())
    }

    fn edges(&self, book: Source) -> Result<Vec<Edge>> {
        let symmetry = crate::walk::symmetry(&book);
        let mut edges = vec![];
        walk(&book, &read_fen(&self.fen)?, self.plies - 1, |node, candidates| {
            let (key, frame) = canonical(&node.position, symmetry);
            if !self.shard.has(key) {
                return;
            }
            let open = candidates.iter().filter(|candidate| !(self.missing && candidate.eval.is_some()));
            let edge = |mv| Edge { key, mv: frame.apply(mv), next: node.position.play(mv) };
            edges.extend(open.map(|candidate| edge(candidate.mv)));
        });
        Ok(edges)
    }
}
