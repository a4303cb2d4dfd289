//! `minimax`: back-up of the scores from the leaves.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::board::Position;
use chuhe::book::{Record, Source, Symmetry, canonical};
use clap::Args;

use super::outputs;
use crate::analysis::{gap, negated, weight};
use crate::file;
use crate::walk::{symmetry, walk};

/// Give every move the score of the best play after it, as far as the book is scored
///
/// A move keeps its own score if the book has no moves after it; otherwise it gets the negated best score of the position it
/// leads to. Lines are followed to their ends before a score is taken; a move that returns to an earlier
/// position of the current line keeps its score.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools minimax scored.book -o weighed.book --weigh 12")]
pub(super) struct Minimax {
    /// A book with scores
    book: PathBuf,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Set the weights by the scores: 100 for the best move, decreasing up to this many centipawns below it, 0 beyond
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
        let changed = back_up(&Source::Native(book), &mut records);
        if let Some(margin) = self.weigh {
            records.chunk_by_mut(|a, b| a.key == b.key).for_each(|group| weigh(group, margin));
            records.sort_by_key(Record::order);
        }
        file::write(&self.out, about, records.into_iter().map(Ok))?;
        say!("{}: {changed} scores have changed", self.out.display())?;
        Ok(())
    }
}

/// Backs up the scores of all reachable moves; returns the number of changed ones.
fn back_up(book: &Source, records: &mut [Record]) -> usize {
    let mut backup = Backup { records, symmetry: symmetry(book), visited: HashMap::new(), changed: 0 };
    let mut roots = vec![];
    walk(book, &Position::start(), usize::MAX, |node, _| roots.push(node.position));
    roots.into_iter().for_each(|root| backup.follow(root));
    backup.changed
}

/// State of a position that was visited.
#[derive(Clone, Copy)]
enum Visited {
    /// The position is on the current line.
    OnPath,
    /// The best score and its depth, if any move has a score.
    Best(Option<(i16, u8)>),
}

/// A position of the current line, with the positions after its moves that are still to be visited.
struct Step {
    position: Position,
    key: u64,
    waiting: Vec<Position>,
}

/// A depth-first walk over the moves of a book: everything after a move is finished before the move itself.
struct Backup<'a> {
    records: &'a mut [Record],
    symmetry: Symmetry,
    visited: HashMap<u64, Visited>,
    changed: usize,
}

impl Backup<'_> {
    fn follow(&mut self, root: Position) {
        let mut path: Vec<Step> = self.enter(root).into_iter().collect();
        while let Some(step) = path.last_mut() {
            if let Some(next) = step.waiting.pop() {
                path.extend(self.enter(next));
            } else {
                self.finish(step);
                path.pop();
            }
        }
    }

    /// Returns the next step of a line, unless the position was visited before.
    fn enter(&mut self, position: Position) -> Option<Step> {
        let (key, frame) = canonical(&position, self.symmetry);
        if self.visited.contains_key(&key) {
            return None;
        }
        self.visited.insert(key, Visited::OnPath);
        let of_key = &self.records[file::range_of_key(self.records, key)];
        let mut moves: Vec<_> = of_key.iter().filter_map(Record::turned_move).collect();
        // Not by weight, which may depend on these very scores: a second run must give the same result.
        moves.sort_by_key(|mv| mv.bits());
        let legal = moves.into_iter().map(|mv| frame.apply(mv)).filter(|&mv| position.is_legal(mv));
        Some(Step { position, key, waiting: legal.map(|mv| position.play(mv)).collect() })
    }

    /// Updates the scores of a position's moves from the positions after them, and stores the best one.
    fn finish(&mut self, step: &Step) {
        let frame = canonical(&step.position, self.symmetry).1;
        let of_key = file::range_of_key(self.records, step.key);
        for record in &mut self.records[of_key.clone()] {
            let mv = record.turned_move().map(|mv| frame.apply(mv)).filter(|&mv| step.position.is_legal(mv));
            let visited = mv.and_then(|mv| self.visited.get(&canonical(&step.position.play(mv), self.symmetry).0));
            if let Some(&Visited::Best(Some((score, depth)))) = visited {
                let new = record.scored(negated(score), depth);
                self.changed += usize::from(new != *record);
                *record = new;
            }
        }
        let playable = self.records[of_key].iter().filter(|record| !record.is_forbidden());
        self.visited.insert(step.key, Visited::Best(playable.filter_map(Record::eval).max()));
    }
}

/// Sets the weights of a position's moves by their scores.
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
    use std::fs;
    use std::path::Path;

    use chuhe::book::About;

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

    /// Returns a book of lines with these scores, after `minimax`.
    fn backed_up(folder: &Path, lines: &[&[(&str, i16)]]) -> Source {
        let [book, out] = ["a.book", "b.book"].map(|name| folder.join(name));
        let mut records = vec![];
        for line in lines {
            line.iter().fold(Position::start(), |position, &(mv, score)| {
                let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
                let mv = mv.parse().unwrap();
                records.push(Record::new(key, frame.apply(mv), 1).scored(score, 5));
                position.play(mv)
            });
        }
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        Minimax { book, out: out.clone(), weigh: None }.run().unwrap();
        file::open(&out).unwrap()
    }

    fn score(book: &Source, line: &str) -> i32 {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let position = before.split_whitespace().fold(Position::start(), |it, mv| it.play(mv.parse().unwrap()));
        let candidates = book.candidates(&position);
        candidates.iter().find(|it| it.mv.to_string() == last).unwrap().score().unwrap().raw()
    }

    #[test]
    fn a_longer_way_to_a_position_gets_its_score_too() {
        let folder = tempfile::tempdir().unwrap();
        let short = [("h2e2", 1), ("b7e7", 2), ("b0c2", 100)];
        let long = [("h2d2", 3), ("b7d7", 4), ("d2e2", 5), ("d7e7", 6)];
        let book = backed_up(folder.path(), &[&short, &long]);
        for (line, expected) in [
            ("h2e2", 100),
            ("h2e2 b7e7", -100),
            ("h2d2", 100),
            ("h2d2 b7d7", -100),
            ("h2d2 b7d7 d2e2", 100),
            ("h2d2 b7d7 d2e2 d7e7", -100),
        ] {
            assert_eq!(score(&book, line), expected, "{line}");
        }
    }

    #[test]
    fn a_move_that_closes_a_loop_keeps_its_score() {
        let folder = tempfile::tempdir().unwrap();
        let circle = [("a0a1", 1), ("a9a8", 2), ("a1a0", 3), ("a8a9", 40)];
        let book = backed_up(folder.path(), &[&circle, &[("h2e2", 50)]]);
        for (line, expected) in
            [("a0a1", -40), ("a0a1 a9a8", 40), ("a0a1 a9a8 a1a0", -40), ("a0a1 a9a8 a1a0 a8a9", 40), ("h2e2", 50)]
        {
            assert_eq!(score(&book, line), expected, "{line}");
        }
        let [once, twice] = ["b.book", "c.book"].map(|name| folder.path().join(name));
        Minimax { book: once.clone(), out: twice.clone(), weigh: None }.run().unwrap();
        assert_eq!(fs::read(once).unwrap(), fs::read(twice).unwrap());
    }
}
