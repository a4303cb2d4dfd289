//! One engine process on its own thread: takes the tasks of a page in turn, and ends when there is none for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use chuhe::rules::RuleSet;
use chuhe_engines::player::Player;
use serde_json::{Value, json};

use super::annotation::annotate;
use super::job::{Job, Permit, Processes, Wish};
use super::search::{Trouble, analyse, level, play, resources};
use super::spec::{Use, further_options, spec};
use crate::line::Line;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::request::{Analyse, Annotate, EngineEntry, Play};

/// Maximum number of tasks that wait for an engine.
const MOST_WAITING: usize = 4;

/// Surroundings of a worker.
#[derive(Clone)]
pub(crate) struct Environment {
    pub(crate) outbox: Outbox,
    pub(crate) processes: Processes,
    /// Time without a task after which the process ends.
    pub(crate) idle: Duration,
}

/// Task of an engine.
pub(crate) enum Task {
    Play(Play, Line),
    Hint(Play, Line),
    Analyse(Analyse, Line),
    Annotate(Annotate, Line),
    /// Only the handshake.
    Test,
}

impl Task {
    fn rules(&self) -> RuleSet {
        match self {
            Self::Play(wanted, _) | Self::Hint(wanted, _) => wanted.rules.0,
            Self::Analyse(wanted, _) => wanted.rules.0,
            Self::Annotate(wanted, _) => wanted.rules.0,
            Self::Test => RuleSet::Asian,
        }
    }

    fn line(&self) -> Option<&Line> {
        match self {
            Self::Play(_, line) | Self::Hint(_, line) | Self::Analyse(_, line) | Self::Annotate(_, line) => Some(line),
            Self::Test => None,
        }
    }

    fn options(&self) -> Vec<(String, String)> {
        match self {
            Self::Play(wanted, _) => level(wanted.elo),
            Self::Hint(..) => resources(None, None, None),
            Self::Analyse(wanted, _) => resources(wanted.threads, wanted.hash, wanted.multipv),
            Self::Annotate(wanted, _) => resources(wanted.threads, wanted.hash, None),
            Self::Test => Vec::new(),
        }
    }
}

/// Handle of a worker. When it is dropped, the engine ends after its current task.
pub(crate) struct Worker {
    entry: EngineEntry,
    orders: SyncSender<(Job, Task)>,
    /// Number of tasks that are not done.
    pending: Arc<AtomicUsize>,
}

impl Worker {
    /// Starts the thread; the process starts with the first task.
    pub(crate) fn start(entry: EngineEntry, purpose: Use, environment: Environment) -> Self {
        let (orders, receiver) = mpsc::sync_channel(MOST_WAITING);
        let pending = Arc::new(AtomicUsize::new(0));
        let engine = Engine { entry: entry.clone(), purpose, environment, running: None };
        let done = Arc::clone(&pending);
        thread::spawn(move || engine.work(&receiver, &done));
        Self { entry, orders, pending }
    }

    /// Returns the engine that the worker runs.
    pub(crate) fn entry(&self) -> &EngineEntry {
        &self.entry
    }

    /// Whether no task is waiting or being performed.
    pub(crate) fn is_free(&self) -> bool {
        self.pending.load(Ordering::Relaxed) == 0
    }

    /// Refuses if too many tasks are waiting.
    pub(crate) fn check_free(&self) -> Result<(), Refusal> {
        if self.pending.load(Ordering::Relaxed) < MOST_WAITING { Ok(()) } else { Err(self.busy()) }
    }

    pub(crate) fn order(&self, job: Job, task: Task) -> Result<(), Refusal> {
        self.check_free()?;
        self.pending.fetch_add(1, Ordering::Relaxed);
        self.orders.try_send((job, task)).map_err(|_| self.busy())
    }

    fn busy(&self) -> Refusal {
        Refusal::new("busy", format!("{} has {MOST_WAITING} tasks already", self.entry.name))
    }
}

/// A process that has completed the handshake.
struct Running {
    player: Player,
    rules: RuleSet,
    /// Line of the last task.
    line: Option<Line>,
    /// Options set last.
    options: Vec<(String, String)>,
    _permit: Permit,
}

struct Engine {
    entry: EngineEntry,
    purpose: Use,
    environment: Environment,
    running: Option<Running>,
}

impl Engine {
    fn work(mut self, orders: &Receiver<(Job, Task)>, pending: &AtomicUsize) {
        loop {
            match orders.recv_timeout(self.environment.idle) {
                Ok((job, task)) => {
                    if job.wished() != Wish::Abandon {
                        self.perform(&job, &task);
                    }
                    pending.fetch_sub(1, Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => self.end(),
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            }
        }
    }

    fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.player.quit();
        }
    }

