//! One journal of those of the parts of a match, which were played apart.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chuhe_games::journal::{self, Journal, Opened};
use chuhe_games::record::GameRecord;

use crate::journal::{Header, check};
use crate::outputs;

/// What a merged journal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Games.
    pub games: usize,
    /// Games that were there more than once, of which one stays.
    pub repeated: usize,
}

/// Writes the journal of a match with the games of its parts, and with those that it has already, in planned order;
/// `whole` makes the command of the match of that of a part.
///
/// # Errors
/// If they are not parts of one match, or the journal cannot be written, or something else is there, or another process
/// writes to it.
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
