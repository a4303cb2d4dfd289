//! `merge`: one book from several.

use std::iter::Peekable;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use chuhe::book::{About, NativeBook, Record};
use clap::{Args, ValueEnum};

use super::outputs;
use crate::file;

/// Merge several books into one
///
/// If two books have the same move, its score is the deeper one, or else that of the first book, and a move that is
/// forbidden in one of them is forbidden.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools merge mine.book theirs.book -o all.book --weights max")]
pub(super) struct Merge {
    /// Books with keys of the same kind
    #[arg(required = true, num_args = 1..)]
    books: Vec<PathBuf>,
    /// Book to write
    #[arg(short, long)]
    out: PathBuf,
    /// Weight of a move that several books have
    #[arg(long, value_enum, default_value_t = Policy::Sum)]
    weights: Policy,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Policy {
    /// Their sum, at most 65535
    Sum,
    /// The largest
    Max,
    /// That of the first book
    First,
}

impl Merge {
    pub(super) fn run(self) -> Result<()> {
        outputs::check_native(&self.out, &self.books.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let books: Vec<_> = self.books.iter().map(|path| file::open_native(path)).collect::<Result<_>>()?;
        let about = common(&books).context("books of different kinds cannot be merged")?;
        let groups = Groups { parts: books.iter().map(|book| book.records().iter().peekable()).collect() };
        let records = groups.flat_map(|group| combine(group, self.weights)).map(Ok);
        let count = file::write(&self.out, about, records)?;
        say!("{}: {count} moves", self.out.display())?;
        Ok(())
    }
}

fn common(books: &[NativeBook]) -> Result<About> {
    let abouts: Vec<_> = books.iter().map(|book| book.layout().about).collect();
    let symmetry = abouts[0].symmetry;
    ensure!(abouts.iter().all(|about| about.symmetry == symmetry), "their keys are made in different ways");
    Ok(About {
        symmetry,
        // Independent of the grouping of books, so that merging is associative.
        built_at: abouts.iter().map(|about| about.built_at).max().unwrap_or_default(),
        sources: abouts.iter().fold(0, |all, about| all ^ about.sources),
        min_ply: abouts.iter().map(|about| about.min_ply).min().unwrap_or_default(),
        max_ply: abouts.iter().map(|about| about.max_ply).max().unwrap_or_default(),
    })
}

/// Iterator over the records of one key, from all books.
struct Groups<'a> {
    parts: Vec<Peekable<std::slice::Iter<'a, Record>>>,
}

impl Iterator for Groups<'_> {
    type Item = Vec<Record>;

    fn next(&mut self) -> Option<Vec<Record>> {
        let key = self.parts.iter_mut().filter_map(|part| part.peek().map(|record| record.key)).min()?;
        let mut group = vec![];
        for part in &mut self.parts {
            while let Some(record) = part.next_if(|record| record.key == key) {
                group.push(*record);
            }
        }
        Some(group)
    }
}

fn combine(group: Vec<Record>, policy: Policy) -> Vec<Record> {
    let mut merged: Vec<Record> = vec![];
    for record in group {
        match merged.iter_mut().find(|earlier| earlier.mv == record.mv) {
            Some(earlier) => *earlier = join(*earlier, record, policy),
            None => merged.push(record),
        }
    }
    merged.sort_by_key(Record::order);
    merged
}

fn join(first: Record, second: Record, policy: Policy) -> Record {
    let weight = match policy {
        Policy::Sum => first.weight.saturating_add(second.weight),
        Policy::Max => first.weight.max(second.weight),
        Policy::First => first.weight,
    };
    let scored = match (first.eval(), second.eval()) {
        (Some((_, a)), Some((_, b))) if b > a => second,
        (None, Some(_)) => second,
        _ => first,
    };
    Record { weight, ..scored }.forbidden(first.is_forbidden() || second.is_forbidden())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn record() -> impl Strategy<Value = Record> {
        let mv = prop::sample::select(vec!["h2e2", "c3c4", "b0c2"]);
        (0..4_u64, mv, any::<u16>(), any::<Option<(i16, u8)>>(), any::<bool>()).prop_map(
            |(key, mv, weight, eval, bad)| {
                let record = Record::new(key << 62, mv.parse().unwrap(), weight).forbidden(bad);
                eval.map_or(record, |(score, depth)| record.scored(score, depth))
            },
        )
    }

    fn merged(folder: &Path, books: &[&str], out: &str, weights: Policy) -> Vec<u8> {
        let out = folder.join(out);
        let books = books.iter().map(|book| folder.join(book)).collect();
        Merge { books, out: out.clone(), weights }.run().unwrap();
        std::fs::read(out).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn it_does_not_matter_which_books_are_merged_first(
            books in prop::collection::vec((prop::collection::vec(record(), 0..9), any::<u64>()), 3),
        ) {
            let folder = tempfile::tempdir().unwrap();
            for ((records, sources), name) in books.into_iter().zip(["a", "b", "c"]) {
                let about = About { sources, min_ply: (sources % 7) as u16, ..About::default() };
                file::write(&folder.path().join(name), about, file::in_order(records).into_iter().map(Ok)).unwrap();
            }
            for policy in [Policy::Sum, Policy::Max, Policy::First] {
                let merge = |books: &[&str], out: &str| merged(folder.path(), books, out, policy);
                let at_once = merge(&["a", "b", "c"], "abc");
                merge(&["a", "b"], "ab");
                merge(&["b", "c"], "bc");
                prop_assert!(merge(&["ab", "c"], "left") == at_once);
                prop_assert!(merge(&["a", "bc"], "right") == at_once);
                prop_assert!(merge(&["abc"], "same") == at_once);
            }
        }
    }
}
