//! Preparation of a match or a tuning: openings, programs, cores, and the conditions that identify the match.

use std::env;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use chuhe_engines::player::FailureClass::Killed;
use chuhe_engines::player::{Announcement, EngineSpec, Failure, Player};
use chuhe_engines::process;
use chuhe_games::openings::Opening;
use chuhe_games::openings::read::{self, Format};
use serde_json::Value;
use twox_hash::XxHash3_64;

use crate::attempts::MOST_ATTEMPTS;
use crate::game::{TableReferee, ended};
use crate::journal::{CONTENTS, Conditions, Header, Origin, read_header};
use crate::judging::with_rules;
use crate::machine;
use crate::output::stderr_of;
use crate::outputs;
use crate::screen::printable;
use crate::settings::{Settings, counts_threads};
use crate::stop::{Interrupted, Stop};
use crate::tables;

/// A match or a tuning before its first game.
pub(crate) struct Prepared {
    /// Settings with the rules of the match, which are set in every engine too.
    pub(crate) settings: Settings,
    pub(crate) openings: Vec<Opening>,
    pub(crate) header: Header,
    /// Lines for the user about the rules and the tablebases.
    pub(crate) lines: Vec<String>,
}

/// Checks output files, openings, engines, cores and threads, and collects the conditions; [`Interrupted`] if the match is to
/// end. `command` is the command line.
pub(crate) fn prepare(settings: &Settings, command: &[String], stop: &Stop) -> Result<Prepared> {
    outputs::check(settings)?;
    let seed = seed(settings);
    let openings = read_openings(settings, seed)?;
    let announced = check_engines(settings, stop)?;
    let (mut settings, rules_line) = with_rules(settings, &announced);
    let mut lines = vec![rules_line];
    if let Some(tables) = &settings.tables {
        let (referee, of_tables) = tables::open(tables);
        lines.extend(of_tables);
        settings.table_referee = Some(referee);
    }
    let openings = playable(&settings, openings)?;
    let header = Header {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        command: command.to_vec(),
        directory: env::current_dir()?,
        conditions: conditions(&settings, &openings, &announced)?,
        origin: Origin { machine: machine::description(), versions: versions(&announced) },
    };
    // The conditions name the clocks of the match, whatever the machine.
    if let Some(factor) = settings.clock_scale {
        settings.engines.iter_mut().for_each(|engine| engine.time = engine.time.scaled(factor));
        lines.push(format!("All clocks are multiplied by {factor}"));
    }
    Ok(Prepared { settings, openings, header, lines })
}

/// Returns the names by which the engines have introduced themselves.
fn versions(announced: &[Announcement]) -> Vec<String> {
    announced.iter().map(|engine| engine.name.clone().unwrap_or_default()).collect()
}

/// Reads the openings; `seed` selects the lines of a book.
fn read_openings(settings: &Settings, seed: u64) -> Result<Vec<Opening>> {
    let Some(file) = &settings.openings else { return Ok(vec![Opening::start()]) };
    read::read_file(&file.path, file.format, file.plies, seed)
}

/// Returns the openings in which the game is not over yet. Finished games are an error, except in a book.
fn playable(settings: &Settings, mut openings: Vec<Opening>) -> Result<Vec<Opening>> {
    let Some(file) = &settings.openings else { return Ok(openings) };
    let name = file.path.display();
    if file.format == Format::Book {
        // Book lines are random, so a finished one is not a mistake of the user.
        openings.retain(|opening| ended(&settings.game_from(opening)).is_none());
        ensure!(!openings.is_empty(), "every line of {name} is over by the rules");
    }
    for (opening, number) in openings.iter().zip(1..) {
        if let Some(why) = ended(&settings.game_from(opening)) {
            let fen = opening.position().to_fen();
            bail!("{name}: opening {number} is over before the first move of an engine: {why}; {fen}");
        }
    }
    Ok(openings)
}

/// Returns the seed: the given one, that of the journal to resume, or a new one.
fn seed(settings: &Settings) -> u64 {
    let of_journal = || read_header(settings.journal.as_ref()?).ok().map(|header| header.seed);
    settings.seed.or_else(of_journal).unwrap_or_else(fresh_seed)
}

