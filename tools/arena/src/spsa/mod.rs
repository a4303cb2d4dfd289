//! SPSA tuning of an engine's options by games of the engine against itself.
//!
//! Two points around the current values play a few pairs, and the values move towards the better one.

mod descent;
mod parameter;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use chuhe_engines::player::{EngineSpec, Log, Player};
use chuhe_games::journal::{Entry, Opened};
use chuhe_games::openings::Opening;
use chuhe_games::record::{EndingClass, GameRecord, GameResult};
use serde::{Deserialize, Serialize};

use crate::attempts;
use crate::game::GameSetup;
use crate::journal::{self, Numbered};
use crate::output::failures;
use crate::preparation::{Prepared, prepare};
use crate::schedule::opening_order;
use crate::screen::{Screen, printable};
use crate::settings::{Settings, Source};
use crate::stop::Stop;

pub use descent::{Descent, Trial};
pub use parameter::Parameter;

/// Result of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All iterations were done.
    Complete,
    /// The tuning was interrupted.
    Interrupted,
}

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Iteration {
    /// Number of the iteration, from 1.
    number: u32,
    /// Lead of the first point in games per pair.
    result: f64,
    /// Values afterwards, for readers: only the results are read back.
    values: Vec<f64>,
}

impl Entry for Iteration {
    const WHAT: &'static str = "iteration";
}

impl Numbered for Iteration {
    fn number(&self) -> u32 {
        self.number
    }
}

/// Tunes until all iterations are done or the user interrupts it; resumes if there is a journal.
///
/// # Errors
/// If the settings are faulty, an engine does not start, or the journal cannot be written.
pub fn run(settings: &Settings, command: &[String], screen: &mut Screen, stop: &Stop) -> Result<End> {
    let spsa = settings.spsa.as_ref().context("nothing is to be tuned")?;
    let Prepared { settings, openings, mut header, lines } = prepare(settings, command, stop)?;
    let settings = &settings;
    let parameters = match &spsa.source {
        Source::File(path) => parameter::read_file(path)?,
        Source::Names(names) => parameter::announced(&settings.engines[0], names)?,
    };
    let more = [
        ("parameters", serde_json::to_value(&parameters)?),
        ("iterations", spsa.iterations.into()),
        ("pairs", spsa.pairs.into()),
        ("gains", format!("{:?}", spsa.gains).into()),
    ];
    header.conditions.extend(more.map(|(name, value)| (name.to_owned(), value)));
    let (mut journal, seed, known) = match &settings.journal {
        None => (None, header.seed, Vec::new()),
        Some(path) => {
            let Opened { journal, header, entries } = journal::open::<Iteration>(path, header, settings.seed)?;
            (Some(journal), header.seed, entries)
        }
    };
    let mut descent = Descent::new(parameters, spsa.gains, spsa.iterations, seed);
    for iteration in &known {
        if iteration.number != descent.done() + 1 {
            bail!("the journal goes from iteration {} to {}", descent.done(), iteration.number);
        }
        descent.update(iteration.result);
    }
    screen.line(&format!("Seed: {seed}"));
    settings.nothing_to_do.iter().chain(&lines).for_each(|line| screen.line(line));
    if settings.concurrency > spsa.pairs as usize {
        let pairs = if spsa.pairs == 1 { "one pair".to_owned() } else { format!("{} pairs", spsa.pairs) };
        let given = settings.concurrency;
        screen.line(&format!(
            "-concurrency {given}: an iteration has {pairs}, so no more games are played at the same time"
        ));
    }
    if !known.is_empty() {
        screen.line(&format!("Resumed after {} of {} iterations", descent.done(), spsa.iterations));
    }
    let log = screen.engine_log();
    let order = order(settings, openings.len(), seed);
    let runner = Runner { settings, pairs: spsa.pairs, order, openings, log, failed: Mutex::default() };
    while descent.done() < spsa.iterations {
        let played = runner.play(&descent, stop);
        if played.is_err() {
            // Without a journal these values are all that is left of the run.
            print_values(&descent, screen);
        }
        let Some(result) = played? else {
            screen.line("Interrupted tuning");
            runner.print_failures(screen);
            print_values(&descent, screen);
            return Ok(End::Interrupted);
        };
        descent.update(result);
        if let Some(journal) = &mut journal {
            journal.add(&Iteration { number: descent.done(), result, values: descent.values().to_vec() })?;
            journal.sync()?;
        }
        if settings.rating_interval > 0 && descent.done().is_multiple_of(settings.rating_interval) {
            print_progress(&descent, spsa.iterations, result, screen);
            runner.print_failures(screen);
        }
    }
    screen.line("Finished tuning");
    runner.print_failures(screen);
    print_values(&descent, screen);
    Ok(End::Complete)
}

fn order(settings: &Settings, openings: usize, seed: u64) -> Vec<usize> {
    let file = settings.openings.as_ref();
    opening_order(openings, file.map_or(1, |file| file.start), file.filter(|file| file.random).map(|_| seed))
}

