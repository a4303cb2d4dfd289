//! Where a command may write: not over what it reads, and over nothing of another kind.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chuhe_games::replace;

/// Enough of a file to know its kind.
const BEGINNING: u64 = 256;

/// Whether a command that reads `input` may write a file of some kind, which `is_kind` knows by its beginning, to `out`.
pub(crate) fn check(out: &Path, input: &Path, kind: &str, is_kind: impl Fn(&[u8]) -> bool) -> Result<()> {
    let name = out.display();
    // Where there is nothing yet is no input.
    let is_input = fs::canonicalize(out).is_ok_and(|out| fs::canonicalize(input).is_ok_and(|input| out == input));
    ensure!(!is_input, "{name}: is read as well; name another file");
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
            let checked = check(&at(name), &at("in"), "work of ours", |start| start.starts_with(b"ours"));
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
