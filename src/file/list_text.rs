//! Lists of files on systems whose file names are not bytes: replaces `list.rs` outside of Unix. A list that is not
//! text names one file.

use std::ffi::OsStr;
use std::path::Path;

/// The names of a list, trimmed; empty ones are left out.
pub(crate) fn names(list: &OsStr) -> impl Iterator<Item = &Path> {
    let names = match list.to_str() {
        Some(text) => text.split(';').map(|name| OsStr::new(name.trim())).collect(),
        None => vec![list],
    };
    names.into_iter().filter(|name| !name.is_empty()).map(Path::new)
}
