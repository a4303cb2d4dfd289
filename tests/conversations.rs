//! Any conversation, sensible or not, with an engine in debug mode under a clock that the test turns. In debug mode the
//! engine repeats what it has understood, so its replies alone tell the whole story; a witness reads it and objects.

mod support;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::board::{Move, MoveText, Position, RankBase, Variant};
use chuhe::engine::event::{Command, Dialect, Event, Fault, GameText, Go, Reply, Voice};
use chuhe::engine::{Controller, Surroundings};
use chuhe::protocol::Interpreter;
use chuhe::time::Timekeeper;
use crossbeam::channel::Sender;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use support::clock::HandClock;

const A_SECOND: Duration = Duration::from_secs(1);
/// For an engine that has been ordered to finish a batch first.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a sensible client may say.
const SENSIBLE: &[&str] = &[
    "ucci",
    "uci",
    "isready",
    "setoption newgame",
    "setoption clearhash",
    "setoption threads 2",
    "setoption threads 1",
    "setoption hashsize 2",
    "setoption usemillisec false",
    "setoption ponder on",
    "setoption batch on",
    "setoption batch off",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2",
    "position fen 4k4/9/9/9/9/9/9/9/9/3K4R b",
    "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
    "position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1",
    "fen 4k4/9/9/9/9/9/9/9/5R3/3K5 b",
    "banmoves h2e2 b2e2 e9e8",
    "banmoves e1d1 e1e8",
    "banmoves",
    "domove h2e2",
    "domove h9g7",
    "go",
    "go infinite",
    "go depth 0",
    "go depth 2",
    "go nodes 300",
    "go time 1000 increment 10",
    "go draw time 50 movestogo 3",
    "go wtime 500 btime 500 winc 5 binc 5",
    "go movetime 20",
    "go ponder time 1000 increment 0",
    "go ponder depth 2",
    "go depth 3 searchmoves h2e2 a3a4",
    "go infinite searchmoves a0a1",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "probe startpos",
];

/// What nobody should say.
const SENSELESS: &[&str] = &[
    "",
    "xyzzy",
    "position",
    "position fen 9/9/9/9/9/9/9/9/9/9 w",
    "position startpos moves h2e2 a0a9 h9g7",
    "position startpos moves h2e2 h9g7h0g2",
    "domove a0a9",
    "domove",
    "probe fen xyz",
    "banmoves zzzz a0a9",
    "go depth",
    "go time x",
    "setoption",
    "setoption threads abc",
    "setoption hashsize -5",
    "setoption nosuchoption 7",
];

/// Options that a conversation may set: the others make the machine work or the engine play another game.
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

/// Deeper and longer ones would end, but not soon.
const DEEPEST: u32 = 3;
const MOST_NODES: u64 = 1000;

#[derive(Clone)]
enum Act {
    Say(Vec<u8>),
    TurnClock(Duration),
    /// In the time of the machine, so that a search comes to something.
    Pause(Duration),
}

/// As the reader of a failure wants to see it.
impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Say(line) => write!(f, "say {:?}", line.escape_ascii().to_string()),
            Self::TurnClock(time) => write!(f, "turn the clock {time:?}"),
            Self::Pause(time) => write!(f, "pause {time:?}"),
        }
    }
}

fn act() -> impl Strategy<Value = Act> {
    let words: Vec<&str> =
        SENSIBLE.iter().chain(SENSELESS).flat_map(|line| line.split(' ')).filter(|&word| word != "quit").collect();
    let jumble = prop::collection::vec(prop::sample::select(words), 1..6).prop_map(|words| words.join(" "));
    let text = |line: &str| Act::Say(line.as_bytes().to_vec());
    prop_oneof![
        12 => prop::sample::select(SENSIBLE).prop_map(text),
        2 => prop::sample::select(SENSELESS).prop_map(text),
        1 => jumble.prop_map(move |line| text(&line)),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Act::Say),
        2 => (0..3000_u64).prop_map(|ms| Act::TurnClock(Duration::from_millis(ms))),
        2 => (0..15_u64).prop_map(|ms| Act::Pause(Duration::from_millis(ms))),
    ]
}

/// What has been heard of the engine.
type Record = Arc<Mutex<Vec<Reply>>>;

struct Listener(Record);

