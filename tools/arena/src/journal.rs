//! The memory of a match: what its games depend on, then each finished game, on the disk before the next is begun. A match
//! that was killed goes on from it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe_games::journal::{self, Entry, Journal, Opened};
use chuhe_games::record::GameRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What makes a match this match: by name, whatever its games depend on.
pub type Conditions = BTreeMap<String, Value>;

/// How the names of conditions begin that tell what is in a file.
pub(crate) const CONTENTS: &str = "what is in ";

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Of the arena that began the match.
    pub version: String,
    /// Of all that is random in it.
    pub seed: u64,
    /// The arguments it was begun with, or has gone on with as far as rounds are concerned.
    pub command: Vec<String>,
    /// Where they were given: the paths among them begin there.
    pub directory: PathBuf,
    /// What its games depend on.
    pub conditions: Conditions,
}

impl Header {
    /// The same of a match that is as long as this command says.
    pub(crate) fn with_rounds_of(mut self, command: &[String]) -> Self {
        let (was, now) = (length(&self.command), command[length(command)].to_vec());
        self.command.splice(was, now);
        self
    }

    /// The longer of two matches that are the same but for that.
    pub(crate) fn or_longer(self, other: &Self) -> Self {
        let rounds = |header: &Self| -> u32 {
            let words = &header.command[length(&header.command)];
            words.get(1).and_then(|number| number.parse().ok()).unwrap_or(1)
        };
        if rounds(other) > rounds(&self) { self.with_rounds_of(&other.command) } else { self }
    }
}

/// Where a command says how many rounds there are, or its end if it does not.
fn length(words: &[String]) -> Range<usize> {
    let at = words.iter().position(|word| matches!(word.as_str(), "-rounds" | "--rounds"));
    at.map_or(words.len()..words.len(), |at| at..words.len().min(at + 2))
}

/// An entry that is there once, however often it was written.
pub trait Numbered: Entry {
    /// Which one it is; of several with one number the first counts.
    fn number(&self) -> u32;
}

impl Numbered for GameRecord {
    fn number(&self) -> u32 {
        self.number
    }
}

/// Opens the journal of the match of `header`, or begins it. If `seed` is `None` the seed of the journal holds.
///
/// # Errors
/// If the journal belongs to another match, cannot be read, or another process writes to it.
pub fn open<T: Numbered>(path: &Path, header: Header, seed: Option<u64>) -> Result<Opened<Header, T>> {
    let wanted = header.clone();
    let mut opened = Journal::open(path, header, |found| {
        check(found, &wanted, seed).with_context(|| {
            let name = path.display();
            format!("the journal {name} belongs to another command; name another file, or give the same command")
        })
    })?;
    let mut seen = BTreeSet::new();
    opened.entries.retain(|entry: &T| seen.insert(entry.number()));
    Ok(opened)
}

/// The first line of a journal.
///
/// # Errors
/// If there is none.
pub fn read_header(path: &Path) -> Result<Header> {
    journal::read_header(path)
}

/// Whether both headers are of one match.
pub(crate) fn check(found: &Header, wanted: &Header, seed: Option<u64>) -> Result<()> {
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
    use crate::made_up;
    use chuhe_games::record::{EndingClass, GameResult};

    fn header(rounds: u32) -> Header {
        let conditions = [("rounds".to_owned(), Value::from(rounds))].into();
        Header { version: "1".into(), seed: 7, command: vec!["-engine".into()], directory: "/".into(), conditions }
    }

    fn game(number: u32) -> GameRecord {
        made_up::game(number, "a", "b", GameResult::Draw, EndingClass::Agreement)
    }

    fn resume(path: &Path, header: Header, seed: Option<u64>) -> Result<Opened<Header, GameRecord>> {
        open(path, header, seed)
    }

    #[test]
    fn games_come_back_once_and_with_their_seed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut first = resume(&path, header(2), None).unwrap();
        for number in [2, 1, 2] {
            first.journal.add(&game(number)).unwrap();
        }
        drop(first);
        let again = resume(&path, Header { seed: 9, ..header(2) }, None).unwrap();
        let numbers: Vec<u32> = again.entries.iter().map(|game| game.number).collect();
        assert_eq!((again.header.seed, numbers), (7, vec![2, 1]));
        assert_eq!(read_header(&path).unwrap(), header(2));
    }

    #[test]
    fn of_parts_the_longest_says_how_long_the_match_is() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let longer = |one: &str, other: &str| {
            let header = |line: &str| Header { command: words(line), ..header(2) };
            header(one).or_longer(&header(other)).command.join(" ")
        };
        assert_eq!(longer("-rounds 2 -report r", "-rounds 10 -log l"), "-rounds 10 -report r");
        assert_eq!(longer("-rounds 10 -report r", "-rounds 2"), "-rounds 10 -report r");
        assert_eq!(
            (longer("-log l", "-rounds 3"), longer("-rounds 3", "-log l")),
            ("-log l -rounds 3".into(), "-rounds 3".into())
        );
    }

    #[test]
    fn the_newest_number_of_rounds_holds() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let length = |begun: &str, now: &str| {
            Header { command: words(begun), ..header(2) }.with_rounds_of(&words(now)).command.join(" ")
        };
        assert_eq!(length("-rounds 2 -report r", "-rounds 2 -log l"), "-rounds 2 -report r");
        assert_eq!(length("-games 2 --rounds 2 -report r", "-log l -rounds 9"), "-games 2 -rounds 9 -report r");
        assert_eq!(length("-report r", "-rounds 9 -log l"), "-report r -rounds 9");
        assert_eq!(length("-rounds 2 -report r", "-log l"), "-report r");
    }

    #[test]
    fn the_journal_of_another_match_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        drop(resume(&path, header(2), None).unwrap());
        let error = |rounds, seed| format!("{:#}", resume(&path, header(rounds), seed).unwrap_err());
        assert!(error(3, None).contains("belongs to another command"));
        assert!(error(3, None).ends_with("rounds was 2, now it is 3"));
        assert!(error(2, Some(8)).ends_with("the seed was 7, now it is 8"));
    }
}
