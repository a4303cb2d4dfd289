//! Storage of the games of a match: the list, the journal, and the PGN and EPD files.

use anyhow::Result;
use chuhe_games::journal::{Journal, Opened};
use chuhe_games::record::GameRecord;

use crate::epd_file::{self, EpdFile};
use crate::journal::{self, Header};
use crate::pgn_file::{Begun, begin, check};
use crate::settings::Settings;

pub(super) struct Archive {
    games: Vec<GameRecord>,
    journal: Option<Journal>,
    pgn: Option<Begun>,
    epd: Option<EpdFile>,
}

impl Archive {
    /// Opens the files, and returns the archive with the games of earlier runs and the header of the match.
    pub(super) fn open(settings: &Settings, header: Header) -> Result<(Self, Header)> {
        let (mut games, journal, header): (Vec<GameRecord>, _, _) = match &settings.journal {
            None => (Vec::new(), None, header),
            Some(path) => {
                let Opened { journal, header, entries } = journal::open(path, header, settings.seed)?;
                (entries, Some(journal), header)
            }
        };
        games.sort_by_key(|game| game.number);
        if let Some(pgn) = &settings.pgn {
            check(pgn, &games)?;
        }
        if let Some(epd) = &settings.epd {
            epd_file::check(epd, &games)?;
        }
        let pgn = settings.pgn.as_ref().map(|pgn| begin(pgn, &games)).transpose()?;
        let epd = settings.epd.as_ref().map(|epd| EpdFile::begin(epd, &games)).transpose()?;
        Ok((Self { games, journal, pgn, epd }, header))
    }

    /// Records the current number of rounds in the journal, where other commands look it up.
    pub(super) fn keep_length(&mut self, header: Header, command: &[String]) -> Result<Header> {
        let now = header.clone().with_rounds_of(command);
        if now != header
            && let Some(journal) = self.journal.take()
        {
            self.journal = Some(journal.rewrite(&now, &self.games)?);
        }
        Ok(now)
    }

    pub(super) fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Stores a finished game, in the journal first: the other files can be rebuilt from it.
    pub(super) fn add(&mut self, game: &GameRecord) -> Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(game)?;
            journal.sync()?;
        }
        if let Some(pgn) = &mut self.pgn {
            pgn.add(game)?;
        }
        if let Some(epd) = &mut self.epd {
            epd.add(game)?;
        }
        self.games.push(game.clone());
        Ok(())
    }

    /// Sorts the games into planned order, and rewrites the PGN and EPD files in that order.
    pub(super) fn close(&mut self) -> Result<()> {
        if !self.games.is_sorted_by_key(|game| game.number) {
            self.games.sort_by_key(|game| game.number);
            self.pgn = self.pgn.take().map(|pgn| pgn.rewrite(&self.games)).transpose()?;
            if let Some(epd) = &self.epd {
                epd.rewrite(&self.games)?;
            }
        }
        Ok(())
    }

    pub(super) fn into_games(self) -> Vec<GameRecord> {
        self.games
    }
}