/// Checks engines, cores and threads, and returns what the engines announce.
fn check_engines(settings: &Settings, stop: &Stop) -> Result<Vec<Announcement>> {
    settings.engines.iter().try_for_each(|engine| program(engine).map(drop))?;
    check_load(settings)?;
    check_cores(settings)?;
    unless_stopped(stop, || settings.engines.iter().map(try_out).collect())
}

/// Runs `work` until it is done or the user interrupts it; an interruption kills all engines.
fn unless_stopped<T: Send>(stop: &Stop, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            thread::sleep(LOOK);
            if stop.is_requested() {
                process::end_all();
            }
        }
        let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        if stop.is_requested() { bail!(Interrupted) } else { done }
    })
}

/// Interval at which interruptions are checked.
const LOOK: Duration = Duration::from_millis(5);

/// Returns a random seed that is short enough to be typed.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff_ffff)
}

/// Returns the conditions of a match: everything that its games depend on, but not their number or the output files.
///
/// They contain the contents of files and no paths, so that a journal works from any directory and notices when an engine was
/// replaced under its old name.
fn conditions(settings: &Settings, openings: &[Opening], announced: &[Announcement]) -> Result<Conditions> {
    let order = settings.openings.as_ref().map(|file| (file.random, file.start));
    let entries: [(&str, Value); 12] = [
        ("openings", format!("{} with digest {:016x}", openings.len(), digest(openings)).into()),
        ("order of openings", format!("{order:?}").into()),
        ("tournament", serde_json::to_value(settings.tournament)?),
        ("games", settings.games.into()),
        ("repeat", settings.repeat.into()),
        ("swap", settings.swap.into()),
        ("sprt", settings.sprt.map(|sprt| sprt.to_string()).into()),
        ("draw", settings.draw.map(|draw| format!("{draw:?}")).into()),
        ("resign", settings.resign.map(|resign| format!("{resign:?}")).into()),
        ("maxmoves", settings.max_moves.into()),
        ("rules", settings.rules().name().into()),
        ("perpetual", format!("{:?}", settings.perpetual).into()),
    ];
    let mut conditions: Conditions = entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    conditions.extend(rare_conditions(settings).map(|(name, value)| (name.to_owned(), value)));
    for ((engine, announced), number) in settings.engines.iter().zip(announced).zip(1..) {
        let file = engine.command.file_name().map(PathBuf::from).unwrap_or_default();
        let spec = EngineSpec { command: file, dir: None, ..engine.clone() };
        conditions.insert(format!("engine {number}"), serde_json::to_value(spec)?);
        // The command of a remote engine may name files of the remote machine.
        if !settings.force {
            check_knowledge(engine)?;
        }
        for path in files(engine)?.into_iter().chain(default_files(engine, announced)?) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let contents = contents(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            conditions.insert(format!("{CONTENTS}{name} of engine {number}"), format!("{contents:016x}").into());
        }
    }
    Ok(conditions)
}

