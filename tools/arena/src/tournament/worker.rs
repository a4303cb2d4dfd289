//! Worker thread: plays one game after the other, and keeps its engines from game to game.

use std::env;
use std::fs::{File, TryLockError};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use chuhe::smp::time_slice;
use chuhe_engines::player::{Log, Player, Restart};
use chuhe_games::openings::Opening;
use chuhe_games::record::GameRecord;
use core_affinity::CoreId;
use regex::Regex;

use crate::attempts;
use crate::game::GameSetup;
use crate::schedule::Planned;
use crate::seats::Seat;
use crate::settings::Settings;
use crate::stop::Stop;

/// An event from a worker.
pub(super) enum Event {
    Started(Planned),
    /// A finished game, and a sender that is dropped once the game is counted; until then the worker starts no other game.
    Finished(Box<GameRecord>, Sender<()>),
    /// An engine was killed in this game, which is played again.
    Again(Box<GameRecord>),
    /// A note on the engine with this index.
    Noted(usize, String),
    Failed(anyhow::Error),
}

/// A worker thread.
pub(super) struct Worker<'a> {
    pub(super) settings: &'a Settings,
    pub(super) openings: &'a [Opening],
    pub(super) log: Option<Log>,
    /// Pattern for lines of the engines that are kept with their moves.
    pub(super) lines: Option<Regex>,
    pub(super) stop: &'a Stop,
    /// Seat at which the games are shown, if there is a journal.
    pub(super) seat: Option<&'a Seat>,
    pub(super) events: Sender<Event>,
}

impl Worker<'_> {
    /// Plays games until `next` returns none or `stopped` is true.
    pub(super) fn work(self, next: &impl Fn() -> Option<Planned>, stopped: &impl Fn() -> bool) {
        time_slice::request_short();
        let seat = self.settings.affinity.then(|| take_core(&self.settings.cores)).transpose();
        let _seat = match seat {
            Ok(seat) => seat,
            Err(error) => {
                self.say(Event::Failed(error));
                return;
            }
        };
        let mut kept: Vec<(usize, Player)> = Vec::new();
        let mut has_played = false;
        while !stopped() {
            if has_played {
                pause(self.settings.wait, stopped);
            }
            has_played = true;
            let Some(game) = next() else { break };
            self.say(Event::Started(game));
            let [mut red, mut black] = [game.red, game.black].map(|engine| self.player(&mut kept, engine));
            // Engines that do not play this game quit to free their memory, unless they must not be restarted.
            let is_free = |(engine, _): &mut (usize, Player)| self.settings.engines[*engine].restart != Restart::Off;
            kept.extract_if(.., is_free).for_each(|(_, player)| player.quit());
            let again = |record| self.say(Event::Again(Box::new(record)));
            let record =
                attempts::play([&mut red, &mut black], &self.setup(&game), self.seat, self.stop, stopped, again);
            kept.extend([(game.red, red), (game.black, black)]);
            for (engine, player) in &kept {
                player.notes().iter().for_each(|note| self.say(Event::Noted(*engine, note.clone())));
            }
            let (counted, wait) = mpsc::channel();
            self.say(Event::Finished(Box::new(record), counted));
            let _ = wait.recv();
        }
        kept.into_iter().for_each(|(_, player)| player.quit());
    }

    fn say(&self, event: Event) {
        // The receiver is gone if a file could not be written; the worker is stopped as well then.
        drop(self.events.send(event));
    }

    fn player(&self, kept: &mut Vec<(usize, Player)>, engine: usize) -> Player {
        let at = kept.iter().position(|(index, _)| *index == engine);
        let new = || Player::new(&self.settings.engines[engine], self.log.clone()).keeping(self.lines.clone());
        at.map_or_else(new, |at| kept.swap_remove(at).1)
    }

    fn setup(&self, game: &Planned) -> GameSetup {
        let setup = self.settings.game_from(&self.openings[game.opening]);
        GameSetup { number: game.number, round: game.round, ..setup }
    }
}

/// Waits between two games, until the match is `stopped` at most.
fn pause(wait: Duration, stopped: &impl Fn() -> bool) {
    let end = Instant::now() + wait;
    while Instant::now() < end && !stopped() {
        thread::sleep(end.saturating_duration_since(Instant::now()).min(Duration::from_millis(20)));
    }
}

/// Binds this thread and the engines that it starts to a core that no other thread of this or another match has taken.
///
/// The core is free again when the returned file is closed.
///
/// `cores` are the ones to choose from; empty for all.
fn take_core(cores: &[usize]) -> Result<File> {
    let is_wanted = |core: &CoreId| cores.is_empty() || cores.contains(&core.id);
    for core in core_affinity::get_core_ids().unwrap_or_default().into_iter().filter(is_wanted) {
        let path = env::temp_dir().join(format!("chuhe-arena-core-{}.lock", core.id));
        let open = File::options().create(true).append(true).open(&path).or_else(|_| File::open(&path));
        let seat = open.with_context(|| format!("{} cannot be opened", path.display()))?;
        match seat.try_lock() {
            Ok(()) => {
                ensure!(core_affinity::set_for_current(core), "the system does not tie threads to cores");
                return Ok(seat);
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("locking {}", path.display()));
            }
        }
    }
    bail!("-use-affinity: all cores are taken, by this match or by another one")
}
