//! Replacement of files: a new file is written beside its place and renamed into it at the end, or not at all. On Linux the
//! next writer removes files that a killed process left there; files still being written are locked.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, Metadata, Permissions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use tempfile::{Builder, TempPath};

/// Whether unfinished files are locked. On other systems a lock keeps out writers that open the file by name, such as SQLite.
const LOCKS: bool = cfg!(target_os = "linux");

/// Separator between the name of the final file and the random letters of an unfinished one.
const NEW: &str = ".unfinished-";
/// Number of random letters: enough that users' own files do not have such names.
const LETTERS: usize = 12;

/// Returns the file that a path refers to: links are followed, even to a file that does not exist yet.
pub fn followed(path: &Path) -> PathBuf {
    /// Maximum number of links to follow, as in operating systems.
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { break };
        place = folder_of(&place).join(target);
    }
    place
}

/// A file that is written beside its place and renamed into it at the end; without that the old one stays.
struct Replacement {
    place: PathBuf,
    /// Permissions of the existing file.
    old: Option<Permissions>,
    new: TempPath,
    file: File,
    _unfinished: Unfinished,
}

impl Replacement {
    /// Begins a new file for `path`, or for the target of the link `path`.
    fn new(path: &Path) -> Result<Self> {
        let cannot = || format!("{}: cannot be written", path.display());
        let place = followed(path);
        let place = fs::canonicalize(&place).unwrap_or(place);
        let old = fs::metadata(&place).ok();
        ensure!(old.as_ref().is_none_or(Metadata::is_file), "{}: not a regular file", path.display());
        let mut name =
            place.file_name().with_context(|| format!("{}: not the name of a file", path.display()))?.to_owned();
        name.push(NEW);
        let folder = folder_of(&place);
        // A file opened here, unlike a temporary one, has the default permissions of the user's files.
        let new = Builder::new().prefix(&name).rand_bytes(LETTERS).make_in(folder, begin).with_context(cannot)?;
        remove_abandoned(folder, &name);
        let (file, new) = new.into_parts();
        // A file that has just been moved into place is gone already.
        let unfinished = Unfinished::new(&new, |path| drop(fs::remove_file(path)));
        Ok(Self { place, old: old.map(|old| old.permissions()), new, file, _unfinished: unfinished })
    }

    /// Lets `write` fill the file, then moves it into place.
    fn fill<T>(self, write: impl FnOnce(File, &Path) -> Result<(File, T)>) -> Result<T> {
        let Self { place, old, new, file, _unfinished } = self;
        let cannot = || format!("{}: cannot be written", place.display());
        let (file, found) = write(file, &new)?;
        if let Some(old) = old {
            file.set_permissions(old).with_context(cannot)?;
        }
        file.sync_all().with_context(cannot)?;
        drop(file);
        new.persist(&place).map_err(|error| error.error).with_context(cannot)?;
        sync_folder(folder_of(&place)).with_context(cannot)?;
        Ok(found)
    }
}

/// Returns the folder in which a file lies or would lie.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a new name durable; a folder that cannot be opened is written by the system sooner or later.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder).map_or(Ok(()), |folder| folder.sync_all())
}

/// Creates an empty file, locked for as long as it is open.
fn begin(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    if LOCKS {
        // Another process may have found the file unlocked in between and removed it; then another name is tried. On a disk
        // without locks no process finds a file unlocked.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists() {
            return Err(ErrorKind::AlreadyExists.into());
        }
    }
    Ok(file)
}

