//! Journal of a match: its conditions, then every finished game, written to disk before the next one starts.
//!
//! A match that was killed resumes from it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe_games::journal::{self, Entry, Journal, Opened};
use chuhe_games::record::GameRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Conditions of a match by name: everything that its games depend on.
pub type Conditions = BTreeMap<String, Value>;

/// Prefix of conditions that describe the contents of a file.
pub(crate) const CONTENTS: &str = "what is in ";

/// First line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the arena that began the match.
    pub version: String,
    /// Seed of everything random in the match.
    pub seed: u64,
    /// Arguments that started the match, with the latest `-rounds`.
    pub command: Vec<String>,
    /// Directory in which the command was given, to which its paths are relative.
    pub directory: PathBuf,
    /// Conditions of the games.
    pub conditions: Conditions,
    /// Place of the match, which is not compared when a match resumes.
    #[serde(default)]
    pub origin: Origin,
}

/// Machine and engines with which a match began, as the report shows them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// Processor, its cores, and operating system; empty if unknown.
    pub machine: String,
    /// Names by which the engines introduced themselves, in their order; empty where one did not.
    pub versions: Vec<String>,
}

impl Header {
    /// Returns the header with the number of rounds of this command.
    pub(crate) fn with_rounds_of(mut self, command: &[String]) -> Self {
        let (was, now) = (length(&self.command), command[length(command)].to_vec());
        self.command.splice(was, now);
        self
    }

    /// Returns the header of a match with the larger number of rounds of the two.
    pub(crate) fn or_longer(self, other: &Self) -> Self {
        let rounds = |header: &Self| -> u32 {
            let words = &header.command[length(&header.command)];
            words.get(1).and_then(|number| number.parse().ok()).unwrap_or(1)
        };
        if rounds(other) > rounds(&self) { self.with_rounds_of(&other.command) } else { self }
    }
}

/// Returns the place of `-rounds` and its value in a command, or its end if there is none.
fn length(words: &[String]) -> Range<usize> {
    let at = words.iter().position(|word| matches!(word.as_str(), "-rounds" | "--rounds"));
    at.map_or(words.len()..words.len(), |at| at..words.len().min(at + 2))
}

/// An entry with a number; of several entries with one number, only the first counts.
pub trait Numbered: Entry {
    /// Returns the number of the entry.
    fn number(&self) -> u32;
}

impl Numbered for GameRecord {
    fn number(&self) -> u32 {
        self.number
    }
}

/// Opens the journal of the match of `header`, or creates it. If `seed` is `None`, the seed of the journal is kept.
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

/// Reads the first line of a journal.
///
/// # Errors
/// If there is no such line.
pub fn read_header(path: &Path) -> Result<Header> {
    journal::read_header(path)
}

/// Checks that both headers belong to one match; an error lists the differences.
pub(crate) fn check(found: &Header, wanted: &Header, seed: Option<u64>) -> Result<()> {
    let mut all = Vec::new();
    if let Some(seed) = seed.filter(|seed| *seed != found.seed) {
        all.push(format!("the seed was {}, now it is {seed}", found.seed));
    }
    for name in found.conditions.keys().chain(wanted.conditions.keys()).collect::<BTreeSet<_>>() {
        all.extend(differences(name, found.conditions.get(name), wanted.conditions.get(name)));
    }
    if all.is_empty() {
        return Ok(());
    }
    let more = all.len().saturating_sub(MOST_DIFFERENCES);
    let rest = if more == 0 { String::new() } else { format!("; and {more} more") };
    all.truncate(MOST_DIFFERENCES);
    bail!("{}{rest}", all.join("; "))
}

/// Maximum number of differences in a message.
const MOST_DIFFERENCES: usize = 8;

/// Lists the parts in which two values differ, such as the time control or a single option of an engine.
fn differences(name: &str, was: Option<&Value>, is: Option<&Value>) -> Vec<String> {
    if was == is {
        return Vec::new();
    }
    match (was.and_then(parts), is.and_then(parts)) {
        (Some(was), Some(is)) => {
            let keys: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
            let of = |key: &&String| differences(&format!("{name}: {key}"), was.get(*key), is.get(*key));
            keys.iter().flat_map(of).collect()
        }
        _ => vec![format!("{name} was {}, now it is {}", text(was), text(is))],
    }
}

/// Returns the named parts of a value: of an object, or of a list of names and values. A duration has none.
fn parts(value: &Value) -> Option<BTreeMap<String, Value>> {
    match value {
        Value::Object(object) if seconds(value).is_none() => Some(object.clone().into_iter().collect()),
        Value::Array(list) => list
            .iter()
            .map(|entry| match entry.as_array()?.as_slice() {
                [Value::String(name), value] => Some((name.clone(), value.clone())),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// Returns a duration in seconds.
fn seconds(value: &Value) -> Option<f64> {
    let part = |name| value.get(name)?.as_u64();
    Some(part("secs")? as f64 + part("nanos")? as f64 / 1e9)
}

/// Formats a value for messages.
fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "not given".to_owned(),
        Some(Value::String(text)) => format!("{text:?}"),
        Some(value) => seconds(value).map_or_else(|| value.to_string(), |seconds| format!("{seconds} s")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;
    use chuhe_engines::player::EngineSpec;
    use chuhe_games::record::{EndingClass, GameResult};

    fn header(rounds: u32) -> Header {
        let conditions = [("rounds".to_owned(), Value::from(rounds))].into();
        Header {
            version: "1".into(),
            seed: 7,
            command: vec!["-engine".into()],
            directory: "/".into(),
            conditions,
            origin: Origin::default(),
        }
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

    #[test]
    fn all_that_differs_is_named_and_nothing_else() {
        let engine = |options: &[[&str; 2]], time: &str| {
            let options = options.iter().map(|option| option.map(str::to_owned).into()).collect();
            let time = time.parse().unwrap();
            serde_json::to_value(EngineSpec { options, time, ..EngineSpec::new("a") }).unwrap()
        };
        let header = |engine: Value, draw: Value| Header {
            conditions: [("engine 1".to_owned(), engine), ("draw".to_owned(), draw)].into(),
            ..header(2)
        };
        let found = header(engine(&[["Hash", "16"], ["Threads", "1"]], "10+0.1"), Value::Null);
        assert!(check(&found, &found, None).is_ok());
        let wanted = header(engine(&[["Hash", "32"], ["Threads", "1"], ["Style", "wild"]], "5.5+0.1"), "x".into());
        let error = check(&found, &wanted, None).unwrap_err().to_string();
        let parts = [
            "draw was not given, now it is \"x\"",
            "engine 1: options: Hash was \"16\", now it is \"32\"",
            "engine 1: options: Style was not given, now it is \"wild\"",
            "engine 1: time: base was 10 s, now it is 5.5 s",
        ];
        assert_eq!(error, parts.join("; "));
        let many = |value: u32| Header {
            conditions: (0..10).map(|number| (format!("n{number}"), value.into())).collect(),
            ..header(Value::Null, Value::Null)
        };
        let error = check(&many(1), &many(2), None).unwrap_err().to_string();
        assert!(error.matches(" was 1, now it is 2").count() == 8 && error.ends_with("; and 2 more"), "{error}");
    }
}