impl Surroundings for Listener {
    fn say(&mut self, reply: &Reply, _: &Voice) {
        self.0.lock().expect("nobody panics here").push(reply.clone());
    }

    fn log_to(&mut self, _: Option<&Path>) -> io::Result<()> {
        Ok(())
    }
}

/// A conversation under way.
struct Talk {
    clock: HandClock,
    events: Sender<Event>,
    interpreter: Interpreter,
    thread: JoinHandle<()>,
    record: Record,
    /// All that the engine has been told and should act upon or ignore.
    said: Vec<Command>,
}

impl Talk {
    fn begin() -> Self {
        let record = Record::default();
        let clock = HandClock::new();
        let (controller, events) = Controller::with_clock(Listener(Arc::clone(&record)), clock.clone()).unwrap();
        clock.ring_at(events.clone());
        let thread = thread::spawn(move || controller.run());
        let mut talk = Self { clock, events, interpreter: Interpreter::default(), thread, record, said: Vec::new() };
        for line in ["setoption debug on", "setoption hashsize 1", "setoption usebook false"] {
            talk.tell(line.as_bytes());
        }
        talk
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Say(line) => self.say(line),
            Act::TurnClock(time) => self.clock.advance(*time),
            Act::Pause(time) => thread::sleep(*time),
        }
    }

    /// Says a line unless it has too much in it.
    fn say(&mut self, line: &[u8]) {
        if self.interpreter.clone().parse(line).iter().all(|said| said.as_ref().map_or(true, is_harmless)) {
            self.tell(line);
        }
    }

    fn tell(&mut self, line: &[u8]) {
        for understood in self.interpreter.parse(line) {
            let event = match understood {
                Ok(command) => {
                    self.said.push(command.clone());
                    Event::Command { command, read_at: self.clock.now() }
                }
                // A fault is told in words that nothing else uses.
                Err(Fault::BadPosition(_)) => Event::Rejected(Fault::BadPosition(NO_POSITION.to_owned())),
                Err(fault) => Event::Rejected(fault),
            };
            self.events.send(event).expect("the engine listens until it is told to quit");
        }
    }

    /// Ends the conversation, and returns what was said on both sides and how long the engine took to end.
    fn end(mut self, by: End) -> (Vec<Command>, Vec<Reply>, Duration) {
        match by {
            End::Quit => self.tell(b"quit"),
            End::OfInput => self.events.send(Event::EndOfInput).expect("the engine listens"),
        }
        let started = Instant::now();
        while !self.thread.is_finished() && started.elapsed() < PATIENCE {
            // A timed search may end by its clock, and the engine waits for it.
            self.clock.advance(A_SECOND);
            thread::sleep(Duration::from_millis(1));
        }
        let took = started.elapsed();
        assert!(self.thread.is_finished(), "the engine still runs");
        self.thread.join().expect("the controller does not panic");
        let replies = std::mem::take(&mut *self.record.lock().expect("nobody panics here"));
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
                && go.limits.nodes.is_none_or(|nodes| nodes <= MOST_NODES)
        }
        Command::Quit => false,
        _ => true,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Quit,
    OfInput,
}

/// Stands for every text that says why a position is none.
const NO_POSITION: &str = "that is no position";

/// Reads a conversation from its beginning and knows what state the engine should be in.
struct Witness {
    /// Not yet repeated by the engine.
    said: VecDeque<Command>,
    dialect: Dialect,
    position: Option<Position>,
    banned: Vec<Move>,
    /// The moves that may answer the `go` under way, and where.
    asked: Option<(Option<Position>, Vec<Move>)>,
    /// An idle `stop` waits for its answer.
    stopped: bool,
}

impl Witness {
    /// Reads what came before the first handshake: nothing but `readyok` for each `isready`.
    fn new(said: Vec<Command>, replies: &mut VecDeque<Reply>) -> Result<Self, TestCaseError> {
        let mut said = VecDeque::from(said);
        let mut dialect = Dialect::Ucci;
        while let Some(command) = said.pop_front() {
            match command {
                Command::IsReady => prop_assert_eq!(replies.pop_front(), Some(Reply::Ready)),
                Command::Handshake(spoken) => {
                    prop_assert_eq!(replies.pop_front(), Some(Reply::Introduction));
                    dialect = spoken;
                    break;
                }
                _ => {}
            }
        }
        let position = Some(Position::start());
        Ok(Self { said, dialect, position, banned: Vec::new(), asked: None, stopped: false })
    }