/// Removes unfinished files for the same place that no process writes any more. Those that cannot be removed do no harm.
fn remove_abandoned(folder: &Path, prefix: &OsStr) {
    let is_abandoned = |path: &Path| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    let is_one =
        |entry: &DirEntry| is_new(&entry.file_name(), prefix) && entry.file_type().is_ok_and(|kind| kind.is_file());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| LOCKS && is_one(entry)) {
        if is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is that of an unfinished file.
fn is_new(name: &OsStr, prefix: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
    rest.is_some_and(|rest| rest.len() == LETTERS && rest.iter().all(u8::is_ascii_alphanumeric))
}

/// Paths of unfinished work, with the functions that remove it.
type Register = BTreeMap<PathBuf, fn(&Path)>;

static UNFINISHED: Mutex<Register> = Mutex::new(Register::new());

/// Unfinished work on disk, which a process that ends at once removes; finished when dropped.
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Registers the work at `path`, which `remove` removes.
    pub fn new(path: &Path, remove: fn(&Path)) -> Self {
        unfinished().insert(path.to_owned(), remove);
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, Register> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished work, for a process that ends at once.
pub fn leave_nothing_unfinished() {
    leave_nothing_unfinished_in(Path::new(""));
}

/// Removes the unfinished work in one folder; every path begins with the empty one.
pub fn leave_nothing_unfinished_in(folder: &Path) {
    for (path, remove) in unfinished().iter().filter(|(path, _)| path.starts_with(folder)) {
        remove(path);
    }
}

/// Writes a file beside its place, and moves the file that `write` returns into it.
///
/// # Errors
/// Those of `write`, or if the file cannot be written; the old file stays then.
pub fn replace<T>(path: &Path, write: impl FnOnce(File) -> Result<(File, T)>) -> Result<T> {
    Replacement::new(path)?.fill(|file, _| write(file))
}

/// Writes a file in one go, beside its place first.
///
/// # Errors
/// If the file cannot be written; the old one stays then.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |mut file| {
        file.write_all(bytes).with_context(|| format!("{}: cannot be written", path.display()))?;
        Ok((file, ()))
    })
}

/// Checks that a file could be written to `path`, without changing it.
///
/// # Errors
/// If it could not.
pub fn check(path: &Path) -> Result<()> {
    Replacement::new(path).map(drop)
}

/// Removes a file, if it is there.
///
/// # Errors
/// If it cannot be removed.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}

/// Lets `write` open a file by itself: it receives the name of an empty one.
///
/// # Errors
/// Those of `write`, or if the file cannot be moved into place; the old file stays then.
pub fn write_with<T>(path: &Path, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    Replacement::new(path)?.fill(|file, path| Ok((file, write(path)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files with other names, sorted.
    const OTHERS: [&str; 4] =
        ["list.new-backup", "list.unfinished-2.of.2.parts", "list.unfinished-draft", "other.unfinished-killedkilled"];

    #[test]
    #[cfg(unix)]
    fn what_a_link_leads_to_is_written_be_it_there_yet_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).unwrap();
        std::os::unix::fs::symlink("far/real", at("link")).unwrap();
        for text in ["first", "second"] {
            write_bytes(&at("link"), text.as_bytes()).unwrap();
            assert!(at("link").is_symlink());
            assert_eq!(fs::read_to_string(at("far/real")).unwrap(), text);
        }
        assert_eq!(followed(&at("link")), at("far/real"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_killed_process_has_left_is_removed_and_what_a_living_one_writes_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let living = begin(&path("list.unfinished-AbCd12EfGh34")).unwrap();
        drop(begin(&path("list.unfinished-killedkilled")).unwrap());
        for other in OTHERS {
            fs::write(path(other), "mine").unwrap();
        }
        write_bytes(&path("list"), b"whole").unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [&["list"], &OTHERS[..2], &["list.unfinished-AbCd12EfGh34"], &OTHERS[2..]].concat());
        drop(living);
        write_bytes(&path("list"), b"whole").unwrap();
        assert!(!path("list.unfinished-AbCd12EfGh34").exists());
    }

    #[test]
    fn a_file_that_takes_the_place_of_another_is_like_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        write_bytes(&path, b"new").unwrap();
        // A file without special permissions.
        File::create(folder.path().join("plain")).unwrap();
        let plain = fs::metadata(folder.path().join("plain")).unwrap().permissions();
        assert_eq!(fs::metadata(&path).unwrap().permissions(), plain);
        let mut closed = plain.clone();
        closed.set_readonly(true);
        fs::set_permissions(&path, closed.clone()).unwrap();
        write_bytes(&path, b"newer").unwrap();
        assert_eq!((fs::metadata(&path).unwrap().permissions(), fs::read(&path).unwrap()), (closed, b"newer".to_vec()));
        check(&path).unwrap();
        check(&folder.path().join("new")).unwrap();
        assert!(check(folder.path()).is_err() && check(&folder.path().join("no/such")).is_err());
        assert!(write_bytes(folder.path(), b"no folder").is_err());
        assert!(write_bytes(&folder.path().join("no/such"), b"no folder").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }

    #[test]
    fn a_process_that_ends_at_once_leaves_nothing_unfinished() {
        let folder = tempfile::tempdir().unwrap();
        let begun = Replacement::new(&folder.path().join("a.book")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Other tests have unfinished files too.
        leave_nothing_unfinished_in(&fs::canonicalize(folder.path()).unwrap());
        leave_nothing_unfinished_in(folder.path());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(begun.fill(|file, _| Ok((file, ()))).is_err());
    }
}
