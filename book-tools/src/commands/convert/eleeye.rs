//! Records of a `BOOK.DAT`.

use std::path::Path;

use anyhow::{Context, Result};
use chuhe::board::{Move, Position};
use chuhe::book::{EleEyeBook, EleEyeRecord, Record, Symmetry, canonical};

use crate::entry::Entry;

/// Returns every record of a book under its own key.
pub(super) fn records(book: &EleEyeBook, path: &Path) -> Result<Vec<Record>> {
    let records = book.records().iter().enumerate().map(|(index, record)| {
        let mv = record
            .mv()
            .with_context(|| format!("{}: {}: no move", path.display(), index * size_of::<EleEyeRecord>()))?;
        Ok(Record::new(u64::from(record.lock()) << 32, mv, record.weight()))
    });
    records.collect()
}

/// Converts a record for a `BOOK.DAT`; forbidden moves have no place in it.
pub(super) fn record(record: &Record) -> Option<EleEyeRecord> {
    let lock = (record.key >> 32) as u32;
    record.turned_move().filter(|_| !record.is_forbidden()).map(|mv| EleEyeRecord::new(lock, mv, record.weight))
}

/// Returns the entries of a position, under the key of ElephantEye.
pub(super) fn of_position(position: &Position, entries: &[Entry]) -> Vec<EleEyeRecord> {
    let (key, frame) = canonical(position, Symmetry::EleEye);
    let record = |entry: &Entry| EleEyeRecord::new((key >> 32) as u32, frame.apply(entry.mv), entry.weight);
    entries.iter().filter(|entry| !entry.forbidden).map(record).collect()
}

/// Returns the entry with the colours exchanged.
pub(super) fn swapped(entry: &Entry) -> Entry {
    Entry { mv: Move::new(entry.mv.from().rotated(), entry.mv.to().rotated()), ..*entry }
}
