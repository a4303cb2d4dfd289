//! A list of files where their names are no bytes: in the place of `list.rs` outside of Unix. A list that is no text
//! names one file.

use std::ffi::OsStr;
use std::path::Path;

/// The names of a list, without the blanks around them and without empty ones.
pub(crate) fn names(list: &OsStr) -> impl Iterator<Item = &Path> {
    let names = match list.to_str() {
        Some(text) => text.split(';').map(|name| OsStr::new(name.trim())).collect(),
        None => vec![list],
    };
    names.into_iter().filter(|name| !name.is_empty()).map(Path::new)
}