/// Setting for the games of an iteration.
struct Runner<'a> {
    settings: &'a Settings,
    pairs: u32,
    openings: Vec<Opening>,
    order: Vec<usize>,
    log: Option<Log>,
    /// Games in which the engine failed or was killed.
    failed: Mutex<Vec<GameRecord>>,
}

impl Runner<'_> {
    /// Prints how often the engine has failed in games of this run.
    fn print_failures(&self, screen: &mut Screen) {
        failures(&unpoisoned(&self.failed)).iter().for_each(|line| screen.line(line));
    }

    /// Plays the next iteration; returns the lead of its first point in games per pair, `None` if interrupted.
    fn play(&self, descent: &Descent, stop: &Stop) -> Result<Option<f64>> {
        let trial = descent.trial();
        let sides = [self.engine(descent, "plus", &trial.plus), self.engine(descent, "minus", &trial.minus)];
        let (next, failed) = (AtomicU32::new(0), AtomicBool::new(false));
        let results = Mutex::new(Vec::new());
        let work = || {
            while !stop.is_requested() && !failed.load(Ordering::Relaxed) {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= self.pairs {
                    break;
                }
                let result = self.pair(&sides, descent.done() * self.pairs + pair, stop);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                unpoisoned(&results).push(result);
            }
        };
        thread::scope(|scope| {
            (0..self.settings.concurrency).for_each(|_| drop(scope.spawn(work)));
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let results: Option<Vec<i32>> = results.into_iter().collect::<Result<_>>()?;
        let complete = results.filter(|results| results.len() == self.pairs as usize);
        Ok(complete.map(|results| f64::from(results.iter().sum::<i32>()) / f64::from(self.pairs)))
    }

    /// Returns the engine with these values.
    fn engine(&self, descent: &Descent, name: &str, values: &[f64]) -> EngineSpec {
        let mut spec = self.settings.engines[0].clone();
        spec.name = format!("{} {name}", spec.name);
        let options = descent.parameters().iter().zip(values);
        spec.options.extend(options.map(|(parameter, &value)| (parameter.name.clone(), parameter.text(value))));
        spec
    }

    /// Plays two games from one opening with colours exchanged; returns the wins minus losses of the first engine.
    fn pair(&self, [plus, minus]: &[EngineSpec; 2], pair: u32, stop: &Stop) -> Result<Option<i32>> {
        let mut players = [plus, minus].map(|engine| Player::new(engine, self.log.clone()));
        let mut balance = 0;
        for game in 0..2 {
            let [plus, minus] = &mut players;
            let (red, black) = if game == 0 { (plus, minus) } else { (minus, plus) };
            let setup = self.setup(pair, game);
            let stopped = || stop.is_requested();
            let record = attempts::play([red, black], &setup, None, stop, &stopped, drop);
            check(&record)?;
            if record.ending.class.is_failure() || !record.killed.is_empty() {
                unpoisoned(&self.failed).push(GameRecord { moves: vec![], ..record.clone() });
            }
            balance += match record.result {
                GameResult::Unfinished => return Ok(None),
                GameResult::Draw => 0,
                GameResult::Red => 1 - 2 * game,
                GameResult::Black => 2 * game - 1,
            };
        }
        players.into_iter().for_each(Player::quit);
        Ok(Some(balance))
    }

    fn setup(&self, pair: u32, game: i32) -> GameSetup {
        let opening = &self.openings[self.order[pair as usize % self.order.len()]];
        let number = pair * 2 + game.unsigned_abs() + 1;
        GameSetup { number, round: pair + 1, ..self.settings.game_from(opening) }
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error if an engine does not start, which would recur in every game.
fn check(record: &GameRecord) -> Result<()> {
    match record.ending.class {
        EndingClass::NoHandshake => {
            bail!(printable(&format!("{} against {}: {}", record.red, record.black, record.ending.text)))
        }
        _ => Ok(()),
    }
}

fn print_progress(descent: &Descent, iterations: u32, result: f64, screen: &mut Screen) {
    let values = descent.parameters().iter().zip(descent.values());
    let values = values.map(|(parameter, value)| format!("{} {value:.2}", parameter.name)).collect::<Vec<_>>();
    let done = descent.done();
    screen.line(&format!("Iteration {done} of {iterations}: {result:+.2}; {}", values.join(", ")));
}

/// Prints the values as a table.
fn print_values(descent: &Descent, screen: &mut Screen) {
    let width = descent.parameters().iter().map(|parameter| parameter.name.len()).max().unwrap_or(0).max(9);
    screen.line(&format!("{:width$} {:>10} {:>10} {:>8} .. {:<8}", "Parameter", "start", "now", "min", "max"));
    for (parameter, &value) in descent.parameters().iter().zip(descent.values()) {
        let Parameter { name, start, min, max, .. } = parameter;
        screen.line(&format!("{name:width$} {start:>10} {:>10} {min:>8} .. {max:<8}", parameter.text(value)));
    }
}
