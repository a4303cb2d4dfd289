//! Where a command may write: not over what it reads, and over nothing of another kind.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::book::Source;
use chuhe_games::openings::read::{Format, read_file};
use chuhe_games::replace;

use crate::binghe::is_database;
use crate::text::is_text;
use crate::tuple::TUPLE_BYTES;

/// Enough of a file to know its kind.
const BEGINNING: u64 = 256;

/// Whether a book, of whatever format, may be written to `out` by a command that reads `inputs`.
pub(super) fn check(out: &Path, inputs: &[&Path]) -> Result<()> {
    check_kind(out, inputs, "book", |start| is_text(start) || is_database(start) || Source::open(out).is_ok())
}

/// The same for a list of positions.
pub(super) fn check_openings(out: &Path, inputs: &[&Path]) -> Result<()> {
    check_kind(out, inputs, "list of positions", |_| read_file(out, Format::Epd, None, 1).is_ok())
}

/// The same for tuples.
pub(super) fn check_tuples(out: &Path, inputs: &[&Path]) -> Result<()> {
    check_kind(out, inputs, "file of tuples", |start| match out.extension().and_then(|ending| ending.to_str()) {
        Some("tuples") => fs::metadata(out).is_ok_and(|data| data.len() % TUPLE_BYTES as u64 == 0),
        _ => start.starts_with(b"PAR1"),
    })
}

/// The same for a page, which `is_ours` knows by its beginning.
pub(super) fn check_page(out: &Path, inputs: &[&Path], is_ours: impl Fn(&[u8]) -> bool) -> Result<()> {
    check_kind(out, inputs, "page of a book", is_ours)
}

/// Whether a journal may be kept at `journal` by a command that reads `inputs` and writes `out`.
pub(super) fn check_journal(journal: &Path, out: &Path, inputs: &[&Path]) -> Result<()> {
    ensure!(place(journal) != place(out), "{}: is the new book; name another journal", journal.display());
    check_apart(journal, inputs)
}

fn check_apart(out: &Path, inputs: &[&Path]) -> Result<()> {
    let here = place(out);
    ensure!(inputs.iter().all(|input| place(input) != here), "{}: is read as well; name another file", out.display());
    Ok(())
}

/// What a path means, whether or not there is a file yet.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

fn check_kind(out: &Path, inputs: &[&Path], kind: &str, is_kind: impl Fn(&[u8]) -> bool) -> Result<()> {
    let name = out.display();
    check_apart(out, inputs)?;
    replace::check(out)?;
    let mut start = Vec::new();
    if out.exists() {
        let read = File::open(out).and_then(|file| file.take(BEGINNING).read_to_end(&mut start));
        read.with_context(|| format!("{name}: cannot be read"))?;
    }
    ensure!(
        start.is_empty() || is_kind(&start),
        "{name}: holds something that is no {kind}, and is not replaced; name another file"
    );
    Ok(())
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
        assert!(said(check(&at("g.pgn"), &[])).contains("is no book"));
        assert!(said(check(&at("o.epd"), &[])).contains("is no book"));
        assert!(said(check_openings(&at("g.pgn"), &[])).contains("is no list of positions"));
        assert!(said(check_tuples(&at("a.book"), &[])).contains("is no file of tuples"));
        assert!(said(check(&at("no/such/place"), &games)).contains("cannot be written") && !at("no").exists());
        let journal = |name: &str| said(check_journal(&at(name), &at("new.book"), &games));
        assert!(journal("./new.book").contains("is the new book") && journal("g.pgn").contains("is read as well"));
        assert_eq!(journal("new.book.journal"), "");
        for result in [
            check(&at("a.book"), &games),
            check(&at("new.book"), &games),
            check_openings(&at("o.epd"), &[]),
            check_tuples(&at("a.tuples"), &[]),
        ] {
            assert_eq!(said(result), "");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left");
    }
}
