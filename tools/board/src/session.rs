//! One page: its requests, its engines and jobs, from the opening of its websocket to the end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use chuhe::board::START_FEN;
use chuhe::engine::options::ELO_RANGE;
use chuhe::rules::RuleSet;
use futures_util::SinkExt;
use futures_util::stream::{SplitSink, SplitStream, StreamExt};
use serde_json::{Value, json};

use crate::app::App;
use crate::engines::{Environment, Job, Task, Use, Worker};
use crate::files;
use crate::journals;
use crate::line::Line;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::request::{self, Analyse, EngineEntry, Request};
use crate::settings::{MOST_HASH, MOST_LINES};
use crate::{export, positions};

/// Maximum number of analyses, watched journals and engines of a page.
const MOST_ANALYSES: usize = 4;
const MOST_WATCHES: usize = 4;
const MOST_WORKERS: usize = 12;

/// Maximum number of characters of the name of a place on the page.
const LONGEST_SLOT: usize = 32;

/// Interval at which the page shows that it is there, by the answer to a ping.
const PING: Duration = Duration::from_secs(20);

/// Silence after which the page is gone.
const GONE: Duration = Duration::from_secs(60);

/// Runs a session until the page has gone.
pub(crate) async fn run(socket: WebSocket, app: Arc<App>) {
    let outbox = Outbox::default();
    app.join(&outbox);
    outbox.send(&hello(&app));
    let (sink, stream) = socket.split();
    let writer = tokio::spawn(write(sink, outbox.clone()));
    read(stream, Session::new(app, outbox.clone())).await;
    outbox.close();
    // The writer ends with the outbox; a page that takes nothing is not waited for.
    drop(tokio::time::timeout(Duration::from_secs(1), writer).await);
}

async fn read(mut stream: SplitStream<WebSocket>, mut session: Session) {
    loop {
        let message = tokio::select! {
            message = tokio::time::timeout(GONE, stream.next()) => message,
            () = session.outbox.closed() => return,
        };
        let Ok(Some(Ok(message))) = message else { return };
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return,
            Message::Close(_) => return,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let handled = tokio::task::spawn_blocking(move || {
            session.handle(&text);
            session
        });
        match handled.await {
            Ok(same) => session = same,
            Err(_) => return,
        }
    }
}

async fn write(mut sink: SplitSink<WebSocket, Message>, outbox: Outbox) {
    loop {
        let message = match tokio::time::timeout(PING, outbox.next()).await {
            Ok(Some(text)) => Message::Text(text.into()),
            Ok(None) => break,
            Err(_) => Message::Ping(Vec::new().into()),
        };
        // A page that does not read for so long has gone.
        if !matches!(tokio::time::timeout(GONE, sink.send(message)).await, Ok(Ok(()))) {
            break;
        }
    }
    outbox.close();
    drop(sink.close().await);
}

fn hello(app: &App) -> Value {
    let engines = app.engines.all().into_iter().map(|entry| json!({ "name": entry.name, "builtin": entry.builtin }));
    json!({
        "type": "hello",
        "version": env!("CARGO_PKG_VERSION"),
        "start": START_FEN,
        "rules": RuleSet::ALL.map(RuleSet::name),
        "elo": { "min": ELO_RANGE.start(), "max": ELO_RANGE.end() },
        "threads": thread::available_parallelism().map_or(1, |count| count.get()),
        "hash": MOST_HASH,
        "multipv": MOST_LINES,
        "engines": engines.collect::<Vec<_>>(),
        "journals": app.journals.is_there(),
        "engines_file": app.engines.path().display().to_string(),
    })
}

/// State of a page.
struct Session {
    app: Arc<App>,
    outbox: Outbox,
    environment: Environment,
    workers: BTreeMap<String, Worker>,
    /// Jobs of engines that may still run.
    jobs: Vec<Job>,
    /// Latest analysis of each place on the page.
    analyses: BTreeMap<String, u64>,
    watches: Vec<Job>,
}

/// An answer, or none where it comes later.
type Reply = Result<Option<Value>, Refusal>;

