//! What must be there, and be known, before the first game of a match or of a tuning: openings, programs, cores, and the
//! conditions that make this match another one than any other.

use std::env;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail, ensure};
use chuhe_engines::player::{EngineSpec, Player};
use chuhe_games::openings::{Opening, read};
use serde_json::Value;
use twox_hash::XxHash3_64;

use crate::journal::Conditions;
use crate::output::told_by;
use crate::settings::Settings;

/// Where games begin.
pub(crate) fn openings(settings: &Settings) -> Result<Vec<Opening>> {
    match &settings.openings {
        None => Ok(vec![Opening::start()]),
        Some(file) => read::read_file(&file.path, file.format, file.plies, settings.seed.unwrap_or(BOOK_SEED)),
    }
}

/// Whether there is all that games take.
pub(crate) fn prepare(settings: &Settings) -> Result<()> {
    settings.engines.iter().try_for_each(check_program)?;
    check_cores(settings)?;
    settings.engines.iter().try_for_each(try_out)
}

/// Seed of the lines out of an opening book if none was given: a match that goes on must find the same.
const BOOK_SEED: u64 = 1;

/// A seed short enough to be typed.
pub(crate) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff_ffff)
}

/// All that the games depend on, and nothing of how they are watched and where they are written.
pub(crate) fn conditions(settings: &Settings, openings: &[Opening]) -> Result<Conditions> {
    let order = settings.openings.as_ref().map(|file| (file.random, file.start));
    let entries: [(&str, Value); 14] = [
        ("engines", serde_json::to_value(&settings.engines)?),
        ("openings", format!("{} with digest {:016x}", openings.len(), digest(openings)).into()),
        ("order of openings", format!("{order:?}").into()),
        ("tournament", serde_json::to_value(settings.tournament)?),
        ("rounds", settings.rounds.into()),
        ("games", settings.games.into()),
        ("repeat", settings.repeat.into()),
        ("swap", settings.swap.into()),
        ("sprt", settings.sprt.map(|sprt| sprt.to_string()).into()),
        ("draw", settings.draw.map(|draw| format!("{draw:?}")).into()),
        ("resign", settings.resign.map(|resign| format!("{resign:?}")).into()),
        ("maxmoves", settings.max_moves.into()),
        ("rules", settings.rules.name().into()),
        ("perpetual", format!("{:?}", settings.perpetual).into()),
    ];
    Ok(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// It need only notice that a file has changed.
fn digest(openings: &[Opening]) -> u64 {
    let mut hash = XxHash3_64::default();
    for Opening { start, moves, .. } in openings {
        hash.write(format!("{} {moves:?}\n", start.to_fen()).as_bytes());
    }
    hash.finish()
}

/// Whether an engine starts, greets, takes its options and gets ready.
fn try_out(engine: &EngineSpec) -> Result<()> {
    match Player::start(engine, None) {
        Ok(player) => {
            player.quit();
            Ok(())
        }
        Err(failure) => {
            let complaints = told_by(&engine.name, &failure.complaints).join("\n");
            let complaints = if complaints.is_empty() { complaints } else { format!("\n{complaints}") };
            bail!("engine {}: {failure}{complaints}", engine.name)
        }
    }
}

/// Whether there are as many cores as games at the same time.
fn check_cores(settings: &Settings) -> Result<()> {
    if !settings.affinity {
        return Ok(());
    }
    // Elsewhere processes do not inherit the core of the thread that starts them.
    ensure!(cfg!(target_os = "linux"), "-use-affinity works on Linux only");
    let cores = core_affinity::get_core_ids().unwrap_or_default().len();
    let games = settings.concurrency;
    ensure!(games <= cores, "-use-affinity: {games} games at the same time want more than the {cores} cores there are");
    Ok(())
}

/// Whether an engine's program is where it is said to be.
fn check_program(engine: &EngineSpec) -> Result<()> {
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
    Ok(())
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
