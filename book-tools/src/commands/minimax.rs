//! `minimax`: the scores of the leaves, backed up.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::{Record, Source, canonical};
use clap::Args;

use super::outputs;
use crate::analysis::{gap, negated, weight};
use crate::file;
use crate::walk::walk;

/// Give every move the score of the best play behind it, as far as the book is scored
///
/// A move keeps its own score where the book knows nothing behind it, and gets the negated best score of the position it
/// leads to where it does. Positions are visited from the ends of the lines to the start; a line that returns to an
/// earlier position counts with the score that the move had.
#[derive(Args)]
pub(super) struct Minimax {
    /// A book with scores
    book: PathBuf,
    /// The new book
    #[arg(short, long)]
    out: PathBuf,
    /// Weigh the moves anew by their scores: 100 for the best, less and less up to so many centipawns below, 0 beyond
    #[arg(long, value_name = "MARGIN")]
    weigh: Option<u16>,
}

impl Minimax {
    pub(super) fn run(self) -> Result<()> {
        outputs::check_native(&self.out, &[&self.book])?;
        let book = file::open_native(&self.book)?;
        let about = book.layout().about;
        let mut records = book.records().to_vec();
        ensure!(records.iter().any(|record| record.eval().is_some()), "{}: nothing is scored", self.book.display());
        let source = Source::Native(book);
        let mut nodes = vec![];
        walk(&source, &Position::start(), usize::MAX, |node, _| nodes.push(node.position));
        let mut best = HashMap::new();
        let mut changed = 0;
        // The nearest come first, so what lies behind them has been seen when they are reached from the end.
        for position in nodes.iter().rev() {
            let (key, frame) = canonical(position, about.symmetry);
            let start = records.partition_point(|record| record.key < key);
            for record in records[start..].iter_mut().take_while(|record| record.key == key) {
                let Some(mv) = record.turned_move().map(|mv| frame.apply(mv)).filter(|&mv| position.is_legal(mv))
                else {
                    continue;
                };
                let behind = best.get(&canonical(&position.play(mv), about.symmetry).0);
                if let Some(&(score, depth)) = behind {
                    let new = record.scored(negated(score), depth);
                    changed += usize::from(new != *record);
                    *record = new;
                }
            }
            let of_key = records[start..].iter().take_while(|record| record.key == key);
            if let Some(score) = of_key.filter(|record| !record.is_forbidden()).filter_map(Record::eval).max() {
                best.insert(key, score);
            }
        }
        if let Some(margin) = self.weigh {
            records.chunk_by_mut(|a, b| a.key == b.key).for_each(|group| weigh(group, margin));
            records.sort_by_key(Record::order);
        }
        file::write(&self.out, about, records.into_iter().map(Ok))?;
        say!("{}: {changed} scores have changed", self.out.display())?;
        Ok(())
    }
}

/// Gives those moves of a position weights by their scores that have one.
fn weigh(group: &mut [Record], margin: u16) {
    let allowed = |record: &&Record| !record.is_forbidden();
    let Some(best) = group.iter().filter(allowed).filter_map(Record::eval).map(|(score, _)| score).max() else {
        return;
    };
    for record in group.iter_mut().filter(|record| !record.is_forbidden()) {
        if let Some((score, _)) = record.eval() {
            record.weight = weight(gap(best, score), margin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{About, Symmetry};

    #[test]
    fn the_best_reply_decides() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.book"].map(|name| folder.path().join(name));
        let start = Position::start();
        let after = start.play("h2e2".parse().unwrap());
        let record = |position: &Position, mv: &str, score| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), 1).scored(score, 9)
        };
        let records = vec![
            record(&start, "h2e2", 50),
            record(&start, "c3c4", 10),
            record(&after, "h9g7", 30),
            record(&after, "b9c7", -5),
            record(&after, "a9a8", 900).forbidden(true),
        ];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        Minimax { book: book.clone(), out: out.clone(), weigh: None }.run().unwrap();
        let moves = file::open_native(&out).unwrap().candidates(&start);
        let scores: Vec<_> = moves.iter().map(|found| (found.mv.to_string(), found.score().unwrap().raw())).collect();
        assert_eq!(scores, [("h2e2".to_owned(), -30), ("c3c4".to_owned(), 10)]);
        Minimax { book, out: out.clone(), weigh: Some(50) }.run().unwrap();
        let moves = file::open_native(&out).unwrap().candidates(&start);
        let weights: Vec<_> = moves.iter().map(|found| (found.mv.to_string(), found.weight)).collect();
        assert_eq!(weights, [("c3c4".to_owned(), 100), ("h2e2".to_owned(), weight(40, 50))]);
    }
}