/// Returns the conditions that most matches do not have.
fn rare_conditions(settings: &Settings) -> impl Iterator<Item = (&'static str, Value)> {
    let policy = settings.openings.as_ref().and_then(|openings| openings.policy);
    let tables = settings.table_referee.as_ref().map(|referee| {
        let TableReferee { tables, most_pieces, decides, ignores_limit } = referee;
        let digest = format!("{} with digest {:016x}", tables.len(), tables.id());
        format!("{digest}, most pieces {most_pieces:?}, {decides:?}, ignoring the limit: {ignores_limit}")
    });
    let entries = [
        ("policy of openings", policy.map(|policy| format!("{policy:?}").into())),
        ("seeds", (settings.seeds != 1).then(|| settings.seeds.into())),
        ("reverse", settings.reverse.then(|| true.into())),
        ("tablebases", tables.map(Value::from)),
    ];
    entries.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

/// Returns the files that define an engine: its program, the scripts among its arguments, and its networks, books and
/// tablebases; not the files that it may write itself.
fn files(engine: &EngineSpec) -> Result<Vec<PathBuf>> {
    let here = |text: &String| engine.dir.clone().unwrap_or_default().join(text);
    let options = knowledge(engine).map(|(_, value)| value);
    let named = options.chain(&engine.args).map(here).filter(|path| path.is_file());
    Ok([program(engine)?].into_iter().chain(named).collect())
}

/// Returns the networks, books and tablebases that an engine reads by default, in its working directory or beside its program.
fn default_files(engine: &EngineSpec, announced: &Announcement) -> Result<Vec<PathBuf>> {
    let program = program(engine)?;
    let folders = [engine.dir.as_deref(), program.parent()].map(|folder| folder.unwrap_or(Path::new("")));
    let is_set = |name: &str| engine.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
    let defaults = announced.default_texts().filter(|(name, _)| names_knowledge(name) && !is_set(name));
    let found = |(_, text): (_, String)| folders.iter().map(|folder| folder.join(&text)).find(|path| path.is_file());
    Ok(defaults.filter_map(found).collect())
}

/// Options that name data of an engine: networks, books, tablebases.
fn knowledge(engine: &EngineSpec) -> impl Iterator<Item = &(String, String)> {
    engine.options.iter().filter(|(name, _)| names_knowledge(name))
}

/// Whether an option with this name names data of an engine.
fn names_knowledge(name: &str) -> bool {
    const WORDS: [&str; 6] = ["eval", "net", "nnue", "weight", "book", "egtb"];
    WORDS.iter().any(|word| name.to_ascii_lowercase().contains(word))
}

/// Checks that the data files of an engine exist: without them it would play as a different engine.
fn check_knowledge(engine: &EngineSpec) -> Result<()> {
    let program = program(engine)?;
    for (name, value) in knowledge(engine) {
        if let Some(path) = missing(engine, &program, value) {
            bail!("engine {}: option {name}={value}: there is no {path}; use -force to play without it", engine.name);
        }
    }
    Ok(())
}

/// Returns the first path in a value, or in a list with semicolons, that exists neither in the working directory of the engine
/// nor beside its program.
fn missing<'a>(engine: &EngineSpec, program: &Path, value: &'a str) -> Option<&'a str> {
    let folders = [engine.dir.as_deref(), program.parent()].map(|folder| folder.unwrap_or(Path::new("")));
    let is_there = |text: &str| folders.iter().any(|folder| folder.join(text).exists());
    value.split(';').find(|text| text.contains(path::is_separator) && !is_there(text))
}

fn contents(path: &Path) -> io::Result<u64> {
    let (mut hash, mut file) = (XxHash3_64::default(), BufReader::with_capacity(1 << 20, File::open(path)?));
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hash.finish());
        }
        hash.write(bytes);
        let count = bytes.len();
        file.consume(count);
    }
}

/// Returns a hash that shows whether the openings have changed.
fn digest(openings: &[Opening]) -> u64 {
    let mut hash = XxHash3_64::default();
    for Opening { start, moves, .. } in openings {
        hash.write(format!("{} {moves:?}\n", start.to_fen()).as_bytes());
    }
    hash.finish()
}

/// Starts an engine for a check, and returns what it announces.
fn try_out(engine: &EngineSpec) -> Result<Announcement> {
    let was_killed = |started: &Result<Player, Failure>| matches!(started, Err(failure) if failure.class == Killed);
    let mut started = Player::start(engine, None);
    for _ in 1..MOST_ATTEMPTS {
        if was_killed(&started) {
            started = Player::start(engine, None);
        }
    }
    match started {
        Ok(player) => {
            let announced = player.announcement().expect("it runs");
            player.quit();
            Ok(announced)
        }
        Err(failure) => {
            let stderr_text = stderr_of(&engine.name, &failure.stderr_text).join("\n");
            let stderr_text = if stderr_text.is_empty() { stderr_text } else { format!("\n{stderr_text}") };
            bail!("{}{stderr_text}", printable(&format!("engine {}: {failure}", engine.name)))
        }
    }
}

/// Checks that there are enough cores for all threads that think at the same time.
fn check_load(settings: &Settings) -> Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let games = settings.concurrency;
    let wanted = games.saturating_mul(threads_of_a_game(&settings.engines));
    ensure!(
        settings.force || settings.overload || wanted <= cores,
        "{games} games at the same time have up to {wanted} threads that think, and there are {cores} cores; use \
         -force-concurrency to play all the same"
    );
    Ok(())
}

