//! State of a match from its journal and the games under way: what is new is read, and the parts that have changed are set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::Result;
use chuhe_games::journal::Lines;
use chuhe_games::json;
use chuhe_games::live::{self, Live, LiveGame, LiveMove};
use chuhe_games::record::GameRecord;
use serde_json::json;

use super::hub::Hub;
use super::view::{Ended, SeatView};
use crate::journal::{Header, read_header};
use crate::settings::Settings;
use crate::standing::Standing;
use crate::standing_data::StandingData;
use crate::viewing::{planned, played_by};

/// Time without a sign of life after which a match is taken for stopped.
const SILENCE: Duration = Duration::from_secs(15);

/// Number of finished games that the page lists.
const RECENT: usize = 20;

/// The standing is evaluated again after this many times of the last evaluation, so that long matches cost little.
const REST: u32 = 10;

/// A match that is watched.
pub(super) struct Watched<S> {
    journal: PathBuf,
    settings_of: S,
    settings: Settings,
    header: Header,
    lines: Lines,
    /// Finished games without their moves, in the order in which they ended.
    games: Vec<GameRecord>,
    results: BTreeMap<u32, Ended>,
    /// Number of games when the standing was evaluated, and when it may be evaluated again.
    evaluated: Option<(usize, Instant)>,
    is_over: bool,
    /// Number of the rewriting of the games under way that was last read.
    rewriting: Option<u64>,
    /// Games by seat; those of the end stay after the match.
    under_way: Vec<LiveGame>,
    /// Time of the last sign of life of the match.
    heard: Option<Instant>,
    /// Seats that have been shown.
    seats: BTreeSet<u32>,
}

impl<S: Fn(&Path) -> Result<Settings>> Watched<S> {
    /// Opens a journal.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn open(journal: &Path, settings_of: S) -> Result<Self> {
        let (settings, header, lines) = opened(journal, &settings_of)?;
        let is_fresh = fs::metadata(live::path_for(journal)).and_then(|data| data.modified()).is_ok_and(|modified| {
            // A time in the future is that of another machine's clock.
            modified.elapsed().is_ok_and(|age| age < SILENCE) || modified.elapsed().is_err()
        });
        Ok(Self {
            journal: journal.to_owned(),
            settings_of,
            settings,
            header,
            lines,
            games: Vec::new(),
            results: BTreeMap::new(),
            evaluated: None,
            is_over: false,
            rewriting: live::read(journal).ok().flatten().map(|live| live.number),
            under_way: Vec::new(),
            heard: is_fresh.then(Instant::now),
            seats: BTreeSet::new(),
        })
    }

    /// Reads what is new, and sets the parts of the page.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn look(&mut self, hub: &Hub) -> Result<()> {
        if self.lines.is_replaced(&self.journal) {
            (self.settings, self.header, self.lines) = opened(&self.journal, &self.settings_of)?;
            (self.games, self.results, self.evaluated) = (Vec::new(), BTreeMap::new(), None);
        }
        // The games under way first: one that ends in between is in the journal then.
        self.look_at_seats();
        self.read_games()?;
        self.evaluate(hub)?;
        hub.set("phase", json!(self.phase()).to_string());
        self.show_seats(hub)
    }

    fn look_at_seats(&mut self) {
        let Ok(live) = live::read(&self.journal) else { return };
        let Some(Live { number, mut games }) = live else {
            self.heard = None;
            return;
        };
        if self.rewriting.replace(number) != Some(number) {
            self.heard = Some(Instant::now());
        }
        for game in games.iter_mut().filter(|game| self.results.contains_key(&game.number)) {
            // The journal has had the last moves first.
            let is_longer = |old: &&LiveGame| old.number == game.number && old.moves.len() > game.moves.len();
            if let Some(old) = self.under_way.iter().find(is_longer) {
                *game = old.clone();
            }
        }
        self.under_way = games;
    }

    fn read_games(&mut self) -> io::Result<()> {
        while let Some(line) = self.lines.next()? {
            let Ok(game) = json::read::<GameRecord>(&line) else { continue };
            if self.results.contains_key(&game.number) {
                continue;
            }
            self.results.insert(game.number, Ended::from(&game));
            for ended in self.under_way.iter_mut().filter(|under_way| under_way.number == game.number) {
                ended.moves = game.moves.iter().map(LiveMove::from).collect();
            }
            self.games.push(GameRecord { moves: Vec::new(), opening_moves: Vec::new(), ..game });
        }
        Ok(())
    }

    /// Evaluates the standing after new games.
    fn evaluate(&mut self, hub: &Hub) -> Result<()> {
        let begun = Instant::now();
        if self.evaluated.is_some_and(|(games, next)| games == self.games.len() || begun < next) {
            return Ok(());
        }
        let settings = played_by(&self.settings, &self.games);
        let planned = planned(&settings);
        self.is_over =
            self.games.len() >= planned as usize || Standing::of(&settings, &self.games).decision().is_some();
        // Commands name files of this machine, which the page does not need.
        let header = Header { command: Vec::new(), ..self.header.clone() };
        hub.set("standing", serde_json::to_string(&StandingData::new(&settings, &header, &self.games, planned))?);
        let recent: Vec<&Ended> =
            self.games.iter().rev().take(RECENT).filter_map(|game| self.results.get(&game.number)).collect();
        hub.set("recent", serde_json::to_string(&recent)?);
        hub.set("match", self.description().to_string());
        self.evaluated = Some((self.games.len(), Instant::now() + begun.elapsed() * REST));
        Ok(())
    }

    fn description(&self) -> serde_json::Value {
        let engines = self.settings.engines.iter();
        json!({
            "event": self.settings.event,
            "journal": self.journal.file_name().map(|name| name.to_string_lossy()),
            "engines": engines.clone().map(|engine| &engine.name).collect::<Vec<_>>(),
            "times": engines.map(|engine| engine.time.to_string()).collect::<Vec<_>>(),
        })
    }

    fn phase(&self) -> &'static str {
        match self.heard {
            _ if self.is_over => "over",
            Some(heard) if heard.elapsed() < SILENCE => "running",
            _ => "stopped",
        }
    }

    fn show_seats(&mut self, hub: &Hub) -> Result<()> {
        for game in &self.under_way {
            let Some(view) = SeatView::new(game, self.results.get(&game.number)) else { continue };
            hub.set(&format!("seat {}", game.seat), serde_json::to_string(&view)?);
            self.seats.insert(game.seat);
        }
        // A match that is resumed may have fewer seats.
        let is_gone = |seat: &u32| self.under_way.iter().all(|game| game.seat != *seat);
        self.seats.extract_if(.., is_gone).for_each(|seat| hub.set(&format!("seat {seat}"), "null".into()));
        Ok(())
    }
}

fn opened(journal: &Path, settings_of: impl Fn(&Path) -> Result<Settings>) -> Result<(Settings, Header, Lines)> {
    let (settings, header) = (settings_of(journal)?, read_header(journal)?);
    let mut lines = Lines::open(journal)?;
    lines.next()?;
    Ok((settings, header, lines))
}
