//! What is kept of the games of a match: the list, the journal, the PGN.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chuhe_games::journal::{Journal, Opened};
use chuhe_games::pgn;
use chuhe_games::record::GameRecord;
use chuhe_games::replace::replace;

use crate::journal::{self, Header};
use crate::settings::{PgnFile, Settings};

pub(super) struct Archive {
    games: Vec<GameRecord>,
    journal: Option<Journal>,
    pgn: Option<(PgnFile, File)>,
}

impl Archive {
    /// With the games of earlier runs if there is a journal, and the seed of the match.
    pub(super) fn open(settings: &Settings, header: Header) -> Result<(Self, u64)> {
        let (mut games, journal, seed): (Vec<GameRecord>, _, _) = match &settings.journal {
            None => (Vec::new(), None, header.seed),
            Some(path) => {
                let Opened { journal, header, entries } = journal::open(path, header, settings.seed)?;
                (entries, Some(journal), header.seed)
            }
        };
        games.sort_by_key(|game| game.number);
        if let Some(pgn) = &settings.pgn {
            check_pgn(pgn, &games)?;
        }
        let pgn = settings.pgn.as_ref().map(|pgn| begin_pgn(pgn, &games)).transpose()?;
        Ok((Self { games, journal, pgn }, seed))
    }

    pub(super) fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Writes a finished game down, the journal first: what it does not know has not happened.
    pub(super) fn add(&mut self, game: &GameRecord) -> Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(game)?;
            journal.sync()?;
        }
        if let Some((pgn, file)) = &mut self.pgn {
            write_game(pgn, file, game)?;
        }
        self.games.push(game.clone());
        Ok(())
    }

    /// Puts the games into planned order, in which the PGN is written once more.
    pub(super) fn close(&mut self) -> Result<()> {
        if !self.games.is_sorted_by_key(|game| game.number) {
            self.games.sort_by_key(|game| game.number);
            if let Some((pgn, _)) = &self.pgn {
                begin_pgn(pgn, &self.games)?;
            }
        }
        Ok(())
    }

    pub(super) fn into_games(self) -> Vec<GameRecord> {
        self.games
    }
}

/// Refuses a file that holds anything else than these games, as they are written here, the last one perhaps torn.
fn check_pgn(pgn: &PgnFile, games: &[GameRecord]) -> Result<()> {
    let held = match fs::read(&pgn.path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", pgn.path.display())),
    };
    let ours = games.iter().map(|game| bytes(pgn, game)).collect::<Result<HashSet<_>>>()?;
    let is_ours = |game: &[u8]| ours.contains(game) || ours.iter().any(|known| known.starts_with(game));
    ensure!(
        split(&held).iter().all(|game| is_ours(game)),
        "{} holds something that is no game of this match; name another file for the games",
        pgn.path.display()
    );
    Ok(())
}

/// The games of a file that was written here: an empty line is between two of them.
fn split(mut held: &[u8]) -> Vec<&[u8]> {
    const END: &[u8] = b"\n\n[Game ";
    let mut games = Vec::new();
    while let Some(at) = held.windows(END.len()).position(|part| part == END) {
        let (game, rest) = held.split_at(at + 2);
        games.push(game);
        held = rest;
    }
    games.extend((!held.is_empty()).then_some(held));
    games
}

/// A file with these games, put in the place of an older one in one step.
fn begin_pgn(pgn: &PgnFile, games: &[GameRecord]) -> Result<(PgnFile, File)> {
    replace(&pgn.path, |mut file| {
        games.iter().try_for_each(|game| write_game(pgn, &mut file, game))?;
        Ok((file, ()))
    })?;
    let file = File::options().append(true).open(&pgn.path).with_context(|| unwritable(&pgn.path))?;
    Ok((pgn.clone(), file))
}

fn write_game(pgn: &PgnFile, file: &mut File, game: &GameRecord) -> Result<()> {
    file.write_all(&bytes(pgn, game)?).with_context(|| unwritable(&pgn.path))
}

fn bytes(pgn: &PgnFile, game: &GameRecord) -> Result<Vec<u8>> {
    Ok(pgn.encoding.encode(&pgn::write(game, &pgn.format)?))
}

fn unwritable(path: &Path) -> String {
    format!("the games cannot be written to {}", path.display())
}
