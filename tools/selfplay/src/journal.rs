//! Journal: the games of an unfinished chunk in the order they finished.
//!
//! A killed process loses only the games in progress.
//!
//! ```text
//!  magic    8 bytes
//!  records  length (4 bytes), sum (8 bytes: xxh3 of the rest), the rest
//! ```
//!
//! The first record is the [`Head`] as JSON, each of the others is a game.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe_games::{json, outputs};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::game::Game;
use crate::recipe::Recipe;
use crate::streams::{Reader, STREAMS, Streams, read_number, write_number};

const MAGIC: &[u8; 8] = b"CHUHESJ\n";

/// Identity of the games in a journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Number of the chunk's first game.
    pub first: u64,
    /// Number of games of the complete chunk.
    pub games: u64,
    /// Recipe of the games.
    pub recipe: Recipe,
}

/// Open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// Opened journal with its previous contents.
#[derive(Debug)]
pub struct Resumed {
    /// The journal, ready for appending.
    pub journal: Journal,
    /// Games by number.
    pub games: BTreeMap<u64, Game>,
    /// Number of bytes removed at the end because they were not a complete record.
    pub cut: u64,
}

impl Journal {
    /// Opens or creates the journal of these games. An incomplete record left by a killed process is cut off.
    ///
    /// # Errors
    /// If the file holds other games, is not a journal, cannot be read, or is locked by another process.
    pub fn open(path: &Path, head: &Head) -> Result<Resumed> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        outputs::lock(&file, || "another process is making these games".to_owned())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (games, length) = read(&bytes, head)?;
        file.set_len(length as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Self { file, path: path.to_owned() };
        if length == 0 {
            let payload = serde_json::to_vec(head)?;
            journal.write(&[MAGIC.as_slice(), &record(&payload)?].concat())?;
        }
        Ok(Resumed { journal, games, cut: (bytes.len() - length) as u64 })
    }

    /// Appends a game.
    ///
    /// The game survives the death of the process, but the failure of the machine only after [`Journal::sync`].
    ///
    /// # Errors
    /// If the game cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        self.write(&record(&payload(game))?)
    }

    /// Flushes all games to disk.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("writing {}", self.path.display()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| format!("writing {}", self.path.display()))
    }
}

fn record(payload: &[u8]) -> Result<Vec<u8>> {
    let length = u32::try_from(payload.len())?.to_le_bytes();
    Ok([&length, XxHash3_64::oneshot(payload).to_le_bytes().as_slice(), payload].concat())
}

/// Splits a complete record off the front.
fn take_record<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (payload, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    if XxHash3_64::oneshot(payload) != u64::from_le_bytes(*sum) {
        return None;
    }
    *bytes = rest;
    Some(payload)
}

/// Parses the games; returns them with the total length of the complete records.
fn read(bytes: &[u8], head: &Head) -> Result<(BTreeMap<u64, Game>, usize)> {
    let mut games = BTreeMap::new();
    let Some(mut rest) = bytes.strip_prefix(MAGIC.as_slice()) else {
        // Anything but a truncated magic is a foreign file.
        ensure!(MAGIC.starts_with(bytes), "it is not a journal of games");
        return Ok((games, 0));
    };
    let Some(found) = take_record(&mut rest) else { return Ok((games, 0)) };
    let found: Head = json::read(found).context("its header is invalid")?;
    if let Some(difference) = found.recipe.difference(&head.recipe) {
        bail!("it belongs to other games: {difference}");
    }
    ensure!(
        (found.first, found.games) == (head.first, head.games),
        "it is of {} games from {} on, not of {} from {} on",
        found.games,
        found.first,
        head.games,
        head.first
    );
    while let Some(payload) = take_record(&mut rest) {
        let game = read_payload(payload).context("a record is invalid")?;
        ensure!((head.first..head.first + head.games).contains(&game.number), "it has game {}", game.number);
        games.entry(game.number).or_insert(game);
    }
    Ok((games, bytes.len() - rest.len()))
}