    fn read(&mut self, mut replies: VecDeque<Reply>) -> Result<(), TestCaseError> {
        while let Some(reply) = replies.pop_front() {
            match reply {
                Reply::Message(text) if text == NO_POSITION => {
                    prop_assert!(self.asked.is_none(), "a position was taken during a search");
                    (self.position, self.banned) = (None, Vec::new());
                }
                Reply::Message(text) if text.starts_with("got ") => self.hear(&text, &mut replies)?,
                Reply::BestMove { best, ponder, .. } => {
                    let (position, allowed) = self.answered()?;
                    prop_assert!(allowed.contains(&best), "{} is not among {:?}", best, allowed);
                    let next = position.expect("there were moves").play(best);
                    prop_assert!(ponder.is_none_or(|mv| next.is_legal(mv)), "{:?} is no answer to {}", ponder, best);
                }
                Reply::NoBestMove if self.stopped => self.stopped = false,
                Reply::NoBestMove => {
                    let (_, allowed) = self.answered()?;
                    prop_assert!(allowed.is_empty(), "there was a move to play");
                }
                Reply::Info(info) => {
                    let Some((Some(position), allowed)) = &self.asked else {
                        return Err(TestCaseError::fail("a report of no search"));
                    };
                    prop_assert!(info.iteration.pv.first().is_none_or(|mv| allowed.contains(mv)));
                    let mut position = *position;
                    for mv in info.iteration.pv {
                        prop_assert!(position.is_legal(mv), "{} is not legal in {}", mv, position.to_fen());
                        position = position.play(mv);
                    }
                }
                _ => {}
            }
            prop_assert!(!self.stopped || self.asked.is_none());
        }
        Ok(())
    }

    /// The search that is answered now.
    fn answered(&mut self) -> Result<(Option<Position>, Vec<Move>), TestCaseError> {
        self.asked.take().ok_or_else(|| TestCaseError::fail("an answer to no question"))
    }

    /// The engine repeats a command, and then obeys or ignores it.
    fn hear(&mut self, echo: &str, replies: &mut VecDeque<Reply>) -> Result<(), TestCaseError> {
        let command = self.said.pop_front();
        let is_of = |command: &Command| echo.starts_with(&format!("got {}", echo_of(command)));
        prop_assert!(command.as_ref().is_some_and(is_of), "{:?} when it was told {:?}", echo, command);
        if replies.front() == Some(&Reply::Message("ignored in this state".to_owned())) {
            return Ok(());
        }
        match command.expect("it was told") {
            Command::Handshake(dialect) => {
                prop_assert_eq!(replies.front(), Some(&Reply::Introduction));
                self.dialect = dialect;
            }
            Command::IsReady => prop_assert!(replies.contains(&Reply::Ready)),
            Command::Position(text) => {
                prop_assert!(self.asked.is_none(), "a position was taken during a search");
                self.set(&text);
            }
            Command::DoMove(mv) => {
                let next = self.position.and_then(|position| play(&position, mv));
                if next.is_some() {
                    (self.position, self.banned) = (next, Vec::new());
                }
            }
            Command::BanMoves(moves) => self.banned = moves.into_iter().filter_map(read).collect(),
            Command::Go(go) => {
                prop_assert!(self.asked.is_none(), "a second search before the first was answered");
                self.asked = Some((self.position, self.allowed(&go)));
            }
            Command::Stop => self.stopped = self.asked.is_none() && self.dialect == Dialect::Ucci,
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, text: &GameText) {
        let mut position = text.start.in_variant(Variant::Standard).expect("no conversation has pieces of a variant");
        for &mv in &text.moves {
            let Some(next) = play(&position, mv) else { break };
            position = next;
        }
        (self.position, self.banned) = (Some(position), Vec::new());
    }

    fn allowed(&self, go: &Go) -> Vec<Move> {
        // UCCI asks for the static value in this way, and not for a move.
        let is_search = self.dialect == Dialect::Uci || go.limits.depth != Some(0);
        let Some(position) = self.position.filter(|_| is_search) else { return Vec::new() };
        let wanted: Vec<_> = go.search_moves.iter().filter_map(|&mv| read(mv)).collect();
        let is_allowed = |mv: &Move| !self.banned.contains(mv) && (wanted.is_empty() || wanted.contains(mv));
        position.legal_moves().into_iter().filter(is_allowed).collect()
    }
}

/// How the engine begins to repeat a command in debug mode.
fn echo_of(command: &Command) -> &'static str {
    match command {
        Command::Handshake(Dialect::Ucci) => "a handshake in UCCI",
        Command::Handshake(Dialect::Uci) => "a handshake in UCI",
        Command::IsReady => "the question whether all is ready",
        Command::SetOption { .. } => "option ",
        Command::Position(_) => "position ",
        Command::BanMoves(_) => "a ban of ",
        Command::Go(Go { ponder: false, .. }) => "the order to think",
        Command::Go(_) => "the order to ponder",
        Command::Stop => "the order to stop",
        Command::PonderHit { .. } => "the expected move",
        Command::Probe(_) => "a question about the table",
        Command::DoMove(_) => "the move ",
        Command::Show(_) | Command::Flip => "the wish to ",
        Command::Quit => "the order to quit",
    }
}

