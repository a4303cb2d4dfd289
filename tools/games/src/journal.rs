//! Journals: a line of JSON for the parameters that the entries depend on, then one line per entry of any kind. A killed
//! process resumes from its journal, and other processes may read the journal while it is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::file;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::replace::write_bytes;
use crate::{json, outputs};

/// Entry of a journal.
pub trait Entry: Serialize + DeserializeOwned {
    /// Name of an entry in messages.
    const WHAT: &'static str;
}

/// An open journal, locked against other writers.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Length of all complete lines, in bytes.
    length: u64,
}

/// A journal that was opened, with its contents.
#[derive(Debug)]
pub struct Opened<H, T> {
    /// Journal to append to.
    pub journal: Journal,
    /// First line of the journal.
    pub header: H,
    /// Entries in the order in which they were written.
    pub entries: Vec<T>,
}

impl Journal {
    /// Opens a journal, or begins one with `header`. An incomplete last line, as a killed process leaves it, is cut off.
    ///
    /// # Errors
    /// If the file is not such a journal, `accept` refuses its header, it cannot be read or written, or another process
    /// writes to it. The file is unchanged then.
    pub fn open<H: Serialize + DeserializeOwned, T: Entry>(
        path: &Path,
        header: H,
        accept: impl FnOnce(&H) -> Result<()>,
    ) -> Result<Opened<H, T>> {
        let place = || place(path);
        let mut file = locked(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(place)?;
        let first = line(&header)?;
        let Contents { header: found, entries, length } = contents(&bytes, &first).with_context(place)?;
        if let Some(found) = &found {
            accept(found)?;
        }
        file.set_len(length)?;
        let mut journal = Self { file, path: path.to_owned(), length };
        let header = match found {
            Some(found) => found,
            None => {
                journal.write(&first)?;
                journal.sync()?;
                header
            }
        };
        Ok(Opened { journal, header, entries })
    }

    /// Adds an entry. It survives a kill of the process at once, and a crash of the machine after
    /// [`Journal::sync`].
    ///
    /// # Errors
    /// If the entry cannot be written.
    pub fn add(&mut self, entry: &impl Entry) -> Result<()> {
        self.write(&line(entry)?)
    }

    /// Waits until the disk has all entries.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("writing {}", place(&self.path)))
    }

    /// Rewrites the journal with another header or other entries, locked against other writers.
    ///
    /// # Errors
    /// If the file cannot be written; it is unchanged then.
    pub fn rewrite<H: Serialize, T: Entry>(self, header: &H, entries: &[T]) -> Result<Self> {
        let Self { file, path, .. } = self;
        // Outside Unix an open file cannot be replaced.
        let _lock = Some(file).filter(|_| cfg!(unix));
        write(&path, header, entries)?;
        let file = locked(&path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, path, length })
    }

    /// Removes the journal once its contents are stored elsewhere.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        fs::remove_file(&self.path).with_context(|| format!("removing {}", place(&self.path)))
    }

    fn write(&mut self, line: &[u8]) -> Result<()> {
        self.write_at_the_end(line).with_context(|| format!("writing {}", place(&self.path)))
    }

    /// Writes a line after the last complete one: a full disk may have taken only half of an earlier line.
    fn write_at_the_end(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(line)?;
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Opens the file of a journal and locks it against other writers; a missing file is created empty.
fn locked(path: &Path) -> Result<File> {
    let place = || place(path);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = file::open_with(path, &mut options).with_context(place)?;
    outputs::lock(&file, || format!("another process is writing {}", place()))?;
    Ok(file)
}

/// Writes a whole journal in place of another one.
///
/// # Errors
/// If the file cannot be written; the old one is unchanged then.
pub fn write<H: Serialize, T: Entry>(path: &Path, header: &H, entries: &[T]) -> Result<()> {
    let lines = [line(header)].into_iter().chain(entries.iter().map(line));
    write_bytes(path, &lines.collect::<Result<Vec<_>>>()?.concat())
}

/// Reads the header and the entries of a journal that another process may be writing.
///
/// # Errors
/// If the file is not a journal.
pub fn read<H: DeserializeOwned, T: Entry>(path: &Path) -> Result<(H, Vec<T>)> {
    let place = || place(path);
    let bytes = file::read(path).with_context(place)?;
    let Contents { header, entries, .. } = contents(&bytes, &bytes).with_context(place)?;
    let header = header.with_context(|| format!("{} is empty", place()))?;
    Ok((header, entries))
}

/// Reads the header alone.
///
/// # Errors
/// If the file is not a journal.
pub fn read_header<H: DeserializeOwned>(path: &Path) -> Result<H> {
    let mut first = Vec::new();
    let read = file::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut first));
    read.with_context(|| place(path))?;
    ensure!(first.ends_with(b"\n"), "{} is empty", place(path));
    header(&first).with_context(|| place(path))
}