impl Session {
    fn new(app: Arc<App>, outbox: Outbox) -> Self {
        let environment =
            Environment { outbox: outbox.clone(), processes: app.processes.clone(), idle: app.settings.idle };
        Self {
            app,
            outbox,
            environment,
            workers: BTreeMap::new(),
            jobs: Vec::new(),
            analyses: BTreeMap::new(),
            watches: Vec::new(),
        }
    }

    fn handle(&mut self, text: &str) {
        let (id, request) = request::read(text);
        match request.and_then(|request| self.reply(id.unwrap_or_default(), request)) {
            Ok(None) => {}
            Ok(Some(mut message)) => {
                message["re"] = json!(id);
                self.outbox.send(&message);
            }
            Err(refusal) => self.outbox.send(&refusal.message("re", id)),
        }
    }

    fn reply(&mut self, id: u64, request: Request) -> Reply {
        let answer = match request {
            Request::Ping => json!({ "type": "pong" }),
            Request::Position { line, rules } => positions::describe(&Line::read(&line)?, &rules.rules()),
            Request::Names { line } => positions::names(&Line::read(&line)?),
            Request::ReadMove { line, text } => positions::typed(&Line::read(&line)?, &text)?,
            Request::Knowledge { line } => self.app.knowledge.of(&Line::read(&line)?),
            Request::CheckFen { fen } => positions::check_fen(&fen),
            Request::Read { text } => files::read_text(&text)?,
            Request::Export(wanted) => export::export(&wanted)?,
            Request::Play(wanted) => {
                let (engine, line) = (wanted.engine.clone(), Line::read(&wanted.line)?);
                return self.order(id, &format!("play {engine}"), &engine, Use::Play, Task::Play(wanted, line));
            }
            Request::Hint(wanted) => {
                let (engine, line) = (wanted.engine.clone(), Line::read(&wanted.line)?);
                return self.order(id, &format!("hint {engine}"), &engine, Use::Analysis, Task::Hint(wanted, line));
            }
            Request::Analyse(wanted) => return self.analyse(id, wanted),
            Request::Annotate(wanted) => {
                let (engine, line) = (wanted.engine.clone(), Line::read(&wanted.line)?);
                let message = json!({ "type": "annotating", "re": id, "job": id, "total": line.positions.len() });
                let key = format!("annotate {engine}");
                self.order_with(id, &key, &engine, Use::Analysis, Task::Annotate(wanted, line), &message)?;
                return Ok(None);
            }
            Request::EngineTest { engine } => {
                return self.order(id, "test", &engine, Use::Analysis, Task::Test);
            }
            Request::Stop { job } => self.end_job(job, Job::stop),
            Request::Cancel { job } => self.end_job(job, Job::cancel),
            Request::Journals => self.app.journals.list()?,
            Request::Watch { name } => return self.watch(id, &name),
            Request::JournalGame { name, number, playing } => self.app.journals.game(&name, number, playing)?,
            Request::Engines => self.app.engines_message(),
            Request::EnginesSave { engines } => self.save(engines)?,
        };
        Ok(Some(answer))
    }

    /// Gives a task to an engine, whose answer comes later.
    fn order(&mut self, id: u64, key: &str, engine: &str, purpose: Use, task: Task) -> Reply {
        let entry = self.app.engines.find(engine)?;
        let job = self.new_job(id);
        self.worker(key, entry, purpose)?.order(job, task)?;
        Ok(None)
    }

    /// Gives a task to an engine and says so before anything that the engine says.
    fn order_with(
        &mut self,
        id: u64,
        key: &str,
        engine: &str,
        purpose: Use,
        task: Task,
        message: &Value,
    ) -> Result<Job, Refusal> {
        let entry = self.app.engines.find(engine)?;
        let (job, outbox) = (self.new_job(id), self.outbox.clone());
        let worker = self.worker(key, entry, purpose)?;
        worker.check_free()?;
        outbox.send(message);
        worker.order(job.clone(), task)?;
        Ok(job)
    }

