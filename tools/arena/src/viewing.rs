//! Views of a journal, during its match or afterwards: they need neither engines nor openings, and write nothing but the
//! requested file.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chuhe_games::journal;
use chuhe_games::record::GameRecord;

use crate::journal::{Header, read_header};
use crate::outputs;
use crate::pgn_file;
use crate::schedule::Schedule;
use crate::settings::{PgnFile, Settings};
use crate::standing::Standing;
use crate::standing_data::StandingData;
use crate::stop::Stop;
use crate::{output, screen, summary};

/// A view of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// The standing.
    Stats(Form),
    /// The games, written as PGN.
    Pgn(PgnFile),
    /// The report, written to this file.
    Report(PathBuf),
    /// Every game as it finishes with its final position, until the match is over.
    Watch,
}

/// Form of the standing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Lines for people.
    Text,
    /// One JSON object.
    Json,
    /// Comma-separated values, a line for each engine.
    Csv,
}

/// Interval at which a watched journal is checked.
const LOOK: Duration = Duration::from_millis(500);

/// Returns the finished games of a journal, in planned order.
///
/// # Errors
/// If the file is not a journal.
pub fn games(path: &Path) -> Result<Vec<GameRecord>> {
    let (_, mut games): (Header, Vec<GameRecord>) = journal::read(path)?;
    games.sort_by_key(|game| game.number);
    games.dedup_by_key(|game| game.number);
    Ok(games)
}

/// Shows a view of the journal at `path`, which belongs to the match of these settings.
///
/// # Errors
/// If the file is not a journal, or the output cannot be written.
pub fn show(path: &Path, settings: &Settings, view: &View, stop: &Stop, out: &mut impl Write) -> Result<()> {
    match view {
        View::Stats(Form::Text) => summarise(settings, &games(path)?, out),
        View::Stats(form) => {
            let games = games(path)?;
            let settings = &played_by(settings, &games);
            let header = read_header(path)?;
            let data = StandingData::new(settings, &header, &games, planned(settings));
            let text = if *form == Form::Json { data.json()? } else { data.csv() };
            Ok(out.write_all(text.as_bytes())?)
        }
        View::Pgn(pgn) => {
            let games = games(path)?;
            ensure!(!games.is_empty(), "{} has no game yet", path.display());
            outputs::check_other(path, &pgn.path)?;
            let pgn = pgn.clone().of(settings.event.as_deref(), settings.site.as_deref());
            pgn_file::check(&pgn, &games)?;
            pgn_file::begin(&pgn, &games).map(drop)
        }
        View::Report(report) => {
            let games = games(path)?;
            outputs::check_other(path, report)?;
            outputs::check_report(report)?;
            summary::write(report, &played_by(settings, &games), &read_header(path)?, &games)
        }
        View::Watch => watch(path, settings, stop, out),
    }
}

fn summarise(settings: &Settings, games: &[GameRecord], out: &mut impl Write) -> Result<()> {
    let settings = &played_by(settings, games);
    let standing = Standing::of(settings, games);
    let played = format!("{} of {} games are finished", games.len(), planned(settings));
    print_lines(&[played], out)?;
    print_lines(&standing.summary(games), out)
}

fn print_lines(lines: &[String], out: &mut impl Write) -> Result<()> {
    Ok(lines.iter().try_for_each(|line| writeln!(out, "{}", screen::printable(line)))?)
}

/// Returns the settings that fit the games of a journal: its header names the first part, but others may have followed.
pub(crate) fn played_by(settings: &Settings, games: &[GameRecord]) -> Settings {
    let schedule = schedule(settings);
    let shard = settings.shard.filter(|shard| games.iter().all(|game| schedule.has(*shard, game.number)));
    Settings { shard, ..settings.clone() }
}

/// Returns the number of games that a match, or a part of it, plans.
pub(crate) fn planned(settings: &Settings) -> u32 {
    schedule(settings).count(settings.shard)
}

fn schedule(settings: &Settings) -> Schedule {
    Schedule::new(&settings.shape(), vec![0])
}

fn watch(path: &Path, settings: &Settings, stop: &Stop, out: &mut impl Write) -> Result<()> {
    let (mut standing, mut known, mut length) = (Standing::new(settings), HashSet::new(), 0);
    while !stop.is_requested() {
        let now = length_of(path).with_context(|| format!("the journal {}", path.display()))?;
        if now != length {
            length = now;
            let games = games(path)?;
            let is_new = |game: &&GameRecord| !known.contains(&game.number);
            let new: Vec<&GameRecord> = games.iter().filter(is_new).collect();
            for game in &new {
                standing.count(game);
                print_lines(&[output::finished(game)], out)?;
                print_lines(&output::board(game), out)?;
                print_lines(&[standing.score_of(game)], out)?;
            }
            let is_decided = standing.decision().is_some();
            if !new.is_empty() {
                print_lines(&standing.lines(&games), out)?;
            }
            known = games.iter().map(|game| game.number).collect();
            if is_decided || games.len() >= planned(&played_by(settings, &games)) as usize {
                return summarise(settings, &games, out);
            }
        }
        thread::sleep(LOOK);
    }
    Ok(())
}

fn length_of(path: &Path) -> io::Result<u64> {
    Ok(fs::metadata(path)?.len())
}
