//! How words of a command line are written, and what stands for those that are missing.

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result};

/// `-seed` means `--seed`, as it does for other tools of engines.
pub fn two_dashes(word: OsString) -> OsString {
    let Some(name) = word.to_str().and_then(|text| text.strip_prefix('-')) else { return word };
    let is_name = name.len() > 1 && name.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_name { format!("--{name}").into() } else { word }
}

/// The folder named, or that of the environment's `variable`.
///
/// # Errors
/// If there is neither.
pub fn folder(named: Option<PathBuf>, variable: &str) -> Result<PathBuf> {
    named
        .or_else(|| env::var_os(variable).map(PathBuf::from))
        .with_context(|| format!("name a folder, or set {variable}"))
}

/// So many threads, or as many as there are processors.
pub fn threads(named: Option<usize>) -> usize {
    named.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_a_second_dash_and_nothing_else_does() {
        for (word, expected) in
            [("-seed", "--seed"), ("--seed", "--seed"), ("-h", "-h"), ("-", "-"), ("a-b", "a-b"), ("-12", "-12")]
        {
            assert_eq!(two_dashes(word.into()), expected);
        }
    }

    #[test]
    fn what_is_named_goes_before_what_is_usual() {
        assert_eq!(folder(Some("a".into()), "PATH").unwrap(), PathBuf::from("a"));
        let told = folder(None, "CHUHE_NOBODY_SETS_THIS").unwrap_err().to_string();
        assert_eq!(told, "name a folder, or set CHUHE_NOBODY_SETS_THIS");
        assert!(threads(Some(3)) == 3 && threads(None) > 0);
    }
}
