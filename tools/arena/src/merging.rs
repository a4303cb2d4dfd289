//! Merging the journals of the parts of a match.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chuhe_games::journal::{self, Journal, Opened};
use chuhe_games::record::GameRecord;

use crate::journal::{Header, check};
use crate::outputs;

/// Result of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Number of games.
    pub games: usize,
    /// Number of duplicates, of which only one copy was kept.
    pub repeated: usize,
}

/// Writes the journal of a match with the games of its parts, and with those that it already has, in planned order.
///
/// `whole` returns the command of the whole match, given that of a part.
///
/// # Errors
/// If the parts belong to different matches, or the journal cannot be written, holds something else, or is locked by another
/// process.
pub fn merge(out: &Path, parts: &[PathBuf], whole: impl Fn(&[String]) -> Result<Vec<String>>) -> Result<Merged> {
    let mut of_parts: Vec<GameRecord> = Vec::new();
    let mut match_of_all: Option<Header> = None;
    for part in parts {
        outputs::check_other(part, out)?;
        let (header, of_part): (Header, Vec<GameRecord>) = journal::read(part)?;
        match_of_all = Some(match match_of_all {
            None => header,
            Some(first) => {
                check(&header, &first, Some(first.seed))
                    .with_context(|| format!("{} is no part of the same match", part.display()))?;
                first.or_longer(&header)
            }
        });
        of_parts.extend(of_part);
    }
    let header = match_of_all.context("there is no journal to merge")?;
    let wanted = Header { command: whole(&header.command)?, ..header };
    let Opened { journal, header, entries: mut games } = Journal::open(out, wanted.clone(), |found| {
        check(found, &wanted, Some(wanted.seed))
            .with_context(|| format!("{} holds something else than this match; name another file", out.display()))
    })?;
    games.extend(of_parts);
    games.sort_by_key(|game| game.number);
    let all = games.len();
    games.dedup_by_key(|game| game.number);
    journal.rewrite(&Header { command: whole(&header.command)?, ..header }.or_longer(&wanted), &games)?;
    Ok(Merged { games: games.len(), repeated: all - games.len() })
}