fn read(mv: MoveText) -> Option<Move> {
    mv.read(RankBase::Zero)
}

fn play(position: &Position, mv: MoveText) -> Option<Position> {
    read(mv).filter(|&mv| position.is_legal(mv)).map(|mv| position.play(mv))
}

const CONVERSATIONS: u32 = 96;

/// Holds conversations, each a fresh list of what `acts` makes, and checks them; most of them end within a second.
fn hold<S: Strategy>(acts: S, check: impl Fn(S::Value) -> Result<Duration, TestCaseError>) {
    let took = RefCell::new(Vec::new());
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CONVERSATIONS) };
    let result = TestRunner::new(config).run(&acts, |acts| {
        took.borrow_mut().push(check(acts)?);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let mut took = took.into_inner();
    took.sort();
    // A busy machine makes some of them late, an engine that does not end at once nearly all.
    let usual = took[took.len() * 9 / 10];
    assert!(usual < A_SECOND, "the engine takes {usual:?} to end");
}

fn end() -> impl Strategy<Value = End> {
    prop::sample::select(vec![End::Quit, End::OfInput])
}

#[test]
fn every_conversation_is_in_order() {
    let before = prop::collection::vec(act(), 0..4);
    let dialect = prop::sample::select(vec!["ucci", "uci"]);
    let acts = prop::collection::vec(act(), 0..60);
    hold((before, dialect, acts, end()), |(before, dialect, acts, end)| {
        let mut talk = Talk::begin();
        before.iter().for_each(|act| talk.act(act));
        talk.tell(dialect.as_bytes());
        acts.iter().for_each(|act| talk.act(act));
        let (said, replies, took) = talk.end(end);

        let (last, others) = replies.split_last().map_or((None, &[][..]), |(last, others)| (Some(last), others));
        prop_assert!(!others.contains(&Reply::Bye), "it spoke after its farewell");
        prop_assert_eq!(last, Some(&Reply::Bye));
        let mut replies = VecDeque::from(replies);
        let mut witness = Witness::new(said, &mut replies)?;
        witness.read(replies)?;
        prop_assert!(witness.said.is_empty(), "not heard: {:?}", witness.said);
        prop_assert!(end == End::Quit || witness.asked.is_none(), "a question was not answered");
        prop_assert!(!witness.stopped, "an idle stop was not answered");
        Ok(took)
    });
}

#[test]
fn an_engine_that_nobody_has_greeted_says_no_more_than_that_it_is_ready() {
    let greets =
        |line: &[u8]| Interpreter::default().parse(line).iter().any(|said| matches!(said, Ok(Command::Handshake(_))));
    hold((prop::collection::vec(act(), 0..30), end()), |(acts, end)| {
        let mut talk = Talk::begin();
        for act in &acts {
            if !matches!(act, Act::Say(line) if greets(line)) {
                talk.act(act);
            }
        }
        let (said, replies, took) = talk.end(end);
        let asked = said.iter().filter(|&command| *command == Command::IsReady).count();
        prop_assert_eq!(replies, vec![Reply::Ready; asked]);
        Ok(took)
    });
}
