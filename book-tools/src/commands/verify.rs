//! `verify`: the integrity of a book.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use chuhe::board::Position;
use chuhe::book::{BookError, EleEyeBook, NativeBook, Source, canonical};
use chuhe_console::words::with_short_quotations;
use clap::Args;

use crate::file;
use crate::walk::walk;

/// Check a book: header, checksum, order, and that its moves are legal in all reachable positions
///
/// Fails with a line `path: offset: reason` for every bad book. Positions that cannot be reached from the start are reported,
/// but are not an error. The short keys of a BOOK.DAT do not distinguish a position with an illegal move from another
/// position: it counts as unreachable.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools verify my.book BOOK.DAT")]
pub(super) struct Verify {
    /// Books of any format
    #[arg(required = true)]
    books: Vec<PathBuf>,
}

impl Verify {
    pub(super) fn run(self) -> Result<()> {
        let verify = |path: &PathBuf| match file::open(path)? {
            Source::Native(book) => native(path, book),
            Source::EleEye(book) => eleeye(path, book),
            book @ Source::Binghe(_) => Ok(database(path, &book)),
        };
        // All books are checked, even if the reader of the output stops early.
        let verified: Vec<Result<String>> = self.books.iter().map(verify).collect();
        let printed = verified.iter().flatten().try_for_each(|line| say!("{line}"));
        let mut faults: Vec<_> = verified.into_iter().filter_map(Result::err).collect();
        let last = faults.pop();
        for fault in faults {
            // Standard error may be closed.
            drop(writeln!(io::stderr(), "book-tools: {}", with_short_quotations(&format!("{fault:#}"))));
        }
        match last {
            Some(fault) => Err(fault),
            None => Ok(printed?),
        }
    }
}

fn native(path: &Path, book: NativeBook) -> Result<String> {
    let (records, symmetry) = (book.records().len(), book.layout().about.symmetry);
    let source = Source::Native(book);
    let mut reached = HashSet::new();
    let mut illegal = None;
    walk(&source, &Position::start(), usize::MAX, |node, candidates| {
        let Source::Native(book) = &source else { return };
        let (key, frame) = canonical(&node.position, symmetry);
        reached.insert(key);
        let records = book.records_of_key(key);
        let given_out = |record: &&chuhe::book::Record| {
            let mv = record.turned_move().map(|mv| frame.apply(mv));
            record.is_forbidden() || candidates.iter().any(|candidate| Some(candidate.mv) == mv)
        };
        if let Some(record) = records.iter().find(|record| !given_out(record)) {
            illegal.get_or_insert((*record, node.position));
        }
    });
    if let (Some((record, position)), Source::Native(book)) = (illegal, &source) {
        let index = book.records().iter().position(|other| *other == record).unwrap_or_default();
        let offset = chuhe::book::HEADER_BYTES + index * chuhe::book::RECORD_BYTES;
        bail!("{}: {offset}: move {:#06x} is not legal in {}", path.display(), record.mv, position.to_fen());
    }
    Ok(format!("{}: {records} moves; {} positions can be reached from the start", path.display(), reached.len()))
}

fn eleeye(path: &Path, book: EleEyeBook) -> Result<String> {
    book.check_records().map_err(|fault| BookError { path: path.to_owned(), fault })?;
    let records = book.records();
    let (mut last, mut of_lock) = (None, HashSet::new());
    for (index, record) in records.iter().enumerate() {
        if last.replace(record.lock()) != Some(record.lock()) {
            of_lock.clear();
        }
        if !of_lock.insert(record.mv()) {
            bail!("{}: {}: repeats a move", path.display(), index * size_of_val(record));
        }
    }
    let (moves, mut reached) = (records.len(), 0);
    walk(&Source::EleEye(book), &Position::start(), usize::MAX, |_, _| reached += 1);
    Ok(format!("{}: {moves} moves, in order; {reached} positions can be reached from the start", path.display()))
}

/// Counts the reachable positions of a database, which has neither a checksum nor an order.
fn database(path: &Path, book: &Source) -> String {
    let mut reached = 0;
    walk(book, &Position::start(), usize::MAX, |_, _| reached += 1);
    format!("{}: {} moves; {reached} positions can be reached from the start", path.display(), book.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{EleEyeRecord, Locks};
    use std::fs;

    fn verified(moves: &[(u32, &str)]) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("BOOK.DAT");
        let lock = Locks::of(&Position::start()).lock1;
        let record = |&(above, mv): &(u32, &str)| EleEyeRecord::new(lock + above, mv.parse().unwrap(), 1);
        let records: Vec<EleEyeRecord> = moves.iter().map(record).collect();
        fs::write(&path, bytemuck::cast_slice(&records)).unwrap();
        Verify { books: vec![path] }.run()
    }

    #[test]
    fn moves_of_a_position_come_in_any_order_but_once() {
        verified(&[(0, "h2e2"), (0, "c3c4"), (0, "g3g4"), (1, "h2e2")]).unwrap();
        let repeated = verified(&[(0, "h2e2"), (0, "c3c4"), (0, "h2e2"), (1, "h2e2")]).unwrap_err();
        assert!(repeated.to_string().ends_with("BOOK.DAT: 16: repeats a move"), "{repeated}");
        // More than a look at some of them shows.
        let mut moves: Vec<_> = (2..3000).map(|above| (above, "h2e2")).collect();
        moves[1] = (0, "h2e2");
        let disorder = verified(&moves).unwrap_err();
        assert!(disorder.to_string().ends_with("BOOK.DAT: 8: out of order"), "{disorder}");
    }
}
