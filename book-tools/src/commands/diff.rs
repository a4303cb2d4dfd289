//! `diff`: the differences between two books.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::book::Record;
use clap::Args;
use itertools::EitherOrBoth::{Both, Left, Right};
use itertools::Itertools;
use serde_json::json;

use crate::file;
use crate::text;

/// Show what a second book has added, removed and changed
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools diff old.book new.book
  book-tools diff old.book new.book --json")]
pub(super) struct Diff {
    /// A book
    first: PathBuf,
    /// A book with keys of the same kind
    second: PathBuf,
    /// Only count, as a line of JSON
    #[arg(long)]
    json: bool,
}

/// A difference between two books.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Difference {
    Removed(Record),
    Added(Record),
    Changed(Record, Record),
}

impl Diff {
    pub(super) fn run(self) -> Result<()> {
        let [first, second] = [file::open_native(&self.first)?, file::open_native(&self.second)?];
        let same_keys = first.layout().about.symmetry == second.layout().about.symmetry;
        ensure!(
            same_keys,
            "{} and {}: their keys are made in different ways",
            self.first.display(),
            self.second.display()
        );
        let found = differences(first.records(), second.records());
        let count = |which: fn(&Difference) -> bool| found.iter().filter(|it| which(it)).count();
        let removed = count(|it| matches!(it, Difference::Removed(_)));
        let added = count(|it| matches!(it, Difference::Added(_)));
        let changed = count(|it| matches!(it, Difference::Changed(..)));
        let mut out = BufWriter::new(stdout().lock());
        if self.json {
            writeln!(out, "{}", json!({ "removed": removed, "added": added, "changed": changed }))?;
        } else {
            for difference in &found {
                match difference {
                    Difference::Removed(record) => writeln!(out, "- {}", text::line(record))?,
                    Difference::Added(record) => writeln!(out, "+ {}", text::line(record))?,
                    Difference::Changed(old, new) => writeln!(out, "- {}\n+ {}", text::line(old), text::line(new))?,
                }
            }
            writeln!(out, "{removed} removed, {added} added, {changed} changed")?;
        }
        Ok(out.flush()?)
    }
}

fn differences(first: &[Record], second: &[Record]) -> Vec<Difference> {
    let by_move = |records: &[Record]| {
        let mut records = records.to_vec();
        records.sort_by_key(|record| (record.key, record.mv));
        records
    };
    let place = |record: &Record| (record.key, record.mv);
    let both = by_move(first).into_iter().merge_join_by(by_move(second), |a, b| place(a).cmp(&place(b)));
    both.filter_map(|records| match records {
        Left(old) => Some(Difference::Removed(old)),
        Right(new) => Some(Difference::Added(new)),
        Both(old, new) => (old != new).then_some(Difference::Changed(old, new)),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_found() {
        let record = |key, mv: &str, weight| Record::new(key, mv.parse().unwrap(), weight);
        let first = [record(1, "h2e2", 5), record(1, "c3c4", 4), record(2, "h2e2", 1)];
        let second = [record(1, "c3c4", 9), record(2, "h2e2", 1), record(3, "h2e2", 1)];
        let found = differences(&first, &second);
        assert_eq!(found.len(), 3);
        assert!(found.contains(&Difference::Removed(first[0])));
        assert!(found.contains(&Difference::Changed(first[1], second[0])));
        assert!(found.contains(&Difference::Added(second[2])));
        assert_eq!(differences(&first, &first), []);
    }
}
