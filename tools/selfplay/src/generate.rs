//! Generates the games of a run chunk by chunk, with all threads on one chunk.
//!
//! A killed run is continued by the same command.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use chuhe::eval::nnue::Network;
use chuhe_console::words::Share;
use chuhe_games::replace;

use crate::chunk::Chunk;
use crate::folder::{self, Inventory, JOURNAL};
use crate::game::Game;
use crate::journal::{Head, Journal, Resumed};
use crate::player::Player;
use crate::progress::Progress;
use crate::recipe::Recipe;
use crate::tally::Digest;

/// Longest interval between two updates of the progress line.
const TICK: Duration = Duration::from_millis(200);

/// Interval between syncs of the journal: the games of this time may be lost if the machine fails.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Recipe of the games.
    pub recipe: Recipe,
    /// Network named by the recipe, if any.
    pub network: Option<Arc<Network>>,
    /// Folder for the chunks.
    pub folder: PathBuf,
    /// Games to make.
    pub plan: Plan,
    /// Number of games played at the same time.
    pub threads: usize,
    /// Interval between progress lines without a terminal.
    pub interval: Duration,
}

/// Range of games, and the share made here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Number of the first game of the run; a multiple of `chunk`.
    pub first: u64,
    /// Games of the run; a multiple of `chunk`.
    pub games: u64,
    /// Number of games of a chunk.
    pub chunk: u64,
    /// Share of the chunks made here.
    pub shard: Share,
}

impl Plan {
    /// Checks that the plan is consistent.
    ///
    /// # Errors
    /// If the plan has no games, or numbers that are too large or not multiples of the games of a chunk.
    pub fn check(&self) -> Result<()> {
        ensure!(self.games > 0, "-games is at least 1");
        ensure!(self.chunk > 0, "a chunk needs games");
        for (word, number) in [("-first", self.first), ("-games", self.games)] {
            ensure!(number.is_multiple_of(self.chunk), "{word} {number} is not a multiple of -chunk {}", self.chunk);
        }
        self.first.checked_add(self.games).map(drop).context("the number is too large")
    }

    /// First games of the chunks made here.
    pub fn chunks(&self) -> impl Iterator<Item = u64> {
        let Self { first, games, chunk, shard } = *self;
        let numbers = first / chunk..(first + games) / chunk;
        numbers.filter(move |number| shard.has(*number)).map(move |number| number * chunk)
    }
}

/// Outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games exist.
    Complete,
    /// The run was cancelled; the same command continues it.
    Interrupted,
}

/// A game with its digest.
type Made = (Game, Digest);

/// Makes all missing games, until `cancel` is raised.
///
/// # Errors
/// The cause in one line: a damaged or foreign file, a full disk. Finished games are kept; if one cannot be stored, `cancel` is
/// raised.
pub fn run(settings: &Settings, cancel: &AtomicBool) -> Result<End> {
    let Settings { recipe, network, folder, plan, threads, interval } = settings;
    plan.check()?;
    recipe.check_playable(network.as_ref())?;
    fs::create_dir_all(folder).with_context(|| format!("the folder {}", folder.display()))?;
    let missing = missing_chunks(settings)?;
    let wanted = plan.chunks().count() as u64 * plan.chunk;
    let done = wanted - missing.len() as u64 * plan.chunk;
    let mut players =
        (0..(*threads).max(1)).map(|_| Player::new(recipe, network.as_ref())).collect::<Result<Vec<Player>>>()?;
    let mut progress = Progress::new(done, wanted, *interval);
    progress.line(&format!("{recipe}"));
    progress.line(&format!("{done} of {wanted} games are in {}", folder.display()));
    for first in missing {
        if make_chunk(settings, first, &mut players, &mut progress, cancel)? == End::Interrupted {
            progress.line("Interrupted: the same command goes on.");
            progress.end();
            return Ok(End::Interrupted);
        }
    }
    progress.end();
    Ok(End::Complete)
}

/// Returns the first games of the missing chunks.
fn missing_chunks(settings: &Settings) -> Result<Vec<u64>> {
    let Settings { recipe, folder, plan, .. } = settings;
    let inventory = Inventory::read(folder)?;
    if let Some(difference) = inventory.difference(recipe) {
        bail!("the games in {} are of another run: {difference}; name another folder", folder.display());
    }
    let mut missing = Vec::new();
    for first in plan.chunks() {
        if inventory.holds(first, plan.chunk)? {
            // A process that was killed before removing it has left it.
            replace::remove(&folder::file(folder, first, JOURNAL))?;
        } else {
            missing.push(first);
        }
    }
    Ok(missing)
}

