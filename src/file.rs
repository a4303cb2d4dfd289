//! Files named by users, independent of any format. Only regular files are opened: a pipe may never be written to, and a
//! device may have no end. Large files are mapped.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

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

/// The names of a list separated by semicolons, trimmed; empty ones are left out.
///
/// Names are the system's raw bytes. Trailing bytes of characters in GBK and GB18030 are digits or lie above 0x3F, those in
/// UTF-8 above 0x7F: none of them is a semicolon, so names in any of these encodings are split correctly.
#[cfg(unix)]
pub(crate) fn names(list: &OsStr) -> impl Iterator<Item = &Path> {
    use std::os::unix::ffi::OsStrExt;
    let names = list.as_bytes().split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
    names.filter(|name| !name.is_empty()).map(|name| Path::new(OsStr::from_bytes(name)))
}

/// The names of a list separated by semicolons, trimmed; empty ones are left out. A list that is not text names one file.
#[cfg(not(unix))]
pub(crate) fn names(list: &OsStr) -> impl Iterator<Item = &Path> {
    let names = match list.to_str() {
        Some(text) => text.split(';').map(|name| OsStr::new(name.trim())).collect(),
        None => vec![list],
    };
    names.into_iter().filter(|name| !name.is_empty()).map(Path::new)
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
    io::read_to_string(open(path)?)
}

/// Opens or creates a file for appending.
///
/// # Errors
/// If it is not a regular file, or the system does not let it be written.
#[cfg(feature = "cli")]
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    outlive_limits();
    open_with(path, OpenOptions::new().create(true).append(true))
}

/// Makes exceeding the file size limit an error like a full disk from now on, not a signal that ends the process.
#[cfg(feature = "cli")]
fn outlive_limits() {
    #[cfg(all(unix, not(miri)))]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // The flag is never read: the error says the same. If registering fails, exceeding the limit still ends the process.
        ONCE.call_once(|| drop(signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default())));
    }
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
    // A pipe would wait for its other end, and a terminal become the controlling one. Regular files are not affected.
    #[cfg(all(unix, not(miri)))]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")) }
}

/// The bytes of a file, aligned for words of eight bytes.
pub(crate) enum Bytes {
    /// Mapped, so that opening takes the same time whatever the size.
    Mapped(Mmap),
    /// In owned memory.
    Copied { words: Vec<u64>, bytes: usize },
    /// Part of the program.
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Reads a regular file, or maps one of more than `largest_copy` bytes, whose later changes remain visible.
    /// Truncating a mapped file while it is in use kills the process.
    pub(crate) fn of_file(file: File, largest_copy: usize) -> io::Result<Self> {
        match usize::try_from(file.metadata()?.len()) {
            // Miri cannot map files.
            Ok(bytes) if bytes <= largest_copy || cfg!(miri) => Self::read(file, bytes),
            _ => Self::map(&file),
        }
    }

    /// Maps the file; pages are read on first access.
    #[allow(unsafe_code)]
    fn map(file: &File) -> io::Result<Self> {
        // SAFETY: the map is read-only, and `Deref` lends it only as long as `self` lives. The remaining risk is
        // another process that writes to the file or truncates it. Bytes that change are read as plain numbers, each of
        // which is checked where it is used (index, key, move), so they do no harm. Truncating the file while it is
        // mapped ends the process, which no reader can prevent, and the manual says so. Our tools never write into a
        // book or a table: they replace it by renaming another file, and a map keeps the old one.
        let map = unsafe { Mmap::map(file) }?;
        // Hint: lookups are scattered. Without it the system also reads neighbouring pages, which are not needed.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Self::Mapped(map))
    }

    /// Reads `bytes` bytes, and no more if the file grows meanwhile.
    fn read(mut file: File, bytes: usize) -> io::Result<Self> {
        let length = bytes.div_ceil(size_of::<u64>());
        let mut words = vec![];
        // A failed allocation is an error, not a reason to end the process.
        words.try_reserve_exact(length)?;
        words.resize(length, 0_u64);
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..bytes])?;
        Ok(Self::Copied { words, bytes })
    }

    /// Whether the bytes are mapped, so that a scan of all of them reads the whole file.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }

    /// Copies `bytes` into memory aligned for words.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; bytes.len().div_ceil(size_of::<u64>())];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self::Copied { words, bytes: bytes.len() }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Embedded(bytes) => bytes,
            Self::Copied { words, bytes } => &bytemuck::cast_slice(words)[..*bytes],
        }
    }
}

#[cfg(all(test, unix, feature = "cli"))]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_list_is_cut_at_semicolons_and_keeps_every_byte() {
        // A folder and a file in GBK, among whose second bytes are a backslash and a bar.
        let list = OsStr::from_bytes(b" /\xcf\xf3 \xc6\xe5/\x81\x5c\x81\x7c.dat ;; b;\t");
        let found: Vec<&[u8]> = names(list).map(|name| name.as_os_str().as_bytes()).collect();
        assert_eq!(found, [b"/\xcf\xf3 \xc6\xe5/\x81\x5c\x81\x7c.dat".as_slice(), b"b"]);
        assert_eq!(names(OsStr::new(" ; ;")).count(), 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "runs a program")]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
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
    #[cfg_attr(miri, ignore = "writes files")]
    fn a_file_is_made_and_written_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        for text in ["one", "two"] {
            io::Write::write_all(&mut open_to_append(&path).unwrap(), text.as_bytes()).unwrap();
        }
        assert_eq!(read_to_string(&path).unwrap(), "onetwo");
    }
}
