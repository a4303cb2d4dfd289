//! Files named by users. Only regular files are opened: a pipe may never be written to, and a device may have no end.
//! Large files are mapped.

mod bytes;
#[cfg_attr(not(unix), path = "list_text.rs")]
mod list;
#[cfg_attr(miri, path = "heap.rs")]
mod map;
#[cfg_attr(all(unix, not(miri)), path = "unix.rs")]
#[cfg_attr(any(not(unix), miri), path = "plain.rs")]
mod system;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub(crate) use bytes::Bytes;
pub(crate) use list::names;

/// The folders searched for a relative name: the program's, then the working directory.
pub(crate) fn folders() -> Vec<PathBuf> {
    let beside_program = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    beside_program.into_iter().chain([PathBuf::new()]).collect()
}

/// The path of a file beside the program if it exists there, otherwise in the working directory, existing or not.
pub(crate) fn beside_program_or_here(path: &Path) -> PathBuf {
    let mut places = folders().into_iter().map(|folder| folder.join(path));
    places.find(|place| fs::metadata(place).is_ok()).unwrap_or_else(|| path.to_owned())
}

/// Opens a file for reading.
///
/// # Errors
/// If it is not a regular file, or the system does not let it be read.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Reads the contents of a file.
///
/// # Errors
/// Those of [`open`], and if it cannot be read to its end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the text in a file.
///
/// # Errors
/// Those of [`read`], and if it is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens or creates a file for appending.
///
/// # Errors
/// If it is not a regular file, or the system does not let it be written.
#[cfg(feature = "cli")]
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    system::outlive_limits();
    open_with(path, OpenOptions::new().create(true).append(true))
}

/// Opens a file with `options`. Checks its type before, since opening alone makes some devices act.
///
/// # Errors
/// If it is not a regular file, or the system does not let it be opened in that way.
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // A missing file is reported, or created, when it is opened.
    if let Ok(found) = fs::metadata(path) {
        check(&found)?;
    }
    opened(path, options)
}

/// Opens a file without waiting and checks its type again, since the name may have got another meaning in between.
fn opened(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = system::without_waiting(options).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")) }
}

#[cfg(all(test, unix, not(miri), feature = "cli"))]
mod tests {
    use std::io::Write;
    use std::process::Command;

    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, folder.path(), Path::new("/dev/zero"), Path::new("/dev/tty")] {
            let place = path.display();
            assert_eq!(open(path).unwrap_err().to_string(), "not a regular file", "{place}");
            assert_eq!(open_to_append(path).unwrap_err().to_string(), "not a regular file", "{place}");
            // As if the name had meant a regular file a moment ago.
            assert!(opened(path, OpenOptions::new().read(true)).is_err(), "{place}");
            assert!(opened(path, OpenOptions::new().append(true)).is_err(), "{place}");
        }
    }

    #[test]
    fn a_file_is_made_and_written_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        open_to_append(&path).unwrap().write_all(b"one").unwrap();
        open_to_append(&path).unwrap().write_all(b"two").unwrap();
        let mut text = String::new();
        open(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "onetwo");
    }
}
