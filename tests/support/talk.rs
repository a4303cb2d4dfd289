//! A conversation with an engine, in process, in debug mode and under a clock that stands still.

use std::io;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::engine::event::{Command, Event, Fault, OutputFormat, Reply};
use chuhe::engine::{Controller, FrontEnd};
use chuhe::protocol::Interpreter;
use chuhe::smp::time::Timekeeper;

use super::clock::HandClock;
use super::witness::NO_POSITION;

/// Longest wait for an engine that has to finish a batch first.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Longest step of the clock, a year: no budget is as long.
const LONGEST_STEP: Duration = Duration::from_secs(366 * 24 * 3600);

/// Options that a conversation may set: the others use many resources or change how the engine plays.
const HARMLESS: &[&str] = &[
    "newgame",
    "clearhash",
    "threads 2",
    "threads 1",
    "threads abc",
    "hashsize 2",
    "hashsize -5",
    "usemillisec false",
    "ponder on",
    "batch on",
    "batch off",
    "nosuchoption 7",
];

/// Limits of the searches in a conversation: larger ones would take too long.
const DEEPEST: u32 = 3;
const LONGEST_MATE: u32 = 2;
const MOST_NODES: u64 = 1000;

/// Replies of the engine so far.
type Record = Arc<Mutex<Vec<Reply>>>;

struct Listener(Record);

impl FrontEnd for Listener {
    fn send(&mut self, reply: &Reply, _: &OutputFormat) {
        self.0.lock().expect("no thread panics while it holds the lock").push(reply.clone());
    }

    fn log_to(&mut self, _: Option<&Path>) -> io::Result<()> {
        Ok(())
    }
}

/// A conversation in progress.
pub(crate) struct Talk {
    pub(crate) clock: HandClock,
    events: Sender<Event>,
    interpreter: Interpreter,
    thread: JoinHandle<()>,
    record: Record,
    /// All commands sent to the engine, obeyed or ignored.
    said: Vec<Command>,
}

impl Talk {
    /// Starts an engine that has had no handshake.
    pub(crate) fn begin() -> Self {
        let record = Record::default();
        let clock = HandClock::new();
        let (controller, events) = Controller::with_clock(Listener(Arc::clone(&record)), clock.clone()).unwrap();
        clock.ring_at(events.clone());
        let thread = thread::spawn(move || controller.run());
        let mut talk = Self { clock, events, interpreter: Interpreter::default(), thread, record, said: Vec::new() };
        for line in
            ["debug on", "hashsize 1", "usebook false", "UCI_RankBase 0"].map(|option| format!("setoption {option}"))
        {
            talk.tell(line.as_bytes());
        }
        talk
    }

    /// Sends a line unless it contains a command that is not allowed in conversations.
    pub(crate) fn say(&mut self, line: &[u8]) {
        if self.interpreter.clone().parse(line).iter().all(|said| said.as_ref().map_or(true, is_harmless)) {
            self.tell(line);
        }
    }

    /// Sends a line.
    pub(crate) fn tell(&mut self, line: &[u8]) {
        for understood in self.interpreter.parse(line) {
            let event = match understood {
                Ok(command) => {
                    self.said.push(command.clone());
                    Event::Command { command, read_at: self.clock.now() }
                }
                // The text of this fault is unique to it.
                Err(Fault::BadPosition(_)) => Event::Rejected(Fault::BadPosition(NO_POSITION.to_owned())),
                Err(fault) => Event::Rejected(fault),
            };
            self.events.send(event).expect("the engine listens until it is sent `quit`");
        }
    }

    /// Ends the conversation, and returns the commands, the replies, and how long the engine took to end.
    pub(crate) fn end(mut self, by: End) -> (Vec<Command>, Vec<Reply>, Duration) {
        match by {
            End::Quit => self.tell(b"quit"),
            End::OfInput => self.events.send(Event::EndOfInput).expect("the engine listens"),
        }
        let started = Instant::now();
        let mut step = Duration::from_secs(1);
        while !self.thread.is_finished() && started.elapsed() < TIMEOUT {
            // A timed search may need its clock to end, however long it is, and the engine waits for it.
            self.clock.advance(step);
            step = (2 * step).min(LONGEST_STEP);
            thread::sleep(Duration::from_millis(1));
        }
        let took = started.elapsed();
        assert!(self.thread.is_finished(), "the engine still runs");
        self.thread.join().expect("the controller does not panic");
        let replies = std::mem::take(&mut *self.record.lock().expect("no thread panics while it holds the lock"));
        (self.said, replies, took)
    }
}

fn is_harmless(command: &Command) -> bool {
    match command {
        Command::SetOption { name, value } => {
            HARMLESS.contains(&format!("{name} {}", value.to_string_lossy()).trim_end())
        }
        Command::Go(go) => {
            go.limits.depth.is_none_or(|depth| depth <= DEEPEST)
                && go.limits.mate.is_none_or(|moves| moves <= LONGEST_MATE)
                && go.limits.nodes.is_none_or(|nodes| nodes <= MOST_NODES)
        }
        Command::Perft { depth } => *depth <= DEEPEST,
        // The witness depends on the output of debug mode.
        Command::Quit | Command::Debug(_) => false,
        _ => true,
    }
}

/// The end of a conversation: by `quit`, or by the end of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Quit,
    OfInput,
}
