//! Output files of a match: each has its own path, none is an input as well, and no file is replaced that the arena did not
//! write.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use chuhe_games::live;
use chuhe_games::outputs::{are_one_place, is_free_or};
use chuhe_games::replace;
use flate2::read::GzDecoder;

use crate::report;
use crate::settings::{Settings, Source};

/// Checks that every output has its own path and destroys nothing. Games in a PGN file are checked later, when the games of
/// the match are known.
pub(crate) fn check(settings: &Settings) -> Result<()> {
    let outputs = outputs(settings);
    let inputs = inputs(settings);
    for (at, (word, path)) in outputs.iter().enumerate() {
        for (other, other_path) in outputs[..at].iter().chain(&inputs) {
            ensure!(!are_one_place(other_path, path), "{other} and {word} are the same file, {}", path.display());
        }
    }
    if let Some(path) = &settings.report {
        check_report(path)?;
    }
    if let Some(path) = live_file(settings) {
        ensure!(is_free_or(&path, live::is_live)?, foreign("-journal", &path));
    }
    if let Some(log) = &settings.log {
        let is_ours = |start: &[u8]| if log.compress { is_log(&uncompressed(start)) } else { is_log(start) };
        ensure!(is_free_or(&log.path, is_ours)?, foreign("-log", &log.path));
    }
    Ok(())
}

/// Checks that a report may be written to `path`.
pub(crate) fn check_report(path: &Path) -> Result<()> {
    replace::check(path)?;
    ensure!(is_free_or(path, report::is_report)?, foreign("-report", path));
    Ok(())
}

/// Checks that an output is not the journal itself.
pub(crate) fn check_other(journal: &Path, output: &Path) -> Result<()> {
    ensure!(!are_one_place(journal, output), "{} is the journal itself", output.display());
    Ok(())
}

/// Checks that a list of openings may be written to `path`.
///
/// # Errors
/// If there is a file already.
pub fn check_new(path: &Path) -> Result<()> {
    ensure!(is_free_or(path, |_| false)?, foreign("-o", path));
    Ok(())
}

fn outputs(settings: &Settings) -> Vec<(&'static str, PathBuf)> {
    let Settings { journal, pgn, epd, log, report, .. } = settings;
    let paths = [
        ("-journal", journal.clone()),
        ("the games under way of -journal", live_file(settings)),
        ("-pgnout", pgn.as_ref().map(|pgn| pgn.path.clone())),
        ("-epdout", epd.as_ref().map(|epd| epd.path.clone())),
        ("-log", log.as_ref().map(|log| log.path.clone())),
        ("-report", report.clone()),
    ];
    // Engines may share a file for their standard errors.
    let mut errors: Vec<&PathBuf> = Vec::new();
    for path in settings.engines.iter().filter_map(|engine| engine.stderr.as_ref()) {
        if !errors.iter().any(|known| are_one_place(known, path)) {
            errors.push(path);
        }
    }
    let errors = errors.into_iter().map(|path| ("-engine stderr", path.clone()));
    paths.into_iter().filter_map(|(word, path)| Some((word, path?))).chain(errors).collect()
}

/// Returns the file of the games under way; a tuning has none.
fn live_file(settings: &Settings) -> Option<PathBuf> {
    settings.journal.as_deref().filter(|_| settings.spsa.is_none()).map(live::path_for)
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

/// Returns the beginning of a text that is compressed by gzip; empty if it is not.
fn uncompressed(start: &[u8]) -> Vec<u8> {
    let mut text = vec![0; 64];
    let length = GzDecoder::new(start).read(&mut text).unwrap_or(0);
    text.truncate(length);
    text
}

/// Whether a file looks like a log: its lines begin with seconds to three decimals.
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
}