    fn perform(&mut self, job: &Job, task: &Task) {
        let outbox = self.environment.outbox.clone();
        match self.answer(job, task) {
            Ok(message) => outbox.finish(job.number, &message),
            Err(Trouble::Abandoned) => self.running = None,
            Err(Trouble::Refused(refusal)) => {
                let mut message = refusal.message(key(task), Some(job.number));
                message["engine"] = json!(self.entry.name);
                if let Task::Analyse(wanted, _) = task {
                    message["type"] = json!("analysed");
                    message["slot"] = json!(wanted.slot);
                    message["reason"] = json!("failed");
                }
                if refusal.code == "engine_failed" {
                    // The next task starts the process again.
                    self.running = None;
                }
                outbox.finish(job.number, &message);
            }
        }
    }

    fn answer(&mut self, job: &Job, task: &Task) -> Result<Value, Trouble> {
        if job.wished() == Wish::Replace
            && let Task::Analyse(wanted, _) = task
        {
            return Ok(analysed(job, wanted, "replaced"));
        }
        let started = Instant::now();
        let (outbox, number) = (&self.environment.outbox.clone(), job.number);
        let Running { player, .. } = self.ready(task)?;
        match task {
            Task::Play(wanted, line) => Ok(answered(number, play(player, job, outbox, line, wanted, false)?)),
            Task::Hint(wanted, line) => Ok(answered(number, play(player, job, outbox, line, wanted, true)?)),
            Task::Analyse(wanted, line) => Ok(analysed(job, wanted, analyse(player, job, outbox, line, wanted)?)),
            Task::Annotate(wanted, line) => annotate(player, job, outbox, line, wanted),
            Task::Test => {
                let message = answered(number, introduction(player, started));
                self.end();
                Ok(message)
            }
        }
    }

    /// Returns the process, ready for a task: with its options, and told of a new game if the task is not about the last one.
    fn ready(&mut self, task: &Task) -> Result<&mut Running, Trouble> {
        let failed = |failure| Refusal::new("engine_failed", failure);
        if self.running.as_ref().is_some_and(|running| running.rules != task.rules()) {
            self.end();
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start(task.rules())?,
        };
        let goes_on = running.line.as_ref().zip(task.line()).is_some_and(|(before, now)| continues(before, now));
        if !goes_on {
            running.player.new_game().map_err(failed)?;
        }
        let mut options = further_options(self.purpose);
        options.extend(task.options());
        if options != running.options {
            running.player.set_options(&options).map_err(failed)?;
            running.options = options;
        }
        running.line = task.line().cloned();
        Ok(self.running.insert(running))
    }

    fn start(&self, rules: RuleSet) -> Result<Running, Refusal> {
        let permit = self.environment.processes.permit()?;
        let spec = spec(&self.entry, self.purpose, rules).map_err(|error| Refusal::new("engine_failed", error))?;
        let player = Player::start(&spec, None).map_err(|failure| Refusal::new("engine_failed", failure))?;
        Ok(Running { player, rules, line: None, options: Vec::new(), _permit: permit })
    }
}

/// Whether one line is the beginning of the other, so that the engine's memory of the game is of use.
fn continues(before: &Line, now: &Line) -> bool {
    let shorter = before.moves.len().min(now.moves.len());
    before.positions[0] == now.positions[0] && before.moves[..shorter] == now.moves[..shorter]
}

/// Returns the key under which a message names its request: those of long jobs have been answered already.
fn key(task: &Task) -> &'static str {
    match task {
        Task::Analyse(..) | Task::Annotate(..) => "job",
        Task::Play(..) | Task::Hint(..) | Task::Test => "re",
    }
}

fn answered(number: u64, mut message: Value) -> Value {
    message["re"] = json!(number);
    message
}

fn analysed(job: &Job, wanted: &Analyse, reason: &str) -> Value {
    json!({ "type": "analysed", "job": job.number, "slot": wanted.slot, "reason": reason })
}

fn introduction(player: &Player, started: Instant) -> Value {
    let announcement = player.announcement();
    json!({
        "type": "engine_test",
        "ok": true,
        "name": announcement.as_ref().and_then(|announced| announced.name.clone()),
        "protocol": announcement.as_ref().map(|announced| announced.protocol.name()),
        "notes": player.notes(),
        "ms": started.elapsed().as_millis() as u64,
    })
}
