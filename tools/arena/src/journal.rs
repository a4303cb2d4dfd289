//! The memory of a match: one line of JSON for its conditions, then one for each finished game, each on the disk before the
//! next is begun. A match that was killed goes on from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::GameRecord;

/// What makes a match this match: by name, whatever its games depend on.
pub type Conditions = BTreeMap<String, Value>;

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Of the arena that began the match.
    pub version: String,
    /// Of all that is random in it.
    pub seed: u64,
    /// The arguments it was begun with.
    pub command: Vec<String>,
    /// What its games depend on.
    pub conditions: Conditions,
}

/// What a journal may be a list of.
pub trait Entry: Serialize + for<'a> Deserialize<'a> {
    /// What it is called in messages.
    const WHAT: &'static str;

    /// Which one it is; of several with one number the first counts.
    fn number(&self) -> u32;
}

impl Entry for GameRecord {
    const WHAT: &'static str = "game";

    fn number(&self) -> u32 {
        self.number
    }
}

/// An open journal; no other process writes to it.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// What an opened journal knew.
#[derive(Debug)]
pub struct Resumed<T = GameRecord> {
    /// To write on.
    pub journal: Journal,
    /// Its first line.
    pub header: Header,
    /// The finished games in the order in which they finished.
    pub games: Vec<T>,
}

impl Journal {
    /// Opens the journal of the match of `header`, or begins it. A line without an end, which a killed match may have
    /// left, is cut off. If `seed` is `None` the seed of the journal holds.
    ///
    /// # Errors
    /// If the journal belongs to another match, cannot be read, or another process writes to it.
    pub fn open(path: &Path, header: Header, seed: Option<u64>) -> Result<Resumed> {
        Self::open_entries(path, header, seed)
    }

    /// The same for a journal of anything else than games.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open_entries<T: Entry>(path: &Path, header: Header, seed: Option<u64>) -> Result<Resumed<T>> {
        let name = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("the journal {name} cannot be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another match is writing the journal {name}"),
            Err(TryLockError::Error(error)) => return Err(anyhow!(error).context(format!("locking {name}"))),
        }
        let (found, games, length) = read(&mut file).with_context(|| format!("the journal {name}"))?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Self { file, path: path.to_owned() };
        let header = match found {
            None => {
                journal.write_line(&header)?;
                header
            }
            Some(found) => {
                check(&found, &header, seed).with_context(|| {
                    format!(
                        "the journal {name} belongs to another command; name another file, or give the same command"
                    )
                })?;
                found
            }
        };
        Ok(Resumed { journal, header, games })
    }

    /// Adds a finished game and waits until the disk has it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.add_entry(game)
    }

    /// Adds an entry and waits until the disk has it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_entry(&mut self, entry: &impl Entry) -> Result<()> {
        self.write_line(entry)
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("writing the journal {}", self.path.display()))
    }
}

/// The first line of a journal.
///
/// # Errors
/// If there is none.
pub fn read_header(path: &Path) -> Result<Header> {
    let name = path.display();
    let mut file = File::open(path).with_context(|| format!("the journal {name} cannot be opened"))?;
    let header = read_first_line(&mut file).with_context(|| format!("the journal {name}"))?;
    header.with_context(|| format!("the journal {name} is empty"))
}

fn read_first_line(file: &mut File) -> Result<Option<Header>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    header(&bytes, bytes.iter().position(|byte| *byte == b'\n'))
}

/// The header of a journal whose first line ends there.
fn header(bytes: &[u8], end: Option<usize>) -> Result<Option<Header>> {
    let Some(end) = end else {
        // More than a torn header is something else than a journal.
        if !bytes.is_empty() && !bytes.starts_with(b"{\"version\"") && !b"{\"version\"".starts_with(bytes) {
            bail!("line 1 is no heading of a journal");
        }
        return Ok(None);
    };
    serde_json::from_slice(&bytes[..end]).map(Some).context("line 1 is no heading of a journal")
}

