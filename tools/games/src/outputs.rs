//! Checks of output paths: a command overwrites neither its inputs nor files of another kind.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe::file;

use crate::replace;

/// Bytes of a file that suffice to recognise its kind.
const BEGINNING: u64 = 4096;

/// Checks that a command that reads `inputs` may write a file to `out`; `is_kind` recognises its kind by the beginning.
///
/// # Errors
/// If `out` is an input, cannot be written, or holds something else.
pub fn check(out: &Path, inputs: &[&Path], kind: &str, is_kind: impl Fn(&[u8]) -> bool) -> Result<()> {
    let name = out.display();
    check_apart(out, inputs)?;
    replace::check(out)?;
    ensure!(
        is_free_or(out, is_kind)?,
        "{name}: holds something that is not a {kind}, and is not replaced; name another file"
    );
    Ok(())
}

/// Whether a file is missing, empty, or recognised by `is_kind`.
///
/// # Errors
/// If it cannot be read.
pub fn is_free_or(path: &Path, is_kind: impl Fn(&[u8]) -> bool) -> Result<bool> {
    let mut start = Vec::new();
    if path.exists() {
        let read = file::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut start));
        read.with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    Ok(start.is_empty() || is_kind(&start))
}

/// Checks that `out` is not one of `inputs`.
///
/// # Errors
/// If it is.
pub fn check_apart(out: &Path, inputs: &[&Path]) -> Result<()> {
    let is_apart = inputs.iter().all(|input| !are_one_place(input, out));
    ensure!(is_apart, "{}: is read as well; name another file", out.display());
    Ok(())
}

/// Locks an open file against other processes for as long as it is open.
///
/// # Errors
/// `taken` if another process has locked it, or if files of this disk cannot be locked.
pub fn lock(file: &File, taken: impl FnOnce() -> String) -> Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!(taken()),
        locked => locked.context("it cannot be locked"),
    }
}

/// Whether both paths refer to the same file, existing or not.
pub fn are_one_place(one: &Path, other: &Path) -> bool {
    place(one) == place(other)
}

fn place(path: &Path) -> PathBuf {
    let path = replace::followed(path);
    let in_folder = || Some(fs::canonicalize(replace::folder_of(&path)).ok()?.join(path.file_name()?));
    fs::canonicalize(&path).ok().or_else(in_folder).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_that_is_read_or_of_another_kind() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [("in", "ours"), ("old", "ours too"), ("empty", ""), ("foreign", "theirs")] {
            fs::write(at(name), text).unwrap();
        }
        let said = |name: &str| {
            let checked = check(&at(name), &[&at("in")], "work of ours", |start| start.starts_with(b"ours"));
            checked.map_or_else(|error| error.to_string(), |()| String::new())
        };
        for allowed in ["new", "old", "empty"] {
            assert_eq!(said(allowed), "");
        }
        assert!(said("./in").ends_with("in: is read as well; name another file"));
        assert!(said("foreign").contains("holds something that is not a work of ours"));
        assert!(said(".").ends_with("not a regular file"));
        assert!(said("no/such").ends_with("cannot be written"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left");
    }

    #[test]
    fn a_file_has_one_place_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let (path, round) = (folder.path().join("a"), folder.path().join("x/../a"));
        fs::create_dir(folder.path().join("x")).unwrap();
        assert!(are_one_place(&path, &round), "before it is there");
        fs::write(&path, "").unwrap();
        assert!(are_one_place(&path, &round));
        assert!(!are_one_place(&path, &folder.path().join("b")));
    }
}
