//! What is kept of the games of a match: the list, the journal, the PGN.

use std::fs::{self, File};
use std::io::Write;
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
        if settings.journal.as_ref().is_none_or(|path| !path.exists())
            && let Some(PgnFile { path, .. }) = &settings.pgn
        {
            let is_empty = fs::metadata(path).map_or(true, |metadata| metadata.len() == 0);
            ensure!(is_empty, "{} holds something already; name another file for the games", path.display());
        }
        let (mut games, journal, seed): (Vec<GameRecord>, _, _) = match &settings.journal {
            None => (Vec::new(), None, header.seed),
            Some(path) => {
                let Opened { journal, header, entries } = journal::open(path, header, settings.seed)?;
                (entries, Some(journal), header.seed)
            }
        };
        games.sort_by_key(|game| game.number);
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
    let text = pgn::write(game, &pgn.format)?;
    file.write_all(&pgn.encoding.encode(&text)).with_context(|| unwritable(&pgn.path))
}

fn unwritable(path: &Path) -> String {
    format!("the games cannot be written to {}", path.display())
}
