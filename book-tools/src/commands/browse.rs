//! `browse`: a walk through a book at the terminal, with changes that can be undone.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe::board::{Move, Position};
use chuhe::book::{About, Record, canonical};
use chuhe::notation::{Notation, write};
use clap::Args;

use super::outputs;
use super::position::{PositionArguments, read_move};
use crate::file;

/// Walk through a book at the terminal and change it
///
/// A line is a move in any notation, which is played, or a command: `back`, `start`, `set MOVE WEIGHT`, `forbid MOVE`, `del
/// MOVE`, `undo` (of changes), `save`, `save FILE`, `help`, `quit`. Nothing is written before `save`; `quit` with unsaved
/// changes must be repeated. A book that is missing begins empty.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools browse my.book
  book-tools browse my.book 炮二平五 马８进７")]
pub(super) struct Browse {
    /// The book, created by `save` if missing
    book: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
}

const HELP: &str = "MOVE: play it; back, start: go back; set MOVE WEIGHT, forbid MOVE, del MOVE: change the book; undo: take the \
                    last change back; save [FILE]: write the book; quit";

/// Place of a move in the book.
type Place = (u64, u16);

/// A book in memory, the line to the position that is shown, and the changes so far.
struct Session {
    path: PathBuf,
    about: About,
    records: BTreeMap<Place, Record>,
    /// Earlier contents of the changed places.
    changes: Vec<(Place, Option<Record>)>,
    /// Number of changes that the file has.
    saved: usize,
    start: Position,
    line: Vec<Move>,
    /// Whether the last line was a `quit` with unsaved changes.
    asked: bool,
}

impl Browse {
    pub(super) fn run(self) -> Result<()> {
        let mut session = Session::open(&self.book, self.position.read()?)?;
        if io::stdin().is_terminal() {
            say!("{HELP}")?;
        }
        session.show()?;
        for line in io::stdin().lock().lines() {
            match session.obey(line?.trim()) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) if error.is::<io::Error>() => return Err(error),
                Err(error) => say!("{error:#}")?,
            }
        }
        if session.is_changed() {
            say!("{}: the changes were not saved", session.path.display())?;
        }
        Ok(())
    }
}

impl Session {
    /// Reads a book, or begins an empty one.
    fn open(path: &Path, start: Position) -> Result<Self> {
        let (about, records) = if path.exists() {
            let book = file::open_native(path)?;
            let records = book.records().iter().map(|record| ((record.key, record.mv), *record)).collect();
            (book.layout().about, records)
        } else {
            outputs::check_native(path, &[])?;
            (About::default(), BTreeMap::new())
        };
        Ok(Self { path: path.to_owned(), about, records, changes: vec![], saved: 0, start, line: vec![], asked: false })
    }

    fn position(&self) -> Position {
        self.line.iter().fold(self.start, |position, &mv| position.play(mv))
    }

    fn is_changed(&self) -> bool {
        self.saved != self.changes.len()
    }

    /// Shows the line, the position and its moves.
    fn show(&self) -> Result<()> {
        let position = self.position();
        let line: Vec<String> = self.line.iter().map(ToString::to_string).collect();
        say!(
            "{}{}",
            position.to_fen(),
            if line.is_empty() { String::new() } else { format!(" after {}", line.join(" ")) }
        )?;
        let (key, frame) = canonical(&position, self.about.symmetry);
        let stored = self.records.range((key, 0)..=(key, u16::MAX)).map(|(_, record)| record);
        let moves = stored.filter_map(|record| Some((frame.apply(record.turned_move()?), *record)));
        let mut moves: Vec<_> = moves.filter(|(mv, _)| position.is_legal(*mv)).collect();
        moves.sort_by_key(|(mv, record)| (record.is_forbidden(), !record.weight, mv.bits()));
        for (mv, record) in moves {
            let eval = record.eval().map_or_else(String::new, |(score, depth)| format!("  {score} cp, depth {depth}"));
            let weight = if record.is_forbidden() { "forbidden".to_owned() } else { record.weight.to_string() };
            say!("{mv} {} {weight:>6}{eval}", write(&position, mv, Notation::Chinese))?;
        }
        Ok(())
    }