/// The header, the entries, and the length of all lines that have an end.
fn read<T: Entry>(file: &mut File) -> Result<(Option<Header>, Vec<T>, u64)> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..length].split_inclusive(|byte| *byte == b'\n').zip(1..);
    let first = lines.next().map(|(line, _)| line.len() - 1);
    let Some(header) = header(&bytes, first)? else { return Ok((None, Vec::new(), 0)) };
    let (mut entries, mut seen) = (Vec::new(), BTreeSet::new());
    for (line, number) in lines {
        let entry: T = serde_json::from_slice(line).with_context(|| format!("line {number} is no {}", T::WHAT))?;
        if seen.insert(entry.number()) {
            entries.push(entry);
        }
    }
    Ok((Some(header), entries, u64::try_from(length)?))
}

/// Whether both headers are of one match.
fn check(found: &Header, wanted: &Header, seed: Option<u64>) -> Result<()> {
    if let Some(seed) = seed.filter(|seed| *seed != found.seed) {
        bail!("the seed was {}, now it is {seed}", found.seed);
    }
    let names: BTreeSet<&String> = found.conditions.keys().chain(wanted.conditions.keys()).collect();
    for name in names {
        let (was, is) = (found.conditions.get(name), wanted.conditions.get(name));
        if was != is {
            let text = |value: Option<&Value>| value.map_or_else(|| "not there".to_owned(), Value::to_string);
            bail!("{name} was {}, now it is {}", text(was), text(is));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, EndingClass, GameResult};
    use std::fs;

    fn header(rounds: u32) -> Header {
        let conditions = [("rounds".to_owned(), Value::from(rounds))].into();
        Header { version: "1".into(), seed: 7, command: vec!["-engine".into()], conditions }
    }

    fn game(number: u32) -> GameRecord {
        GameRecord {
            number,
            round: 1,
            red: "a".into(),
            black: "b".into(),
            start_fen: String::new(),
            opening: None,
            moves: vec![],
            result: GameResult::Draw,
            ending: Ending { class: EndingClass::Agreement, text: String::new() },
            started_at_ms: 0,
            duration_ms: 0,
            time_control: String::new(),
        }
    }

    fn numbers(resumed: &Resumed) -> Vec<u32> {
        resumed.games.iter().map(|game| game.number).collect()
    }

    #[test]
    fn games_come_back_and_a_torn_line_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut resumed = Journal::open(&path, header(2), None).unwrap();
        for number in [2, 1, 2] {
            resumed.journal.add(&game(number)).unwrap();
        }
        drop(resumed);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"number\":3,\"rou").unwrap();
        let mut resumed = Journal::open(&path, Header { seed: 9, ..header(2) }, None).unwrap();
        assert_eq!((resumed.header.seed, numbers(&resumed)), (7, vec![2, 1]));
        resumed.journal.add(&game(4)).unwrap();
        drop(resumed);
        assert_eq!(numbers(&Journal::open(&path, header(2), Some(7)).unwrap()), [2, 1, 4]);
        assert_eq!(read_header(&path).unwrap(), header(2));
    }

    #[test]
    fn a_match_killed_before_its_first_line_was_complete_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for torn in ["", "{\"ver", "{\"version\":\"1\",\"se"] {
            fs::write(&path, torn).unwrap();
            assert!(numbers(&Journal::open(&path, header(2), None).unwrap()).is_empty());
            assert_eq!(read_header(&path).unwrap(), header(2));
        }
    }

    #[test]
    fn what_is_no_journal_of_this_match_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let error = |path: &Path, rounds, seed| format!("{:#}", Journal::open(path, header(rounds), seed).unwrap_err());
        drop(Journal::open(&path, header(2), None).unwrap());
        assert!(error(&path, 3, None).contains("belongs to another command"));
        assert!(error(&path, 3, None).ends_with("rounds was 2, now it is 3"));
        assert!(error(&path, 2, Some(8)).ends_with("the seed was 7, now it is 8"));
        for text in ["my diary", "my diary\nend\n"] {
            fs::write(&path, text).unwrap();
            assert!(error(&path, 2, None).contains("line 1 is no heading"), "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let first = serde_json::to_string(&header(2)).unwrap();
        fs::write(&path, format!("{first}\nnonsense\n{first}\n")).unwrap();
        assert!(error(&path, 2, None).contains("line 2 is no game"));
    }

    #[test]
    fn two_matches_cannot_share_a_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let first = Journal::open(&path, header(2), None).unwrap();
        let error = format!("{:#}", Journal::open(&path, header(2), None).unwrap_err());
        assert!(error.contains("another match is writing"), "{error}");
        drop(first);
    }
}