/// Maximum number of threads that think at the same time in one game: those of both sides if an engine ponders.
fn threads_of_a_game(engines: &[EngineSpec]) -> usize {
    let threads = |engine: &EngineSpec| {
        let set = engine.options.iter().rev().find(|(name, _)| counts_threads(name));
        set.and_then(|(_, value)| value.parse().ok()).unwrap_or(1_usize).max(1)
    };
    let mut all: Vec<usize> = engines.iter().map(threads).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    let at_once = if engines.iter().any(|engine| engine.ponder) { 2 } else { 1 };
    // An engine that is tuned plays against itself.
    let second = all.get(1).or(all.first());
    all.first().into_iter().chain(second).take(at_once).sum()
}

/// Checks that there are as many cores as concurrent games.
fn check_cores(settings: &Settings) -> Result<()> {
    if !settings.affinity {
        return Ok(());
    }
    // On other systems a process does not inherit the core of the thread that starts it.
    ensure!(cfg!(target_os = "linux"), "-use-affinity works on Linux only");
    let all = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(core) = settings.cores.iter().find(|core| !all.iter().any(|known| known.id == **core)) {
        bail!("-use-affinity: there is no core {core}");
    }
    let cores = if settings.cores.is_empty() { all.len() } else { settings.cores.len() };
    let games = settings.concurrency;
    ensure!(games <= cores, "-use-affinity: {games} games at the same time need more than the {cores} cores there are");
    Ok(())
}

/// Returns the path of an engine's program, if it exists and is executable.
fn program(engine: &EngineSpec) -> Result<PathBuf> {
    let (name, command) = (&engine.name, &engine.command);
    if let Some(dir) = &engine.dir {
        ensure!(dir.is_dir(), "engine {name}: there is no folder {}", dir.display());
    }
    let beside = engine.dir.iter().map(|dir| dir.join(command));
    let searched = env::var_os("PATH").filter(|_| command.components().count() == 1);
    let in_path = searched.iter().flat_map(env::split_paths).map(|folder| folder.join(command));
    let candidates: Vec<PathBuf> = beside.chain([command.clone()]).chain(in_path).collect();
    let Some(found) = candidates.iter().find(|path| path.is_file()) else {
        bail!("engine {name}: there is no program {}", command.display());
    };
    ensure!(is_executable(found), "engine {name}: {} cannot be executed", found.display());
    Ok(found.clone())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_shall_know_by_heart_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        File::create(at("net.nnue")).unwrap();
        let program = env::current_exe().unwrap().display().to_string();
        let checked = |name: &str, value: &str| {
            let options = vec![(name.to_owned(), value.to_owned())];
            let engine = EngineSpec { options, ..EngineSpec::new(&program) };
            check_knowledge(&engine).and_then(|()| files(&engine)).map_err(|error| error.to_string())
        };
        assert_eq!(checked("EvalFile", &at("net.nnue")).unwrap().len(), 2);
        let misspelt = checked("evalapi", &at("nets.nnue")).unwrap_err();
        assert!(misspelt.contains(&format!(": there is no {};", at("nets.nnue"))), "{misspelt}");
        let list = |second: &str| format!("<embedded>;{};{}", at("net.nnue"), at(second));
        assert!(checked("bookfiles", &list("net.nnue")).is_ok() && checked("bookfiles", &list("x.book")).is_err());
        assert!(checked("EgtbPaths", &at("")).is_ok() && checked("EgtbPaths", &at("tables")).is_err());
        for (name, value) in
            [("usebook", "false"), ("EvalFile", "known-to-the-engine.nnue"), ("logfile", &at("new.log"))]
        {
            assert_eq!(checked(name, value).unwrap().len(), 1, "{name}");
        }
    }

    #[test]
    fn pondering_engines_think_both_at_the_same_time() {
        let engine = |threads: &str, ponder| EngineSpec {
            options: vec![("Threads".to_owned(), threads.to_owned())],
            ponder,
            ..EngineSpec::new("a")
        };
        assert_eq!(threads_of_a_game(&[engine("4", false), engine("2", false)]), 4);
        assert_eq!(threads_of_a_game(&[engine("4", true), engine("2", false)]), 6);
        assert_eq!(threads_of_a_game(&[engine("many", false), EngineSpec::new("b")]), 1);
        assert_eq!(threads_of_a_game(&[engine("3", true)]), 6);
    }
}
