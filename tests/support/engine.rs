//! A running engine, in process, and the functions to talk to it.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::board::{Move, MoveText, Position};
use chuhe::engine::event::{
    Clock, ClockMode, ClockUnit, Command, Dialect, Event, GameText, Go, Info, OutputFormat, Reply, WrittenMove,
};
use chuhe::engine::{Controller, FrontEnd, Workers};
use chuhe::search::Limits;

/// Timeout after which a test fails.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);
/// Period in which no reply may come.
pub(crate) const SILENCE: Duration = Duration::from_millis(60);

/// A position in which red mates in one, with e1d1 or e1e8.
pub(crate) const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
/// A position in which black is mated.
pub(crate) const MATED: &str = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";
/// A position in which black's only legal move is d9d8.
pub(crate) const ONE_REPLY: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1";

struct Channel(Sender<Reply>);

impl FrontEnd for Channel {
    fn send(&mut self, reply: &Reply, _: &OutputFormat) {
        // A test that has ended no longer receives.
        let _ = self.0.send(reply.clone());
    }

    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()> {
        file.map_or(Ok(()), |_| Err(io::Error::other("there is no disk")))
    }
}

/// A running engine with its input and output queues.
pub(crate) struct Engine {
    pub(crate) events: Sender<Event>,
    pub(crate) replies: Receiver<Reply>,
    thread: JoinHandle<()>,
}

impl Engine {
    pub(crate) fn boot() -> Self {
        Self::boot_with(|workers| workers)
    }

    fn boot_with(others: impl FnOnce(Box<dyn Workers>) -> Box<dyn Workers>) -> Self {
        let (sender, replies) = channel();
        let (controller, events) = Controller::new(Channel(sender)).unwrap();
        let controller = controller.with_workers(others);
        let thread = thread::spawn(move || controller.run());
        Self { events, replies, thread }
    }

    /// Starts an engine in UCCI with a small table, this many threads and no book.
    pub(crate) fn start(threads: usize) -> Self {
        Self::start_with(threads, |workers| workers)
    }

    /// Starts an engine in which `others` replaces or wraps the workers.
    pub(crate) fn start_with(threads: usize, others: impl FnOnce(Box<dyn Workers>) -> Box<dyn Workers>) -> Self {
        let engine = Self::boot_with(others);
        engine.send(Command::Handshake(Dialect::Ucci));
        assert_eq!(engine.next(), Reply::Introduction);
        engine.set("usebook", "false");
        engine.set("hashsize", "1");
        engine.set("threads", &threads.to_string());
        engine
    }

    pub(crate) fn event(&self, event: Event) {
        self.events.send(event).expect("the engine listens");
    }

    pub(crate) fn send(&self, command: Command) {
        self.event(Event::Command { command, read_at: Instant::now() });
    }

    pub(crate) fn set(&self, name: &str, value: &str) {
        self.send(Command::SetOption { name: name.to_owned(), value: value.into() });
    }

    pub(crate) fn position(&self, fen: &str, moves: &str) {
        let start = Position::from_fen(fen).unwrap();
        self.send(Command::Position(GameText { start, moves: written_of(moves), rank_hint: None }));
    }

    pub(crate) fn next(&self) -> Reply {
        self.replies.recv_timeout(TIMEOUT).expect("the engine answers")
    }

    /// Returns the next reply that is not a progress report.
    pub(crate) fn answer(&self) -> Reply {
        loop {
            match self.next() {
                reply if is_progress(&reply) => {}
                reply => return reply,
            }
        }
    }

    pub(crate) fn best(&self) -> Move {
        match self.answer() {
            Reply::BestMove { best, .. } => best,
            other => panic!("no best move but {other:?}"),
        }
    }

    pub(crate) fn message(&self) -> String {
        match self.answer() {
            Reply::Message(text) => text,
            other => panic!("no message but {other:?}"),
        }
    }

    /// Waits for a report, so that the search is known to be under way.
    pub(crate) fn info(&self) -> Info {
        match self.next() {
            Reply::Info(info) => info,
            other => panic!("no report but {other:?}"),
        }
    }

    /// Checks that only progress reports come for a while.
    pub(crate) fn is_silent(&self) {
        let end = Instant::now() + SILENCE;
        loop {
            match self.replies.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(reply) if is_progress(&reply) => {}
                Ok(reply) => panic!("unexpected {reply:?}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
            }
        }
    }

    /// Checks that the next reply is the answer to `isready`.
    pub(crate) fn has_nothing_to_say(&self) {
        self.send(Command::IsReady);
        assert_eq!(self.answer(), Reply::Ready);
    }

    /// Checks that the engine says `expected`, then ends with all its threads.
    pub(crate) fn ends_with(self, expected: &[Reply]) {
        let is_answer = |reply: &Reply| !is_progress(reply);
        let rest: Vec<_> = self.replies.iter().filter(is_answer).collect();
        assert_eq!(rest, expected);
        self.joins();
    }

    pub(crate) fn joins(self) {
        let Self { events, replies, thread } = self;
        thread.join().expect("the controller does not panic");
        assert!(replies.iter().next().is_none(), "the last word was followed by another");
        // The workers and the clock hold senders of the queue; once they are gone, only this one is left.
        assert!(events.send(Event::EndOfInput).is_err(), "the queue has no reader any more");
    }

    /// Checks that no reply at all comes for a while.
    pub(crate) fn is_silent_completely(&self) {
        let said = self.replies.recv_timeout(SILENCE);
        assert_eq!(said, Err(RecvTimeoutError::Timeout));
    }

    /// Ends an engine that speaks UCI or another protocol without a farewell.
    pub(crate) fn quit_silently(self) {
        self.send(Command::Quit);
        let last = self.replies.iter().filter(|reply| !is_progress(reply)).last();
        assert!(last.is_none_or(|reply| reply == Reply::Bye));
        self.joins();
    }

    pub(crate) fn quit(self) {
        self.send(Command::Quit);
        self.ends_with(&[Reply::Bye]);
    }
}

/// Whether a reply is a progress report of a search.
fn is_progress(reply: &Reply) -> bool {
    matches!(reply, Reply::Info(_) | Reply::Effort(_) | Reply::CurrentMove { .. } | Reply::ProvenMoves { .. })
}

pub(crate) fn moves_of(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

pub(crate) fn texts_of(text: &str) -> Vec<MoveText> {
    moves_of(text).into_iter().map(MoveText::from).collect()
}

/// Parses moves as written in a game.
fn written_of(text: &str) -> Vec<WrittenMove> {
    moves_of(text).into_iter().map(WrittenMove::from).collect()
}

pub(crate) fn mv_text(text: &str) -> MoveText {
    mv(text).into()
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

pub(crate) fn start_fen() -> &'static str {
    chuhe::board::START_FEN
}

pub(crate) fn infinite() -> Command {
    Command::Go(Go::default())
}

pub(crate) fn depth(depth: u32) -> Go {
    Go { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Go::default() }
}

pub(crate) fn nodes(nodes: u64) -> Go {
    Go { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Go::default() }
}

pub(crate) fn timed(time: i64, mode: ClockMode) -> Go {
    let clock = Clock { time, mode, opponent_time: None, unit: ClockUnit::Milliseconds };
    Go { clock: Some(clock), ..Go::default() }
}

pub(crate) fn ponder(go: Go) -> Command {
    Command::Go(Go { ponder: true, ..go })
}

pub(crate) const HIT: Command = Command::PonderHit { draw: false };
