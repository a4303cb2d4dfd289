//! What an analysis has found so far: a line of JSON for its conditions, then one for every position, so that a command
//! that was interrupted goes on where it was.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// An open journal; no other process writes to it.
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// The first line.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    /// All that the entries depend on.
    conditions: serde_json::Value,
}

impl Journal {
    /// Begins a journal, or goes on with one that was begun under the same conditions; returns the entries that are there.
    ///
    /// # Errors
    /// If there is a journal and `resume` is not set, if it was begun under other conditions, is no journal, or cannot be
    /// written.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        conditions: serde_json::Value,
        resume: bool,
    ) -> Result<(Self, Vec<T>)> {
        let name = path.display();
        let place = || format!("the journal {name}");
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).with_context(place)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process is writing {}", place()),
            Err(TryLockError::Error(error)) => return Err(anyhow!(error).context(place())),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(place)?;
        // A line without an end was being written as the process ended.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        ensure!(
            resume || text.is_empty(),
            "{} is there: an analysis was interrupted; --resume goes on with it, or delete it",
            place()
        );
        file.set_len(text.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Self { file, path: path.to_owned() };
        let header = Header { conditions };
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            None => journal.add(&header)?,
            Some((line, _)) => {
                let found: Header = serde_json::from_str(line).with_context(|| format!("{name}:1: not a journal"))?;
                ensure!(found == header, "{} was begun with other settings; repeat those or delete it", place());
            }
        }
        let entry = |(line, number)| serde_json::from_str(line).with_context(|| format!("{name}:{number}"));
        let entries = lines.map(entry).collect::<Result<Vec<T>>>()?;
        Ok((journal, entries))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<()> {
        let mut bytes = serde_json::to_vec(entry)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).with_context(|| format!("writing the journal {}", self.path.display()))
    }

    /// Removes it: what it knows is in the book.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path).with_context(|| format!("removing {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_journal_goes_on_under_the_same_conditions_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        let open = |depth: u32, resume| Journal::open::<u32>(&path, json!({ "depth": depth }), resume);
        let (mut journal, entries) = open(5, false).unwrap();
        assert!(entries.is_empty() && open(5, true).is_err(), "another writes");
        journal.add(&7).unwrap();
        journal.add(&8).unwrap();
        journal.file.write_all(b"12").unwrap();
        drop(journal);
        let said = open(5, false).err().unwrap().to_string();
        assert!(said.contains("a.journal") && said.contains("--resume"), "{said}");
        assert!(open(6, true).is_err(), "other conditions");
        let (mut journal, entries) = open(5, true).unwrap();
        assert_eq!(entries, [7, 8], "half a line is none");
        journal.add(&9).unwrap();
        drop(journal);
        let (journal, entries) = open(5, true).unwrap();
        assert_eq!(entries, [7, 8, 9]);
        journal.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(Journal::open::<u32>(&path, json!(1), true).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"hello\n");
    }
}
