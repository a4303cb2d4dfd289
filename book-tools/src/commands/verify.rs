//! `verify`: whether a book is what it should be.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use chuhe::board::Position;
use chuhe::book::{EleEyeBook, NativeBook, Source, canonical};
use clap::Args;

use crate::file;
use crate::walk::walk;

/// Check a book: header, checksum, order, and that its moves are legal where the book can be reached
///
/// Fails with a line `path: offset: reason`. That positions cannot be reached from the start is said, but is no fault. The short keys
/// of a BOOK.DAT do not tell a position with a move that is not legal from another one: it counts as not reached.
#[derive(Args)]
pub(super) struct Verify {
    /// Books, or BOOK.DATs
    #[arg(required = true)]
    books: Vec<PathBuf>,
}

impl Verify {
    pub(super) fn run(self) -> Result<()> {
        let verify = |path: &PathBuf| match file::open(path)? {
            Source::Native(book) => native(path, book),
            Source::EleEye(book) => eleeye(path, book),
        };
        // Whoever reads no further wants to know of the others all the same.
        let verified: Vec<Result<String>> = self.books.iter().map(verify).collect();
        let told = verified.iter().flatten().try_for_each(|line| say!("{line}"));
        verified.into_iter().try_for_each(|book| book.map(drop))?;
        Ok(told?)
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
    let records = book.records();
    for (index, record) in records.iter().enumerate() {
        let reason = if record.mv().is_none() {
            "no move"
        } else if index > 0 && records[index - 1].order() >= record.order() {
            "out of order"
        } else {
            continue;
        };
        bail!("{}: {}: {reason}", path.display(), index * size_of_val(record));
    }
    let (moves, mut reached) = (records.len(), 0);
    walk(&Source::EleEye(book), &Position::start(), usize::MAX, |_, _| reached += 1);
    Ok(format!("{}: {moves} moves, in order; {reached} positions can be reached from the start", path.display()))
}