/// Complete lines of a journal that another process may be writing.
#[derive(Debug)]
pub struct Lines {
    input: BufReader<File>,
    /// Offset after the last complete line.
    offset: u64,
}

impl Lines {
    /// Opens a journal at its first line.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { input: BufReader::new(file::open(path)?), offset: 0 })
    }

    /// Returns the next complete line without its end; `None` if there is none yet. Overlong lines are returned empty.
    ///
    /// # Errors
    /// If the file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "lines may follow after the last one")]
    pub fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if read == LONGEST_LINE && line.last() != Some(&b'\n') {
            line.clear();
            read += self.input.skip_until(b'\n')? as u64;
        } else if line.pop_if(|last| *last == b'\n').is_none() {
            // The rest of the line has not been written yet.
            self.input.seek(SeekFrom::Start(self.offset))?;
            return Ok(None);
        }
        self.offset += read;
        Ok(Some(line))
    }

    /// Whether there is another file at `path` by now, or the file was cut off; then it has to be read anew.
    pub fn is_replaced(&self, path: &Path) -> bool {
        let length = self.input.get_ref().metadata().map(|data| data.len());
        is_another(self.input.get_ref(), path) || length.is_ok_and(|length| length < self.offset)
    }
}

#[cfg(unix)]
fn is_another(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = || Some(fs::metadata(path).ok()?.ino() == file.metadata().ok()?.ino());
    same() == Some(false)
}

#[cfg(not(unix))]
fn is_another(_file: &File, _path: &Path) -> bool {
    false
}

/// Maximum number of bytes of a line that is followed; longer ones are skipped.
const LONGEST_LINE: u64 = 4 << 20;

fn place(path: &Path) -> String {
    format!("the journal {}", path.display())
}

