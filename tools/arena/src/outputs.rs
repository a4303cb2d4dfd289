//! The files that a match writes: none is given twice, none is read as well, and none is replaced that the arena did not
//! write.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, Result, ensure};
use chuhe::file;
use chuhe_games::replace;

use crate::report;
use crate::settings::{Settings, Source};

/// Enough of a file to see who wrote it.
const BEGINNING: u64 = 4096;

/// Whether all that is written has a place of its own, where it destroys nothing. Games in a PGN file are looked at when
/// it is known which they should be.
pub(crate) fn check(settings: &Settings) -> Result<()> {
    let outputs = outputs(settings);
    let inputs = inputs(settings);
    for (at, (word, path)) in outputs.iter().enumerate() {
        let place = identity(path);
        for (other, other_path) in outputs[..at].iter().chain(&inputs) {
            ensure!(identity(other_path) != place, "{other} and {word} are the same file, {}", path.display());
        }
    }
    if let Some(path) = &settings.report {
        check_report(path)?;
    }
    if let Some(log) = &settings.log {
        ensure!(is_written_by(&log.path, is_log)?, foreign("-log", &log.path));
    }
    Ok(())
}

/// Whether a report may be written there.
pub(crate) fn check_report(path: &Path) -> Result<()> {
    replace::check(path)?;
    ensure!(is_written_by(path, report::is_report)?, foreign("-report", path));
    Ok(())
}

/// Whether a journal is not what is written.
pub(crate) fn check_other(journal: &Path, output: &Path) -> Result<()> {
    ensure!(identity(journal) != identity(output), "{} is the journal itself", output.display());
    Ok(())
}

/// Whether a list of openings may be written there.
///
/// # Errors
/// If something is there already.
pub fn check_new(path: &Path) -> Result<()> {
    ensure!(is_written_by(path, |_| false)?, foreign("-o", path));
    Ok(())
}

fn outputs(settings: &Settings) -> Vec<(&'static str, PathBuf)> {
    let Settings { journal, pgn, epd, log, report, .. } = settings;
    let paths = [
        ("-journal", journal.clone()),
        ("-pgnout", pgn.as_ref().map(|pgn| pgn.path.clone())),
        ("-epdout", epd.clone()),
        ("-log", log.as_ref().map(|log| log.path.clone())),
        ("-report", report.clone()),
    ];
    paths.into_iter().filter_map(|(word, path)| Some((word, path?))).collect()
}

fn inputs(settings: &Settings) -> Vec<(&'static str, PathBuf)> {
    let programs = settings.engines.iter().flat_map(|engine| {
        let beside = engine.dir.iter().map(|dir| dir.join(&engine.command));
        beside.chain([engine.command.clone()]).map(|path| ("-engine cmd", path))
    });
    let openings = settings.openings.iter().map(|file| ("-openings", file.path.clone()));
    let parameters = settings.spsa.iter().filter_map(|spsa| match &spsa.source {
        Source::File(path) => Some(("-spsa file", path.clone())),
        Source::Names(_) => None,
    });
    programs.chain(openings).chain(parameters).collect()
}

/// The same for all names of a file, whether it is there or not.
fn identity(path: &Path) -> PathBuf {
    let in_folder = || {
        let path = absolute(path).ok()?;
        Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Whether a file is not there, or empty, or begins as `ours` knows it.
fn is_written_by(path: &Path, ours: impl Fn(&[u8]) -> bool) -> Result<bool> {
    if !path.exists() {
        return Ok(true);
    }
    let mut start = Vec::new();
    let read = file::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut start));
    read.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(start.is_empty() || ours(&start))
}

/// Seconds with three digits behind the point begin each line of a log.
fn is_log(start: &[u8]) -> bool {
    let first = start.split(|byte| *byte == b' ').find(|word| !word.is_empty()).unwrap_or_default();
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let (seconds, thousandths) = first.split_at(first.len().saturating_sub(4));
    is_number(seconds) && thousandths.strip_prefix(b".").is_some_and(is_number)
}

fn foreign(word: &str, path: &Path) -> String {
    format!("{word}: {} holds something that is not replaced; name another file", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_known_by_its_times() {
        for log in ["     0.000 Started game", " 12345.678 a", "1234567890.123 a"] {
            assert!(is_log(log.as_bytes()), "{log}");
        }
        for other in ["[Event \"x\"]", "1. h2e2", "12.34 a", ".123 a", "my diary", "   "] {
            assert!(!is_log(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_file_has_one_identity_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let (path, round) = (folder.path().join("a"), folder.path().join("x/../a"));
        fs::create_dir(folder.path().join("x")).unwrap();
        assert_eq!(identity(&path), identity(&round), "before it is there");
        fs::write(&path, "").unwrap();
        assert_eq!(identity(&path), identity(&round));
        assert_ne!(identity(&path), identity(&folder.path().join("b")));
    }
}
