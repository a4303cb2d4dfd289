//! Checks of output files, by the kind of file that a command writes.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use chuhe::book::{Fault, Source};
use chuhe_games::openings::read::{Format, read_file};
use chuhe_games::outputs::{self, are_one_place, check_apart};

use crate::binghe::is_database;
use crate::text::is_text;
use crate::tuple::TUPLE_BYTES;

/// File name extensions of other formats than Chuhe's own.
const OTHER_ENDINGS: [&str; 6] = ["dat", "obk", "pfbook", "txt", "tuples", "parquet"];

/// Checks that a book in Chuhe's own format may be written to `out` by a command that reads `inputs`.
pub(super) fn check_native(out: &Path, inputs: &[&Path]) -> Result<()> {
    // A damaged book counts too.
    let is_ours = |_: &[u8]| matches!(Source::open(out), Ok(Source::Native(_)) | Err(Fault::Body));
    outputs::check(out, inputs, "book of ours", is_ours)?;
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ensure!(
        !OTHER_ENDINGS.contains(&ending.as_str()),
        "{}: has the file name extension of another format (expected .book, which `convert` turns into others)",
        out.display()
    );
    Ok(())
}

/// Checks that a book of any format may be written to `out` by a command that reads `inputs`.
pub(super) fn check(out: &Path, inputs: &[&Path]) -> Result<()> {
    let is_book = || matches!(Source::open(out), Ok(_) | Err(Fault::Body | Fault::Record { .. }));
    outputs::check(out, inputs, "book", |start| is_text(start) || is_database(start) || is_book())
}

/// Checks that a list of positions may be written to `out` by a command that reads `inputs`.
pub(super) fn check_openings(out: &Path, inputs: &[&Path]) -> Result<()> {
    outputs::check(out, inputs, "list of positions", |_| read_file(out, Format::Epd, None, 1).is_ok())
}

/// Checks that tuples may be written to `out` by a command that reads `inputs`.
pub(super) fn check_tuples(out: &Path, inputs: &[&Path]) -> Result<()> {
    outputs::check(out, inputs, "file of tuples", |start| match out.extension().and_then(|ending| ending.to_str()) {
        Some("tuples") => fs::metadata(out).is_ok_and(|data| data.len() % TUPLE_BYTES as u64 == 0),
        _ => start.starts_with(b"PAR1"),
    })
}

/// Checks that a journal may be kept at `journal` by a command that reads `inputs` and writes `out`.
pub(super) fn check_journal(journal: &Path, out: &Path, inputs: &[&Path]) -> Result<()> {
    ensure!(!are_one_place(journal, out), "{}: is the new book; name another journal", journal.display());
    check_apart(journal, inputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::About;

    #[test]
    fn nothing_is_replaced_that_is_read_or_of_another_kind() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("g.pgn"), "1. h2e2 *\n").unwrap();
        fs::write(at("o.epd"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n").unwrap();
        fs::write(at("a.tuples"), [0; 3 * TUPLE_BYTES]).unwrap();
        crate::file::write(&at("a.book"), About::default(), []).unwrap();
        let said = |result: Result<()>| result.map_or_else(|error| error.to_string(), |()| String::new());
        let (other, game) = (at("x"), at("g.pgn"));
        let games = [other.as_path(), game.as_path()];
        assert!(said(check(&at("g.pgn"), &games)).ends_with("is read as well; name another file"));
        assert!(said(check(&at("g.pgn"), &[])).contains("is not a book"));
        assert!(said(check(&at("o.epd"), &[])).contains("is not a book"));
        assert!(said(check_openings(&at("g.pgn"), &[])).contains("is not a list of positions"));
        for ending in OTHER_ENDINGS {
            assert!(
                said(check_native(&at("new").with_extension(ending), &[])).contains("name extension of another format")
            );
        }
        fs::write(at("text"), crate::text::header(&About::default())).unwrap();
        assert!(said(check_native(&at("text"), &[])).contains("is not a book of ours"));
        assert_eq!(said(check(&at("text"), &[])), "");
        fs::remove_file(at("text")).unwrap();
        let mut damaged = fs::read(at("a.book")).unwrap();
        damaged[chuhe::book::HEADER_BYTES] ^= 1;
        fs::write(at("damaged.book"), damaged).unwrap();
        assert_eq!([said(check_native(&at("damaged.book"), &[])), said(check(&at("damaged.book"), &[]))], ["", ""]);
        fs::remove_file(at("damaged.book")).unwrap();
        assert!(said(check_tuples(&at("a.book"), &[])).contains("is not a file of tuples"));
        assert!(said(check(&at("no/such/place"), &games)).contains("cannot be written") && !at("no").exists());
        let journal = |name: &str| said(check_journal(&at(name), &at("new.book"), &games));
        assert!(journal("./new.book").contains("is the new book") && journal("g.pgn").contains("is read as well"));
        assert_eq!(journal("new.book.journal"), "");
        for result in [
            check(&at("a.book"), &games),
            check(&at("new.book"), &games),
            check_native(&at("a.book"), &games),
            check_native(&at("new"), &games),
            check_openings(&at("o.epd"), &[]),
            check_tuples(&at("a.tuples"), &[]),
        ] {
            assert_eq!(said(result), "");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left");
    }
}
