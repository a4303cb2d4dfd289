//! Books on disk: opening, and writing whole or not at all.

use std::io::{BufWriter, Cursor};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use chuhe::book::{About, BookError, NativeBook, Record, Source, Writer};
use chuhe_games::replace::replace;

/// Opens a book of any format; of Chuhe's own one all is read to verify its checksum.
///
/// # Errors
/// If the book cannot be read; the message names the file and the reason.
pub fn open(path: &Path) -> Result<Source> {
    let book = open_unread(path)?;
    if let Source::Native(book) = &book {
        book.verify().map_err(|fault| BookError { path: path.to_owned(), fault })?;
    }
    Ok(book)
}

/// Opens a book to look up a single position: of a book that is too large for memory only the header is checked, in constant
/// time.
///
/// # Errors
/// If the book cannot be read; the message names the file and the reason.
pub fn open_unread(path: &Path) -> Result<Source> {
    Ok(Source::open(path).map_err(|fault| BookError { path: path.to_owned(), fault })?)
}

/// Opens a book of Chuhe's own format.
///
/// # Errors
/// If the book cannot be read or is of another format; the message names the file and the reason.
pub fn open_native(path: &Path) -> Result<NativeBook> {
    match open(path)? {
        Source::Native(book) => Ok(book),
        Source::EleEye(_) => anyhow::bail!("{}: a BOOK.DAT; `book-tools convert` makes a book of it", path.display()),
        Source::Binghe(_) => anyhow::bail!("{}: a database; `book-tools convert` makes a book of it", path.display()),
    }
}

/// Writes a book of sorted records; returns their number.
///
/// # Errors
/// If a record is out of order or the file cannot be written; the old file stays then.
pub fn write(path: &Path, about: About, records: impl IntoIterator<Item = Result<Record>>) -> Result<u64> {
    write_from(path, about, records.into_iter(), |_| about.sources)
}

/// Writes a book of sorted records whose [`About::sources`] are known only after the last one; returns their number.
///
/// # Errors
/// If a record is out of order or the file cannot be written; the old file stays then.
pub fn write_from<I: Iterator<Item = Result<Record>>>(
    path: &Path,
    about: About,
    mut records: I,
    sources: impl FnOnce(&I) -> u64,
) -> Result<u64> {
    let place = || format!("{}: cannot be written", path.display());
    replace(path, |file| {
        let mut writer = Writer::new(BufWriter::new(file), about).with_context(place)?;
        for record in &mut records {
            writer.push(record?).with_context(place)?;
        }
        writer.set_sources(sources(&records));
        let count = writer.count();
        let out = writer.finish().with_context(place)?;
        Ok((out.into_inner().with_context(place)?, count))
    })
}

/// Creates a book of sorted records in memory.
///
/// # Errors
/// If a record is out of order.
pub fn in_memory(about: About, records: &[Record]) -> Result<NativeBook> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), about)?;
    for record in records {
        writer.push(*record)?;
    }
    Ok(NativeBook::copied(writer.finish()?.get_ref())?)
}

/// Sorts records in the order of a book; of several for one move the last one is kept.
pub fn in_order(mut records: Vec<Record>) -> Vec<Record> {
    records.reverse();
    records.sort_by_key(|record| (record.key, record.mv));
    records.dedup_by_key(|record| (record.key, record.mv));
    records.sort_by_key(Record::order);
    records
}

/// Returns the range of a key's records among those of a book.
pub fn range_of_key(records: &[Record], key: u64) -> Range<usize> {
    records.partition_point(|record| record.key < key)..records.partition_point(|record| record.key <= key)
}

/// Returns the number of records that [`in_order`] drops.
pub fn repeated(records: &[Record]) -> usize {
    records.len() - in_order(records.to_vec()).len()
}

/// Joins a library's error message into one line, as it may quote anything from a damaged file.
pub(crate) fn in_one_line(said: &str) -> String {
    said.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_book_that_fails_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        let record = |key| Record::new(key, "h2e2".parse().unwrap(), 1);
        assert_eq!(write(&path, About::default(), [Ok(record(1)), Ok(record(2))]).unwrap(), 2);
        assert!(write(&path, About::default(), [Ok(record(3)), Ok(record(2))]).is_err());
        assert!(write(&path, About::default(), [Ok(record(3)), Err(anyhow::anyhow!("stop"))]).is_err());
        assert_eq!(open_native(&path).unwrap().records().len(), 2);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn an_altered_book_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        let record = Record::new(1, "h2e2".parse().unwrap(), 1);
        write(&path, About::default(), [Ok(record)]).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[chuhe::book::HEADER_BYTES + chuhe::book::RECORD_BYTES - 1] ^= 1;
        fs::write(&path, bytes).unwrap();
        for said in [open(&path).map(drop), open_native(&path).map(drop), open_unread(&path).map(drop)] {
            let said = format!("{:#}", said.unwrap_err());
            assert!(said.contains("a.book") && said.contains("checksum"), "{said}");
        }
    }

    #[test]
    fn the_last_record_of_a_move_stays() {
        let record = |key, weight| Record::new(key, "h2e2".parse().unwrap(), weight);
        assert_eq!(in_order(vec![record(2, 1), record(1, 5), record(2, 9)]), [record(1, 5), record(2, 9)]);
    }
}
