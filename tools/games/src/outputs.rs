//! Where a command may write: not over what it reads, and over nothing of another kind.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::replace;

/// Enough of a file to know its kind, in bytes.
const BEGINNING: u64 = 256;

/// Lets a command that reads `inputs` write a file of some kind, which `is_kind` knows by its beginning, to `out`.
///
/// # Errors
/// If it reads that file, could not write there, or would replace something else.
pub fn check(out: &Path, inputs: &[&Path], kind: &str, is_kind: impl Fn(&[u8]) -> bool) -> Result<()> {
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

/// Keeps `out` apart from all `inputs`.
///
/// # Errors
/// If it is one of them.
pub fn check_apart(out: &Path, inputs: &[&Path]) -> Result<()> {
    let is_apart = inputs.iter().all(|input| !are_one_place(input, out));
    ensure!(is_apart, "{}: is read as well; name another file", out.display());
    Ok(())
}

/// Whether both paths mean the same file, be there one yet or not.
pub fn are_one_place(one: &Path, other: &Path) -> bool {
    place(one) == place(other)
}

fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
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
        assert!(said("foreign").contains("holds something that is no work of ours"));
        assert!(said(".").ends_with("not a regular file"));
        assert!(said("no/such").ends_with("cannot be written"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left");
    }
}
