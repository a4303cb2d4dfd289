//! Any conversation, sensible or not, with an engine in debug mode under a clock that the test turns.

mod support;

use std::cell::RefCell;
use std::fmt;
use std::thread;
use std::time::Duration;

use chuhe::engine::event::Command;
use chuhe::protocol::Interpreter;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use support::talk::{End, Talk};
use support::witness::judge;

const A_SECOND: Duration = Duration::from_secs(1);

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
    "go depth 2 searchmoves h10g8",
    "go perft 2",
    "go dept 5",
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

#[derive(Clone)]
enum Act {
    Say(Vec<u8>),
    TurnClock(Duration),
    /// In the time of the machine, so that a search comes to something.
    Pause(Duration),
}

impl Act {
    fn happen(&self, talk: &mut Talk) {
        match self {
            Self::Say(line) => talk.say(line),
            Self::TurnClock(time) => talk.clock.advance(*time),
            Self::Pause(time) => thread::sleep(*time),
        }
    }
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
        before.iter().for_each(|act| act.happen(&mut talk));
        talk.tell(dialect.as_bytes());
        acts.iter().for_each(|act| act.happen(&mut talk));
        let (said, replies, took) = talk.end(end);
        judge(said, replies, end).map_err(TestCaseError::fail)?;
        Ok(took)
    });
}

#[test]
fn an_engine_that_nobody_has_greeted_or_asked_says_no_more_than_that_it_is_ready() {
    let is_asked = |said: &Result<Command, _>| {
        matches!(said, Ok(Command::Handshake(_) | Command::Go(_) | Command::Perft { .. } | Command::Show(_)))
    };
    let greets = |line: &[u8]| Interpreter::default().parse(line).iter().any(is_asked);
    hold((prop::collection::vec(act(), 0..30), end()), |(acts, end)| {
        let mut talk = Talk::begin();
        for act in &acts {
            if !matches!(act, Act::Say(line) if greets(line)) {
                act.happen(&mut talk);
            }
        }
        let (said, replies, took) = talk.end(end);
        judge(said, replies, end).map_err(TestCaseError::fail)?;
        Ok(took)
    });
}