fn line(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn header<H: DeserializeOwned>(line: &[u8]) -> Result<H> {
    json::read(line).context("line 1 is not a heading of a journal")
}

struct Contents<H, T> {
    header: Option<H>,
    entries: Vec<T>,
    /// Length of all complete lines, in bytes.
    length: u64,
}

/// Parses a journal whose first line is expected to begin like `first`.
fn contents<H: DeserializeOwned, T: Entry>(bytes: &[u8], first: &[u8]) -> Result<Contents<H, T>> {
    let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
        // Anything longer than a torn header is not a journal.
        let name = &first[..first.iter().position(|byte| *byte == b':').unwrap_or(first.len())];
        ensure!(bytes.starts_with(name) || name.starts_with(bytes), "line 1 is not a heading of a journal");
        return Ok(Contents { header: None, entries: Vec::new(), length: 0 });
    };
    let mut lines = bytes[..end].split(|byte| *byte == b'\n').zip(1..);
    let found = header(lines.next().map_or(&[][..], |(line, _)| line))?;
    let entry = |(line, number)| json::read(line).with_context(|| format!("line {number} is not a {}", T::WHAT));
    let entries = lines.map(entry).collect::<Result<_>>()?;
    Ok(Contents { header: Some(found), entries, length: u64::try_from(end + 1)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    struct Head {
        depth: u32,
    }

    #[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
    struct Number(u32);

    impl Entry for Number {
        const WHAT: &'static str = "number";
    }

    fn open(path: &Path, depth: u32) -> Result<Opened<Head, Number>> {
        let wanted = Head { depth };
        Journal::open(path, wanted.clone(), |found| {
            ensure!(*found == wanted, "the depth was {}", found.depth);
            Ok(())
        })
    }

    fn numbers(path: &Path) -> Vec<u32> {
        open(path, 5).unwrap().entries.into_iter().map(|Number(number)| number).collect()
    }

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        (folder, path)
    }

    #[test]
    fn entries_come_back_and_a_torn_line_does_not() {
        let (_folder, path) = folder();
        let mut journal = open(&path, 5).unwrap().journal;
        for number in [7, 8] {
            journal.add(&Number(number)).unwrap();
        }
        journal.sync().unwrap();
        journal.file.write_all(b"12").unwrap();
        drop(journal);
        let (head, entries): (Head, Vec<Number>) = read(&path).unwrap();
        assert_eq!((head, entries), (Head { depth: 5 }, vec![Number(7), Number(8)]), "half a line is none");
        open(&path, 5).unwrap().journal.add(&Number(9)).unwrap();
        assert_eq!(numbers(&path), [7, 8, 9]);
        assert_eq!(read_header::<Head>(&path).unwrap(), Head { depth: 5 });
        open(&path, 5).unwrap().journal.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_line_that_was_written_in_part_is_not_gone_on_with() {
        let (_folder, path) = folder();
        let mut journal = open(&path, 5).unwrap().journal;
        journal.add(&Number(7)).unwrap();
        // A disk that is full for a while leaves half a line.
        journal.file.write_all(b"1234").unwrap();
        for number in [8, 9] {
            journal.add(&Number(number)).unwrap();
        }
        drop(journal);
        assert_eq!(numbers(&path), [7, 8, 9]);
    }

    #[test]
    fn who_was_killed_before_the_first_line_was_complete_begins_anew() {
        let (_folder, path) = folder();
        for torn in ["", "{\"de", "{\"depth\":"] {
            fs::write(&path, torn).unwrap();
            assert!(read_header::<Head>(&path).is_err());
            assert!(numbers(&path).is_empty());
            assert_eq!(read_header::<Head>(&path).unwrap(), Head { depth: 5 });
        }
    }

    #[test]
    fn what_is_no_journal_or_another_one_is_refused_and_left_alone() {
        let (_folder, path) = folder();
        let error = |depth| format!("{:#}", open(&path, depth).unwrap_err());
        for text in ["my diary", "my diary\nend\n"] {
            fs::write(&path, text).unwrap();
            assert!(error(5).contains("line 1 is not a heading of a journal"), "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let text = "{\"depth\":5}\n7\nnonsense\n8\nto";
        fs::write(&path, text).unwrap();
        assert!(error(5).contains("line 3 is not a number"));
        fs::write(&path, "{\"depth\":6}\n7\nto").unwrap();
        assert_eq!(error(5), "the depth was 6");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"depth\":6}\n7\nto");
    }

    #[test]
    fn a_journal_that_is_written_anew_stays_locked_and_goes_on() {
        let (_folder, path) = folder();
        let first = open(&path, 4).unwrap().journal;
        let mut journal = first.rewrite(&Head { depth: 5 }, &[Number(7), Number(8)]).unwrap();
        assert!(open(&path, 5).unwrap_err().to_string().starts_with("another process is writing the journal "));
        journal.add(&Number(9)).unwrap();
        drop(journal);
        assert_eq!(numbers(&path), [7, 8, 9]);
    }

    #[test]
    fn lines_are_followed_as_they_are_completed() {
        let (_folder, path) = folder();
        fs::write(&path, "{\"depth\":5}\n7\n").unwrap();
        let mut lines = Lines::open(&path).unwrap();
        let next = |lines: &mut Lines| lines.next().unwrap().map(|line| String::from_utf8(line).unwrap());
        assert_eq!([(); 3].map(|()| next(&mut lines)), [Some("{\"depth\":5}".into()), Some("7".into()), None]);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"12").unwrap();
        assert_eq!((next(&mut lines), lines.is_replaced(&path)), (None, false), "half a line is none");
        file.write_all(b"3\n").unwrap();
        assert_eq!(next(&mut lines), Some("123".into()));
        fs::write(&path, "{\"depth\":6}\n").unwrap();
        assert!(lines.is_replaced(&path), "the file was cut off");
    }

    #[test]
    fn two_processes_do_not_write_one_journal() {
        let (_folder, path) = folder();
        let first = open(&path, 5).unwrap();
        assert!(open(&path, 5).unwrap_err().to_string().starts_with("another process is writing the journal "));
        drop(first);
        assert!(open(&path, 5).is_ok());
    }
}