    /// Obeys a line; returns whether it ends the walk.
    fn obey(&mut self, line: &str) -> Result<bool> {
        let asked = std::mem::take(&mut self.asked);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => return Ok(false),
            ["help"] => {
                say!("{HELP}")?;
                return Ok(false);
            }
            ["quit"] if self.is_changed() && !asked => {
                self.asked = true;
                say!("the changes are not saved: `save`, or `quit` again")?;
                return Ok(false);
            }
            ["quit"] => return Ok(true),
            ["back"] => {
                self.line.pop().context("this is the first position")?;
            }
            ["start"] => self.line.clear(),
            ["undo"] => self.undo()?,
            ["save"] => return self.save(None).map(|()| false),
            ["save", path] => return self.save(Some(Path::new(path))).map(|()| false),
            ["set", mv, weight] => {
                let weight = weight.parse().with_context(|| format!("{weight:?} is not a weight up to 65535"))?;
                self.change(mv, |record| Some(Record { weight, ..record.forbidden(false) }))?;
            }
            ["forbid", mv] => self.change(mv, |record| Some(record.forbidden(true)))?,
            ["del", mv] => self.change(mv, |_| None)?,
            [mv] => self.line.push(read_move(&self.position(), mv)?),
            _ => bail!("{line:?} is neither a move nor a command; `help` lists them"),
        }
        self.show()?;
        Ok(false)
    }

    /// Changes the record of a move, or a new one of weight 0.
    fn change(&mut self, mv: &str, change: impl Fn(Record) -> Option<Record>) -> Result<()> {
        let position = self.position();
        let (key, frame) = canonical(&position, self.about.symmetry);
        let mv = frame.apply(read_move(&position, mv)?);
        let place = (key, mv.bits());
        let old = self.records.get(&place).copied();
        self.enter(place, change(old.unwrap_or_else(|| Record::new(key, mv, 0))));
        // After an undo below the saved state, the file has a change that is not in the list any more.
        if self.saved > self.changes.len() {
            self.saved = usize::MAX;
        }
        self.changes.push((place, old));
        Ok(())
    }

    fn enter(&mut self, place: Place, record: Option<Record>) {
        if let Some(record) = record {
            self.records.insert(place, record);
        } else {
            self.records.remove(&place);
        }
    }

    fn undo(&mut self) -> Result<()> {
        let (place, old) = self.changes.pop().context("nothing was changed")?;
        self.enter(place, old);
        Ok(())
    }

    fn save(&mut self, path: Option<&Path>) -> Result<()> {
        let path = path.map_or_else(|| self.path.clone(), Path::to_owned);
        outputs::check_native(&path, &[])?;
        let records: Vec<Record> = self.records.values().copied().collect();
        let count = file::write(&path, self.about, file::in_order(records).into_iter().map(Ok))?;
        self.saved = self.changes.len();
        say!("{}: {count} moves", path.display())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_undone_one_by_one_and_saved_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        let mut session = Session::open(&path, Position::start()).unwrap();
        assert!(session.records.is_empty() && !path.exists(), "a missing book begins empty");
        let weights = |session: &Session| session.records.values().map(|record| record.weight).collect::<Vec<_>>();
        for line in ["set 炮二平五 70", "炮二平五", "set 马８进７ 9", "forbid b9c7", "del h9g7", ""] {
            assert!(!session.obey(line).unwrap(), "{line}");
        }
        assert_eq!(session.records.len(), 2);
        session.obey("undo").unwrap();
        session.obey("undo").unwrap();
        assert_eq!(session.records.len(), 2);
        session.obey("back").unwrap();
        assert!(session.line.is_empty() && session.obey("back").is_err());
        session.obey("save").unwrap();
        assert!(!session.is_changed());
        let book = file::open_native(&path).unwrap();
        assert_eq!(book.candidates(&Position::start())[0].weight, 70);
        session.obey("set h2e2 3").unwrap();
        assert!(weights(&session).contains(&3) && !session.obey("quit").unwrap() && session.obey("quit").unwrap());
        session.obey("undo").unwrap();
        assert!(!session.is_changed() && session.obey("quit").unwrap());
        // Another change in the place of a saved one is unsaved.
        session.obey("undo").unwrap();
        session.obey("set c3c4 1").unwrap();
        assert!(session.is_changed());
        for bad in ["h2h8", "set h2e2 x", "set h2e2", "what is this", "del z9z9"] {
            let error = format!("{:#}", session.obey(bad).unwrap_err());
            assert!(!error.contains('\n'), "{error}");
        }
        let again = Session::open(&path, Position::start()).unwrap();
        let mut saved = weights(&again);
        saved.sort_unstable();
        assert_eq!(saved, [9, 70], "what was saved");
        assert!(Session::open(&folder.path().join("a.obk"), Position::start()).is_err());
    }
}
