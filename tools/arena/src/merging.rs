//! One journal of those of the parts of a match, which were played apart.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe_games::journal;
use chuhe_games::record::GameRecord;

use crate::journal::{Header, check, read_header};
use crate::outputs;

/// What a merged journal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Games.
    pub games: usize,
    /// Games that were there more than once, of which one stays.
    pub repeated: usize,
}

/// Writes the journal of a match that was begun by `command`, with the games of its parts in planned order.
///
/// # Errors
/// If they are not parts of one match, or the journal cannot be written, or something else is there.
pub fn merge(out: &Path, parts: &[PathBuf], command: Vec<String>) -> Result<Merged> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut match_of_all: Option<Header> = None;
    for part in parts {
        outputs::check_other(part, out)?;
        let (header, of_part): (Header, Vec<GameRecord>) = journal::read(part)?;
        match &match_of_all {
            None => match_of_all = Some(header),
            Some(first) => {
                check(&header, first, Some(first.seed))
                    .with_context(|| format!("{} is no part of the same match", part.display()))?;
            }
        }
        games.extend(of_part);
    }
    let header = match_of_all.context("there is no journal to merge")?;
    if out.exists() {
        let is_ours = read_header(out).is_ok_and(|old| check(&old, &header, Some(header.seed)).is_ok());
        ensure!(is_ours, "{} holds something else than this match; name another file", out.display());
    }
    games.sort_by_key(|game| game.number);
    let all = games.len();
    games.dedup_by_key(|game| game.number);
    journal::write(out, &Header { command, ..header }, &games)?;
    Ok(Merged { games: games.len(), repeated: all - games.len() })
}