/// Makes one chunk; its games are kept in a journal until all exist.
fn make_chunk(
    settings: &Settings,
    first: u64,
    players: &mut [Player],
    progress: &mut Progress,
    cancel: &AtomicBool,
) -> Result<End> {
    let Settings { recipe, folder, plan, .. } = settings;
    let path = folder::file(folder, first, JOURNAL);
    let head = Head { first, games: plan.chunk, recipe: recipe.clone() };
    let opened = Journal::open(&path, &head).with_context(|| format!("the journal {}", path.display()))?;
    let Resumed { mut journal, mut games, cut } = opened;
    if cut > 0 {
        progress.line(&format!(
            "{}: its last {cut} bytes were torn or damaged; their games are made again",
            path.display()
        ));
    }
    if !games.is_empty() {
        progress.line(&format!("{} games of the next chunk are in its journal", games.len()));
    }
    progress.found(games.len() as u64);
    let missing: Vec<u64> = (first..first + plan.chunk).filter(|number| !games.contains_key(number)).collect();
    let played = play_all(players, &missing, cancel, |made| {
        let kept = keep(made, &mut journal, progress, |game| drop(games.insert(game.number, game)));
        // Games that cannot be stored are not worth playing.
        kept.inspect_err(|_| cancel.store(true, Ordering::Relaxed))
    });
    // The games in the journal are kept even after an error.
    let synced = journal.sync();
    played.and(synced)?;
    if games.len() as u64 != plan.chunk {
        return Ok(End::Interrupted);
    }
    let chunk = Chunk::new(recipe, games.into_values().collect());
    let bytes = chunk.to_bytes()?;
    let whole = folder::place(folder, first, &bytes)?;
    drop(journal);
    replace::remove(&path)?;
    progress.line(&format!(
        "{}: {} games, {} positions, {:.2} bytes a position, contents {}",
        whole.display(),
        chunk.header.games,
        chunk.header.positions,
        bytes.len() as f64 / chunk.header.positions.max(1) as f64,
        chunk.header.contents
    ));
    Ok(End::Complete)
}

/// Plays the games of these numbers with all players, while `receive` handles the finished ones.
fn play_all(
    players: &mut [Player],
    numbers: &[u64],
    cancel: &AtomicBool,
    receive: impl FnOnce(Receiver<Made>) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for player in players {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || play_some(player, numbers, next, cancel, &sender));
        }
        drop(sender);
        receive(receiver)
    })
}

/// Work of one thread: plays the next game not yet taken until none is left.
fn play_some(player: &mut Player, numbers: &[u64], next: &AtomicUsize, cancel: &AtomicBool, sender: &Sender<Made>) {
    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
        let Some(game) = player.play(number, cancel) else { return };
        let digest = Digest::of(&game);
        if sender.send((game, digest)).is_err() {
            return;
        }
    }
}

/// Appends the finished games to the journal.
fn keep(
    made: Receiver<Made>,
    journal: &mut Journal,
    progress: &mut Progress,
    mut take: impl FnMut(Game),
) -> Result<()> {
    let mut synced = Instant::now();
    loop {
        match made.recv_timeout(TICK) {
            Ok((game, digest)) => {
                progress.add(&game, &digest);
                journal.add(&game)?;
                take(game);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        progress.tick();
        if synced.elapsed() >= SYNC_INTERVAL {
            journal.sync()?;
            synced = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(first: u64, games: u64, chunk: u64, shard: &str) -> Plan {
        Plan { first, games, chunk, shard: shard.parse().unwrap() }
    }

    #[test]
    fn shards_share_the_chunks() {
        assert_eq!(plan(0, 50, 10, "1/1").chunks().collect::<Vec<_>>(), [0, 10, 20, 30, 40]);
        assert_eq!(plan(0, 50, 10, "1/2").chunks().collect::<Vec<_>>(), [0, 20, 40]);
        assert_eq!(plan(0, 50, 10, "2/2").chunks().collect::<Vec<_>>(), [10, 30]);
        // The shard of a chunk does not depend on the first game of the run.
        assert_eq!(plan(10, 30, 10, "2/2").chunks().collect::<Vec<_>>(), [10, 30]);
    }

    #[test]
    fn a_plan_that_is_none_is_refused() {
        assert!(plan(20, 40, 10, "1/1").check().is_ok());
        for (wrong, error) in [
            (plan(5, 40, 10, "1/1"), "-first 5 is not a multiple of -chunk 10"),
            (plan(0, 45, 10, "1/1"), "-games 45 is not a multiple of -chunk 10"),
            (plan(0, 0, 10, "1/1"), "-games is at least 1"),
            (plan(0, 1, 0, "1/1"), "a chunk needs games"),
            (plan(10, u64::MAX - 5, 10, "1/1"), "the number is too large"),
        ] {
            assert_eq!(wrong.check().unwrap_err().to_string(), error);
        }
    }
}