/// Encodes the number and the streams of one game, each prefixed with its length.
fn payload(game: &Game) -> Vec<u8> {
    let mut streams = Streams::default();
    streams.push(game);
    let mut bytes = Vec::new();
    write_number(&mut bytes, game.number);
    for stream in &streams.bytes {
        write_number(&mut bytes, stream.len() as u64);
        bytes.extend_from_slice(stream);
    }
    bytes
}

fn read_payload(mut bytes: &[u8]) -> Option<Game> {
    let number = read_number(&mut bytes)?;
    let mut streams = [&[][..]; STREAMS];
    for stream in &mut streams {
        let length = usize::try_from(read_number(&mut bytes)?).ok()?;
        *stream = bytes.split_off(..length)?;
    }
    let mut reader = Reader::new(streams);
    let game = reader.next(number).ok()?;
    (reader.is_at_end() && bytes.is_empty()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::game;
    use crate::recipe::tests::quick;
    use crate::streams::tests::any_game;
    use proptest::prelude::*;
    use std::fs;

    fn head() -> Head {
        Head { first: 0, games: 100, recipe: quick(1) }
    }

    fn numbered(number: u64) -> Game {
        Game { number, ..game("h2e2", &[("h9g7", -20), ("b0c2", 35)]) }
    }

    /// Writes a journal of three games; returns the end offsets of its records.
    fn written(path: &Path) -> Vec<u64> {
        let mut journal = Journal::open(path, &head()).unwrap().journal;
        let mut ends = vec![fs::metadata(path).unwrap().len()];
        for number in [5, 2, 9] {
            journal.add(&numbered(number)).unwrap();
            ends.push(fs::metadata(path).unwrap().len());
        }
        journal.sync().unwrap();
        ends
    }

    #[test]
    fn whole_records_come_back_wherever_the_file_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let ends = written(&path);
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut resumed = Journal::open(&path, &head()).unwrap();
            let kept = ends.iter().filter(|&&end| end <= length as u64).count();
            let expected: BTreeMap<u64, Game> =
                [5, 2, 9].iter().take(kept.saturating_sub(1)).map(|&number| (number, numbered(number))).collect();
            assert_eq!(resumed.games, expected, "cut to {length}");
            let end = if kept == 0 { 0 } else { ends[kept - 1] };
            assert_eq!(resumed.cut, length as u64 - end);
            resumed.journal.add(&numbered(7)).unwrap();
            drop(resumed);
            let resumed = Journal::open(&path, &head()).unwrap();
            assert_eq!((resumed.games.len(), resumed.cut), (expected.len() + 1, 0));
        }
    }

    #[test]
    fn a_damaged_record_and_what_follows_is_cut_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let ends = written(&path);
        let whole = fs::read(&path).unwrap();
        for at in usize::try_from(ends[0]).unwrap()..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            let resumed = Journal::open(&path, &head()).unwrap();
            let kept = ends.iter().filter(|&&end| end <= at as u64).count();
            assert_eq!((resumed.games.len(), resumed.cut), (kept - 1, whole.len() as u64 - ends[kept - 1]));
        }
    }

    #[test]
    fn what_is_no_journal_of_these_games_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let error = |head: &Head| format!("{:#}", Journal::open(&path, head).unwrap_err());
        let ends = written(&path);
        assert!(error(&Head { recipe: quick(2), ..head() }).ends_with("other games: seed is 1 here and 2 there"));
        assert!(error(&Head { first: 100, ..head() }).starts_with("it is of 100 games from 0 on, not of 100 from 100"));
        assert_eq!(fs::metadata(&path).unwrap().len(), ends[3]);
        fs::write(&path, "my diary").unwrap();
        assert_eq!(error(&head()), "it is not a journal of games");
        assert_eq!(fs::read_to_string(&path).unwrap(), "my diary");
    }

    #[test]
    fn two_processes_do_not_share_a_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let first = Journal::open(&path, &head()).unwrap();
        assert_eq!(Journal::open(&path, &head()).unwrap_err().to_string(), "another process is making these games");
        drop(first);
        assert!(Journal::open(&path, &head()).is_ok());
    }

    proptest! {
        #[test]
        fn games_survive_their_record(game in any_game(12)) {
            prop_assert_eq!(read_payload(&payload(&game)), Some(game));
        }
    }
}
