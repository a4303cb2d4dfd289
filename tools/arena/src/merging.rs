//! Merging the journals of the parts of a match.

use std::collections::BTreeSet;
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

/// Appends the games of the parts of a match to its journal, in planned order, or begins the journal with them. It is rewritten
/// only if a part belongs to a longer match than its header says.
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
                    .with_context(|| format!("{} is not part of the same match", part.display()))?;
                first.or_longer(&header)
            }
        });
        of_parts.extend(of_part);
    }
    let header = match_of_all.context("there is no journal to merge")?;
    let wanted = Header { command: whole(&header.command)?, ..header };
    let Opened::<Header, GameRecord> { mut journal, header, entries: mut games } =
        Journal::open(out, wanted.clone(), |found| {
            check(found, &wanted, Some(wanted.seed))
                .with_context(|| format!("{} holds something else than this match; name another file", out.display()))
        })?;
    let mut known: BTreeSet<u32> = games.iter().map(|game| game.number).collect();
    let all = games.len() + of_parts.len();
    of_parts.retain(|game| known.insert(game.number));
    of_parts.sort_by_key(|game| game.number);
    let longer = Header { command: whole(&header.command)?, ..header.clone() }.or_longer(&wanted);
    if longer == header {
        of_parts.iter().try_for_each(|game| journal.add(game))?;
        journal.sync()?;
    } else {
        games.extend(of_parts);
        journal.rewrite(&longer, &games)?;
    }
    Ok(Merged { games: known.len(), repeated: all - known.len() })
}
