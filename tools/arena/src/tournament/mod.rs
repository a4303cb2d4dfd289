//! A match from its settings to its last line: scheduling games, collecting results, and writing files.

mod archive;
mod failure_limit;
mod plan;
mod worker;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use archive::Archive;
use chuhe_engines::player::EngineSpec;
use chuhe_games::openings::Opening;
use chuhe_games::record::{GameRecord, GameResult};
use failure_limit::FailureLimit;
use plan::Plan;
use regex::Regex;
use worker::{Event, Worker};

use crate::journal::Header;
use crate::preparation::{Prepared, prepare};
use crate::ranking::outcomes;
use crate::schedule::{Schedule, opening_order};
use crate::screen::Screen;
use crate::seats::{Seat, keep_written};
use crate::settings::{LogLevel, OutputFormat, Settings};
use crate::sprt::Decision;
use crate::standing::Standing;
use crate::stop::Stop;
use crate::summary;
use crate::{checks, output};

/// Outcome of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games were played.
    Complete,
    /// The SPRT came to a decision.
    Decided(Decision),
    /// The match was interrupted.
    Interrupted,
    /// An engine failed too often.
    Failed,
}

/// A finished match.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Games in planned order, including those of earlier runs.
    pub games: Vec<GameRecord>,
    /// Outcome of the match.
    pub end: End,
}

/// Plays a match, or the rest of one, until it is over or the user interrupts it.
///
/// # Errors
/// If the settings are faulty, before the first game; if a file cannot be written, immediately.
pub fn run(settings: &Settings, command: &[String], screen: &mut Screen, stop: &Stop) -> Result<Finished> {
    let Prepared { settings, openings, header, lines } = prepare(settings, command, stop)?;
    let settings = &settings;
    let (mut archive, header) = Archive::open(settings, header)?;
    let schedule = schedule(settings, openings.len(), header.seed);
    if let Some(game) = archive.games().iter().find(|game| game.number > schedule.len()) {
        bail!("the journal has game {} already, and {} rounds would be too few", game.number, settings.rounds);
    }
    let header = archive.keep_length(header, command)?;
    if settings.openings.as_ref().is_some_and(|openings| openings.random) {
        screen.line(&format!("Seed: {}", header.seed));
    }
    lines.iter().for_each(|line| screen.line(line));
    let mut runner = MatchRunner::new(settings, &schedule, archive, screen);
    runner.print_start(&openings);
    let end = runner.play(&openings, stop)?;
    runner.finish(&header, end)
}

fn numbers(games: &[GameRecord]) -> BTreeSet<u32> {
    games.iter().map(|game| game.number).collect()
}

/// Returns the schedule of all games.
fn schedule(settings: &Settings, openings: usize, seed: u64) -> Schedule {
    let order = match &settings.openings {
        None => opening_order(openings, 1, None),
        Some(file) => opening_order(openings, file.start, file.random.then_some(seed)),
    };
    Schedule::new(&settings.shape(), order)
}

/// Receives the events of the workers: counts and writes the games, and prints the progress.
struct MatchRunner<'a> {
    settings: &'a Settings,
    schedule: &'a Schedule,
    archive: Archive,
    screen: &'a mut Screen,
    standing: Standing<'a>,
    /// Limit on failing engines; `None` with `-recover`.
    failure_limit: Option<FailureLimit>,
    /// Reason why the match cannot go on.
    failure: Option<String>,
    /// Notes of the workers on engines, each printed once.
    notes: BTreeSet<(usize, String)>,
    /// Number of games of the match, or of the part of it that is played.
    planned: u32,
    /// Number of these games that are finished. The journal may also contain games of other parts.
    played: u32,
    /// Start of this run, and the number of games finished before it.
    began: (Instant, u32),
}

impl<'a> MatchRunner<'a> {
    fn new(settings: &'a Settings, schedule: &'a Schedule, archive: Archive, screen: &'a mut Screen) -> Self {
        let done = numbers(archive.games());
        let played = schedule.numbers(settings.shard).filter(|number| done.contains(number)).count();
        let played = u32::try_from(played).expect("a part of all games");
        let mut runner = Self {
            settings,
            schedule,
            archive,
            screen,
            standing: Standing::new(settings),
            failure_limit: (!settings.recover).then(FailureLimit::default),
            failure: None,
            notes: BTreeSet::new(),
            planned: schedule.count(settings.shard),
            played,
            began: (Instant::now(), played),
        };
        let games: Vec<_> = runner.archive.games().to_vec();
        games.iter().for_each(|game| runner.standing.count(game));
        runner
    }

    fn print_start(&mut self, openings: &[Opening]) {
        let (played, games) = (self.played, self.planned);
        self.settings.nothing_to_do.iter().for_each(|line| self.screen.line(line));
        let times = |engine: &EngineSpec| engine.time.measures_time();
        let beginning = |opening: usize| (openings[opening].start.to_fen(), &openings[opening].moves);
        let repetition = || self.schedule.first_repetition(beginning);
        if let Some(number) = (!self.settings.engines.iter().any(times)).then(repetition).flatten() {
            self.screen.line_at(LogLevel::Warn, &format!(
                "Too few openings: from game {number} on games begin like earlier ones, and without a clock engines may play \
                 the same again, which proves nothing"
            ));
        }
        if played > 0 {
            self.screen.line(&format!("Resumed after {played} of {games} games"));
        }
        self.screen.begin(played, games);
    }

