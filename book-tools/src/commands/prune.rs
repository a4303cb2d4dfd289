//! `prune`: a book without unwanted moves.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::Result;
use chuhe::board::Position;
use chuhe::book::{NativeBook, Record, Source, canonical};
use clap::Args;

use super::outputs;
use crate::file;
use crate::walk::walk;

/// Leave moves out of a book
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools prune my.book -o small.book --min-weight 3 --max-moves 4 --reachable
  book-tools prune scored.book -o good.book --margin 60")]
pub(super) struct Prune {
    /// A book
    book: PathBuf,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Minimum weight of a move
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_weight: u16,
    /// Maximum number of moves per position; the heaviest are kept
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_moves: usize,
    /// Leave out moves with scores worse than the best of their position by more than this many centipawns
    #[arg(long, value_name = "CENTIPAWNS")]
    margin: Option<u16>,
    /// Leave out positions that cannot be reached from the start, by the remaining moves and by replies to other moves
    #[arg(long)]
    reachable: bool,
}

impl Prune {
    pub(super) fn run(self) -> Result<()> {
        outputs::check_native(&self.out, &[&self.book])?;
        let book = file::open_native(&self.book)?;
        let about = book.layout().about;
        let groups = book.records().chunk_by(|a, b| a.key == b.key);
        let mut records: Vec<Record> = groups.flat_map(|group| self.kept(group)).collect();
        let before = book.records().len();
        if self.reachable {
            let reached = reached(file::in_memory(about, &records)?);
            records.retain(|record| reached.contains(&record.key));
        }
        file::write(&self.out, about, records.iter().copied().map(Ok))?;
        say!("{}: {} moves of {before}", self.out.display(), records.len())?;
        Ok(())
    }

    fn kept(&self, group: &[Record]) -> Vec<Record> {
        // Forbidden moves are kept; they neither set the best score nor count towards the maximum.
        let allowed = group.iter().filter(|record| !record.is_forbidden());
        let best = allowed.filter_map(|record| record.eval()).map(|(score, _)| i32::from(score)).max();
        let is_good = |record: &&Record| match (self.margin, record.eval(), best) {
            (Some(margin), Some((score, _)), Some(best)) => best - i32::from(score) <= i32::from(margin),
            _ => true,
        };
        let mut room = self.max_moves;
        let stays = |record: &&Record| {
            if record.is_forbidden() {
                return true;
            }
            let stays = room > 0 && record.weight >= self.min_weight && is_good(record);
            room -= usize::from(stays);
            stays
        };
        group.iter().filter(stays).copied().collect()
    }
}

fn reached(book: NativeBook) -> HashSet<u64> {
    let symmetry = book.layout().about.symmetry;
    let mut reached = HashSet::new();
    walk(&Source::Native(book), &Position::start(), usize::MAX, |node, _| {
        reached.insert(canonical(&node.position, symmetry).0);
    });
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{About, Symmetry};

    #[test]
    fn every_wish_leaves_something_out() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.book"].map(|name| folder.path().join(name));
        let start = Position::start();
        let record = |position: &Position, mv: &str, weight| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), weight)
        };
        let far = Position::from_fen("4kab2/4a4/9/9/9/9/9/9/4A4/3K1AB2 b").unwrap();
        let [cannon, pawn] = ["h2e2", "c3c4"].map(|mv| start.play(mv.parse().unwrap()));
        let records = vec![
            record(&start, "h2e2", 9).scored(30, 10),
            record(&start, "c3c4", 5).scored(-40, 10),
            record(&start, "g0e2", 1),
            record(&cannon, "h9g7", 4),
            record(&pawn, "c6c5", 3),
            record(&far, "g9e7", 3),
        ];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        let left = |change: fn(&mut Prune)| {
            let mut prune = Prune {
                book: book.clone(),
                out: out.clone(),
                min_weight: 0,
                max_moves: 9,
                margin: None,
                reachable: false,
            };
            change(&mut prune);
            prune.run().unwrap();
            file::open_native(&out).unwrap().records().len()
        };
        assert_eq!(left(|_| {}), 6);
        assert_eq!(left(|prune| prune.min_weight = 4), 3);
        assert_eq!(left(|prune| prune.max_moves = 1), 4);
        assert_eq!(left(|prune| prune.margin = Some(60)), 5);
        // The reply to a bad move stays, as an opponent may play it.
        assert_eq!(left(|prune| (prune.margin, prune.reachable) = (Some(60), true)), 4);
        assert_eq!(left(|prune| prune.reachable = true), 5, "and one that nothing leads to does not");
    }

    #[test]
    fn what_is_forbidden_in_a_position_of_which_nothing_else_is_known_can_be_reached() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.book"].map(|name| folder.path().join(name));
        let start = Position::start();
        let record = |position: &Position, mv: &str| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            Record::new(key, frame.apply(mv.parse().unwrap()), 1)
        };
        let cannon = start.play("h2e2".parse().unwrap());
        let records = vec![record(&start, "h2e2"), record(&cannon, "h9g7").forbidden(true)];
        file::write(&book, About::default(), file::in_order(records).into_iter().map(Ok)).unwrap();
        let prune = Prune { book, out: out.clone(), min_weight: 0, max_moves: 9, margin: None, reachable: true };
        prune.run().unwrap();
        assert_eq!(file::open_native(&out).unwrap().records().len(), 2);
    }

    #[test]
    fn forbidden_moves_stay_and_take_no_other_ones_place() {
        let folder = tempfile::tempdir().unwrap();
        let [book, out] = ["a.book", "b.book"].map(|name| folder.path().join(name));
        let (key, frame) = canonical(&Position::start(), Symmetry::MirrorAndColours);
        let record = |mv: &str, weight| Record::new(key, frame.apply(mv.parse().unwrap()), weight);
        let (forbidden, good) = (record("h2e2", 9).scored(300, 10).forbidden(true), record("c3c4", 5).scored(30, 10));
        let bad = record("g0e2", 1).scored(-300, 10);
        let records = file::in_order(vec![forbidden, good, bad]);
        file::write(&book, About::default(), records.into_iter().map(Ok)).unwrap();
        for (max_moves, margin) in [(1, None), (9, Some(60))] {
            let prune =
                Prune { book: book.clone(), out: out.clone(), min_weight: 0, max_moves, margin, reachable: false };
            prune.run().unwrap();
            assert_eq!(file::open_native(&out).unwrap().records(), [forbidden, good], "{max_moves} {margin:?}");
        }
    }
}