    fn new_job(&mut self, id: u64) -> Job {
        self.jobs.retain(Job::is_shared);
        let job = Job::new(id);
        self.jobs.push(job.clone());
        job
    }

    /// Returns the worker of a purpose, with another engine if the page has chosen or changed one.
    fn worker(&mut self, key: &str, entry: EngineEntry, purpose: Use) -> Result<&Worker, Refusal> {
        if self.workers.get(key).is_some_and(|worker| *worker.entry() != entry) {
            self.workers.remove(key);
        }
        if !self.workers.contains_key(key) && self.workers.len() >= MOST_WORKERS {
            // One that is of no use at the moment makes room.
            let free = self.workers.iter().find(|(_, worker)| worker.is_free()).map(|(key, _)| key.clone());
            let free = free.ok_or_else(|| Refusal::new("too_many", format!("{MOST_WORKERS} engines are at work")))?;
            self.workers.remove(&free);
        }
        let environment = &self.environment;
        let start = || Worker::start(entry, purpose, environment.clone());
        Ok(self.workers.entry(key.to_owned()).or_insert_with(start))
    }

    fn analyse(&mut self, id: u64, wanted: Analyse) -> Reply {
        let slot = wanted.slot.clone();
        if slot.is_empty() || slot.chars().count() > LONGEST_SLOT {
            return Err(Refusal::new("bad_message", format!("a slot has 1 to {LONGEST_SLOT} characters")));
        }
        let line = Line::read(&wanted.line)?;
        self.jobs.retain(Job::is_shared);
        let is_at_work = |number: u64| self.jobs.iter().any(|job| job.number == number);
        self.analyses.retain(|own, number| *own == slot || is_at_work(*number));
        if !self.analyses.contains_key(&slot) && self.analyses.len() >= MOST_ANALYSES {
            return Err(Refusal::new("too_many", format!("{MOST_ANALYSES} analyses are running")));
        }
        if let Some(&before) = self.analyses.get(&slot) {
            self.end_job(before, Job::replace);
        }
        let (key, engine) = (format!("analyse {slot}"), wanted.engine.clone());
        let message = json!({ "type": "analysing", "re": id, "job": id, "slot": slot });
        let job = self.order_with(id, &key, &engine, Use::Analysis, Task::Analyse(wanted, line), &message)?;
        self.analyses.insert(slot, job.number);
        Ok(None)
    }

    /// Ends a job that runs; one that has ended already is not an error.
    fn end_job(&self, number: u64, end: fn(&Job)) -> Value {
        let jobs = self.jobs.iter().chain(&self.watches);
        jobs.filter(|job| job.number == number).for_each(end);
        json!({ "type": "stopping", "job": number })
    }

    fn watch(&mut self, id: u64, name: &str) -> Reply {
        let path = self.app.journals.find(name)?;
        self.watches.retain(Job::is_shared);
        if self.watches.len() >= MOST_WATCHES {
            return Err(Refusal::new("too_many", format!("{MOST_WATCHES} journals are watched")));
        }
        let (job, outbox, name) = (Job::new(id), self.outbox.clone(), name.to_owned());
        self.watches.push(job.clone());
        outbox.send(&json!({ "type": "watching", "re": id, "job": id, "name": name }));
        thread::spawn(move || journals::follow(&path, &name, &job, &outbox));
        Ok(None)
    }

    fn save(&self, engines: Vec<EngineEntry>) -> Result<Value, Refusal> {
        self.app.engines.save(engines)?;
        let message = self.app.engines_message();
        self.app.tell_all(&message);
        Ok(message)
    }
}

impl Drop for Session {
    /// The engines end with the page: their searches at once, their processes when the workers receive no more orders.
    fn drop(&mut self) {
        self.outbox.close();
        self.jobs.iter().chain(&self.watches).for_each(Job::abandon);
        self.workers.clear();
    }
}

/// Reads an uploaded file as a session reads a text.
pub(crate) fn upload(name: &str, bytes: Vec<u8>) -> Value {
    files::read_file(name, bytes).unwrap_or_else(|refusal| refusal.message("re", None))
}