    /// Lets the workers play the remaining games.
    fn play(&mut self, openings: &[Opening], stop: &Stop) -> Result<End> {
        if let Some(decision) = self.standing.decision() {
            return Ok(End::Decided(decision));
        }
        let halt = AtomicBool::new(false);
        let settings = self.settings;
        let plan = Plan::new(self.schedule, settings, self.archive.games());
        let stopped = || halt.load(Ordering::Relaxed) || stop.is_requested();
        let next = || plan.next(&stopped);
        let log = self.screen.engine_log();
        let pattern = settings.pgn.as_ref().and_then(|pgn| pgn.match_line.as_deref());
        let lines = pattern.map(Regex::new).transpose()?;
        let seats = Seat::all(settings.concurrency);
        thread::scope(|scope| {
            let (_end, ended) = mpsc::channel();
            let journal = settings.journal.as_deref();
            if let Some(journal) = journal {
                let seats = &seats;
                scope.spawn(move || keep_written(journal, seats, &ended));
            }
            let (sender, events) = mpsc::channel();
            for seat in &seats {
                let (log, lines, seat) = (log.clone(), lines.clone(), journal.map(|_| seat));
                let worker = Worker { settings, openings, log, lines, stop, seat, events: sender.clone() };
                let (next, stopped) = (&next, &stopped);
                scope.spawn(move || worker.work(next, stopped));
            }
            drop(sender);
            let heard = self.handle_events(&events, &plan, &halt);
            // After an error no events are received any more, so the workers must stop.
            halt.store(true, Ordering::Relaxed);
            heard
        })?;
        Ok(match self.standing.decision() {
            _ if self.failure.is_some() => End::Failed,
            Some(decision) => End::Decided(decision),
            None if self.played == self.planned => End::Complete,
            None => End::Interrupted,
        })
    }

    fn handle_events(&mut self, events: &mpsc::Receiver<Event>, plan: &Plan<'_>, halt: &AtomicBool) -> Result<()> {
        for event in events {
            match event {
                Event::Started(game) => {
                    let [red, black] = [game.red, game.black].map(|engine| &self.settings.engines[engine].name);
                    self.screen.line(&output::started(game.number, self.schedule.len(), red, black));
                }
                Event::Again(game) => {
                    let (number, reason) = (game.number, output::reason(&game));
                    self.screen.line(&format!("Game {number} is played again: {reason}"));
                }
                Event::Finished(game, _counted) if game.result == GameResult::Unfinished => {
                    self.screen.line(&output::finished(&game));
                }
                Event::Finished(game, _counted) => {
                    self.archive.add(&game)?;
                    plan.count(&game);
                    self.played += 1;
                    self.standing.count(&game);
                    self.report_game(&game);
                    if let Some(failure) = self.failure_limit.as_mut().and_then(|limit| limit.count(&game)) {
                        self.failure.get_or_insert(failure);
                    }
                    if self.failure.is_some() || self.standing.decision().is_some() {
                        halt.store(true, Ordering::Relaxed);
                    }
                }
                Event::Noted(engine, note) => {
                    if self.notes.insert((engine, note.clone())) {
                        let level = if note.starts_with("warning") { LogLevel::Warn } else { LogLevel::Info };
                        self.screen.line_at(level, &format!("Note on {}: {note}", self.settings.engines[engine].name));
                    }
                }
                Event::Failed(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn report_game(&mut self, game: &GameRecord) {
        let line = self.standing.score_of(game);
        let level = if game.ending.class.is_failure() { LogLevel::Warn } else { LogLevel::Info };
        self.screen.line_at(level, &output::finished(game));
        output::stderr_lines(game).iter().for_each(|line| self.screen.line_at(LogLevel::Err, line));
        let mates = if self.settings.check_mates { checks::mates(game) } else { vec![] };
        output::warnings(game).iter().chain(&mates).for_each(|line| self.screen.line_at(LogLevel::Warn, line));
        let played = self.played;
        let is_due = |interval: u32| interval > 0 && played.is_multiple_of(interval);
        if self.settings.output_format == OutputFormat::Cutechess && is_due(self.settings.score_interval) {
            self.screen.line(&line);
        }
        let (began, before) = self.began;
        self.screen.progress(played, &self.standing.live([played, self.planned], played - before, began.elapsed()));
        if is_due(self.settings.outcome_interval) {
            outcomes(self.archive.games()).iter().for_each(|line| self.screen.line(line));
        }
        if is_due(self.settings.rating_interval) && played < self.planned {
            self.report_standing();
        }
    }

    fn report_standing(&self) {
        self.standing.lines(self.archive.games()).iter().for_each(|line| self.screen.line(line));
    }

    /// Writes the files at the end of a match.
    fn write_all(&mut self, header: &Header) -> Result<()> {
        self.archive.close()?;
        let report = self.settings.report.as_ref();
        report.map_or(Ok(()), |path| summary::write(path, self.settings, header, self.archive.games()))
    }

    fn finish(mut self, header: &Header, end: End) -> Result<Finished> {
        self.screen.end();
        // The standing is printed even if a file could not be written.
        let written = self.write_all(header);
        let games = self.archive.games();
        self.standing.summary(games).iter().for_each(|line| self.screen.line(line));
        if let Some(failure) = &self.failure {
            self.screen.line_at(LogLevel::Fatal, &format!("Stopped: {failure}"));
        }
        self.screen.line(match end {
            End::Complete | End::Decided(_) => "Finished match",
            End::Interrupted => "Interrupted match",
            End::Failed => "Stopped match",
        });
        written?;
        Ok(Finished { games: self.archive.into_games(), end })
    }
}
