//! The engine under a clock that the test sets: what the passing of time alone may change, and what it may not.
#![cfg(feature = "engine")]

mod support;

use std::io;
use std::iter;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::engine::event::{Command, Event, OutputFormat, Reply};
use chuhe::engine::{Controller, FrontEnd};
use chuhe::protocol::Interpreter;
use chuhe::smp::shared::StopFlag;
use chuhe::smp::time::{AlarmId, Timekeeper};

use support::clock::HandClock;

/// Timeout after which a test fails.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Wait in real time, long enough for an answer that must not come.
const SILENCE: Duration = Duration::from_millis(100);
const SECOND: Duration = Duration::from_secs(1);
const OWN_WORK: Duration = Duration::from_millis(100);
const HOUR: Duration = Duration::from_secs(3600);
/// Markers around replies that were sent together.
const PIECE_BEGINS: &str = "(";
const PIECE_ENDS: &str = ")";

/// A front end that forwards replies; opening a log takes [`OWN_WORK`] on its clock.
struct Channel(Sender<Reply>, HandClock);

impl FrontEnd for Channel {
    fn send(&mut self, reply: &Reply, _: &OutputFormat) {
        // A test that has ended no longer receives.
        let _ = self.0.send(reply.clone());
    }

    fn send_all(&mut self, replies: &[Reply], _: &OutputFormat) {
        let mark = |text: &str| Reply::Message(text.to_owned());
        let piece = [&[mark(PIECE_BEGINS)], replies, &[mark(PIECE_ENDS)]].concat();
        piece.into_iter().for_each(|reply| drop(self.0.send(reply)));
    }

    fn log_to(&mut self, _: Option<&Path>) -> io::Result<()> {
        self.1.advance(OWN_WORK);
        Ok(())
    }
}

struct Engine {
    clock: HandClock,
    events: Sender<Event>,
    answers: Receiver<Reply>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Starts an engine and sends it these lines.
    fn start(lines: &[&str]) -> Self {
        let (sender, answers) = channel();
        let clock = HandClock::new();
        let (controller, events) = Controller::with_clock(Channel(sender, clock.clone()), clock.clone()).unwrap();
        clock.ring_at(events.clone());
        let thread = thread::spawn(move || controller.run());
        let engine = Self { clock, events, answers, thread };
        let greeting = ["ucci", "setoption hashsize 1", "setoption usebook false"];
        greeting.iter().chain(lines).for_each(|line| engine.receive(line));
        engine
    }

    fn receive(&self, line: &str) {
        for command in Interpreter::default().parse(line.as_bytes()) {
            let command = command.expect("the test knows the protocol");
            let sent = self.events.send(Event::Command { command, read_at: self.clock.now() });
            sent.expect("the engine listens");
        }
    }

    /// Waits for the answer to `go`.
    fn answers(&self) {
        let is_answer = |reply: &Reply| matches!(reply, Reply::BestMove { .. } | Reply::NoBestMove);
        while !is_answer(&self.answers.recv_timeout(TIMEOUT).expect("the engine answers")) {}
    }

    /// Runs one search for each delay, whose alarm is that many milliseconds late.
    fn answer_late(&self, delays: &[u64]) {
        for &delay in delays {
            self.receive("go time 1000");
            self.thinks();
            let alarm = self.clock.alarm_in().expect("the search is timed");
            self.clock.advance(alarm + Duration::from_millis(delay));
            self.answers();
        }
    }

    /// Runs `times` searches, each of which starts after `works` slow commands that were read together with it.
    fn answer_behind_work(&self, times: usize, works: usize) {
        for _ in 0..times {
            self.hear_behind_work("go time 1000", works);
            self.thinks();
            self.clock.advance(self.clock.alarm_in().expect("the search is timed"));
            self.answers();
        }
    }

    /// Runs `times` searches whose time has passed before the slow commands ahead of them are done.
    fn answer_when_work_has_taken_the_time(&self, times: usize) {
        for _ in 0..times {
            self.hear_behind_work("go time 50", 3);
            self.answers();
        }
    }

    /// Sends a line after `works` slow commands, all read at the same time.
    fn hear_behind_work(&self, line: &str, works: usize) {
        let read_at = self.clock.now();
        for line in iter::repeat_n("setoption logfile x", works).chain([line]) {
            let command = Interpreter::default().parse(line.as_bytes()).remove(0).expect("the test knows the protocol");
            self.events.send(Event::Command { command, read_at }).expect("the engine listens");
        }
    }

    /// Runs one ponder search for each delay; `ponderhit` arrives that many milliseconds late, during the search.
    fn hear_late_of_hits(&self, delays: &[u64]) {
        for &delay in delays {
            self.receive("go ponder time 1000");
            self.thinks();
            self.hit_late(delay);
            self.receive("isready");
            while self.answers.recv_timeout(TIMEOUT).expect("the engine is ready") != Reply::Ready {}
            self.clock.advance(self.clock.alarm_in().expect("the search is timed"));
            self.answers();
        }
    }

    /// Runs one ponder search for each delay; `ponderhit` arrives that many milliseconds late, when the answer is waiting for it.
    fn hear_late_of_hits_that_are_waited_for(&self, delays: &[u64]) {
        for &delay in delays {
            self.receive("go ponder depth 1");
            let is_over = |reply: &Reply| matches!(reply, Reply::Effort(_));
            while !is_over(&self.answers.recv_timeout(TIMEOUT).expect("the engine reports")) {}
            self.hit_late(delay);
            self.answers();
        }
    }

    fn hit_late(&self, delay: u64) {
        let (command, read_at) = (Command::PonderHit { draw: false }, self.clock.now());
        self.clock.advance(Duration::from_millis(delay));
        self.events.send(Event::Command { command, read_at }).expect("the engine listens");
    }

    /// Waits until the search is under way.
    fn thinks(&self) {
        while !matches!(self.answers.recv_timeout(TIMEOUT).expect("the engine reports"), Reply::Info(_)) {}
    }

    fn keeps_thinking(&self) {
        let end = Instant::now() + SILENCE;
        loop {
            match self.answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(reply @ (Reply::BestMove { .. } | Reply::NoBestMove)) => panic!("unexpected {reply:?}"),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
            }
        }
    }

    fn quit(self) {
        self.receive("quit");
        self.thread.join().expect("the controller does not panic");
    }
}

#[test]
fn a_search_takes_the_time_of_its_clock_and_no_other() {
    let engine = Engine::start(&["position startpos", "go time 50"]);
    engine.thinks();
    engine.keeps_thinking();
    engine.clock.advance(SECOND);
    engine.answers();
    engine.quit();
}

#[test]
fn the_clock_of_a_ponder_search_starts_with_the_hit() {
    let engine = Engine::start(&["position startpos moves h2e2 h9g7", "go ponder time 1000 movestogo 1"]);
    engine.thinks();
    engine.clock.advance(HOUR);
    engine.keeps_thinking();
    engine.receive("ponderhit");
    engine.keeps_thinking();
    engine.clock.advance(SECOND);
    engine.answers();
    engine.quit();
}

#[test]
fn no_hour_is_late_enough_to_end_an_infinite_search() {
    let engine = Engine::start(&["position startpos", "go time 1000", "stop", "go infinite"]);
    engine.answers();
    engine.thinks();
    engine.clock.advance(HOUR);
    engine.keeps_thinking();
    engine.receive("stop");
    engine.answers();
    engine.quit();
}

#[test]
fn the_alarm_of_an_earlier_search_is_not_heard() {
    let engine = Engine::start(&["position startpos", "go time 1000"]);
    engine.thinks();
    engine.receive("stop");
    engine.answers();
    engine.receive("go infinite");
    engine.thinks();
    for set in 0..10 {
        engine.events.send(Event::TimeUp(AlarmId(set))).unwrap();
    }
    engine.keeps_thinking();
    engine.receive("stop");
    engine.answers();
    engine.quit();
}

/// A clock whose alarm never rings, as if its thread never got the processor.
struct Mute;

impl Timekeeper for Mute {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn arm(&self, _: AlarmId, _: &StopFlag, _: Instant) {}

    fn disarm(&self) {}

    fn wait<M>(&self, queue: &Receiver<M>, alarm: Option<Instant>) -> Result<M, RecvTimeoutError> {
        match alarm {
            Some(at) => queue.recv_timeout(at.saturating_duration_since(Instant::now())),
            None => Ok(queue.recv()?),
        }
    }
}

#[test]
fn an_alarm_that_does_not_ring_is_missed() {
    let (sender, answers) = channel();
    let (controller, events) = Controller::with_clock(Channel(sender, HandClock::new()), Mute).unwrap();
    let thread = thread::spawn(move || controller.run());
    for line in ["ucci", "setoption hashsize 1", "setoption usebook false", "go time 50"] {
        let command = Interpreter::default().parse(line.as_bytes()).remove(0).unwrap();
        events.send(Event::Command { command, read_at: Instant::now() }).unwrap();
    }
    let answer = || answers.recv_timeout(TIMEOUT).expect("the engine answers");
    while !matches!(answer(), Reply::BestMove { .. }) {}
    events.send(Event::EndOfInput).unwrap();
    thread.join().expect("the controller does not panic");
}

/// A position in which black's only legal move is d9d8.
const ONE_REPLY: &str = "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1";
/// A position in which black has only one legal move, with a large tree below it.
const ONE_LONG_REPLY: &str =
    "position fen 1n3a1nr/r3ak2c/4b3b/p3p1p1p/2p6/c2R5/P1P1P1PCP/4BA2B/N1R2C3/3AK2N1 b - - 0 1";

#[test]
fn an_only_move_is_played_while_the_clock_stands_still() {
    for go in ["go time 100000", "go movetime 100000"] {
        let engine = Engine::start(&[ONE_REPLY, go]);
        engine.answers();
        engine.quit();
    }
}

#[test]
fn one_move_to_look_at_takes_the_time_that_is_named_for_it() {
    for go in ["go movetime 100000 searchmoves a3a4", "go time 100000 searchmoves a3a4"] {
        let engine = Engine::start(&["position startpos", go]);
        engine.thinks();
        engine.keeps_thinking();
        engine.clock.advance(100 * SECOND);
        engine.answers();
        engine.quit();
    }
}

#[test]
fn one_move_to_look_at_is_played_while_the_clock_of_a_game_stands_still() {
    for go in ["go time 100000 increment 0 searchmoves a3a4", "go wtime 100000 btime 100000 searchmoves a3a4"] {
        let engine = Engine::start(&["position startpos", go]);
        engine.answers();
        engine.quit();
    }
}

#[test]
fn an_only_move_takes_its_time_if_the_user_wants_it_to() {
    let engine = Engine::start(&["setoption forcedatonce false", ONE_LONG_REPLY, "go time 100000"]);
    engine.thinks();
    engine.keeps_thinking();
    engine.clock.advance(100 * SECOND);
    engine.answers();
    engine.quit();
}

#[test]
fn in_a_batch_the_time_of_waiting_is_not_charged() {
    let engine = Engine::start(&["setoption batch on", "position startpos", "go time 1000", "go time 2000"]);
    engine.thinks();
    engine.clock.advance(SECOND);
    engine.answers();
    engine.thinks();
    engine.keeps_thinking();
    // Less than the second move may take, but more than it would have left if the time of the first were charged to it.
    engine.clock.advance(SECOND + SECOND / 2);
    engine.keeps_thinking();
    engine.clock.advance(SECOND);
    engine.answers();
    engine.receive("setoption batch off");
    engine.quit();
}

#[test]
fn in_a_batch_a_hit_that_was_read_before_its_search_began_is_charged_from_the_beginning() {
    let lines = ["setoption batch on", "position startpos", "go time 1000", "go ponder time 600000", "ponderhit"];
    let engine = Engine::start(&lines);
    engine.thinks();
    engine.clock.advance(HOUR);
    engine.answers();
    engine.thinks();
    engine.keeps_thinking();
    engine.clock.advance(600 * SECOND);
    engine.answers();
    engine.receive("setoption batch off");
    engine.quit();
}

#[test]
fn in_a_batch_a_hit_is_charged_from_when_it_was_read_if_its_search_had_begun() {
    let engine = Engine::start(&["setoption batch on", "position startpos", "go ponder time 1000", "isready"]);
    engine.thinks();
    let late = engine.clock.now();
    engine.clock.advance(HOUR);
    let command = Interpreter::default().parse(b"ponderhit").remove(0).unwrap();
    engine.events.send(Event::Command { command, read_at: late }).unwrap();
    engine.answers();
    engine.receive("setoption batch off");
    engine.quit();
}

#[test]
fn in_a_batch_a_stop_that_was_read_before_its_search_began_is_not_late() {
    let allowed = |lines: &[&str]| {
        let engine = Engine::start(&["setoption batch on", "position startpos"]);
        for _ in 0..2 {
            engine.receive("go time 1000");
            lines.iter().for_each(|line| engine.receive(line));
            engine.thinks();
            engine.clock.advance(SECOND);
            (0..=lines.len() / 2).for_each(|_| engine.answers());
        }
        engine.receive("go time 60000");
        engine.thinks();
        let allowed = engine.clock.alarm_in().expect("the search is timed");
        engine.clock.advance(60 * SECOND);
        engine.answers();
        engine.receive("setoption batch off");
        engine.quit();
        allowed
    };
    assert_eq!(allowed(&["go infinite", "stop"]), allowed(&[]), "only the first search has waited for the clock");
}

#[test]
fn a_move_is_charged_from_the_moment_its_line_was_read() {
    let engine = Engine::start(&["position startpos"]);
    let late = engine.clock.now();
    engine.clock.advance(HOUR);
    let command = Interpreter::default().parse(b"go time 1000").remove(0).unwrap();
    engine.events.send(Event::Command { command, read_at: late }).unwrap();
    engine.answers();
    engine.quit();
}

/// Returns the hard limit of the first search after these lines, as set at its start.
fn time_allowed(lines: &[&str]) -> Duration {
    let engine = Engine::start(lines);
    engine.thinks();
    let allowed = engine.clock.first_alarm().expect("the search is timed");
    engine.quit();
    allowed
}

/// Returns the hard limit of a search after answers that were late by these delays, in milliseconds.
fn time_allowed_after(delays: &[u64]) -> Duration {
    time_allowed_behind(|engine| engine.answer_late(delays))
}

/// Returns the hard limit of a search after others.
fn time_allowed_behind(others: impl FnOnce(&Engine)) -> Duration {
    let engine = Engine::start(&["position startpos"]);
    others(&engine);
    engine.receive("go time 5000");
    engine.thinks();
    let allowed = engine.clock.alarm_in().expect("the search is timed");
    engine.quit();
    allowed
}

#[test]
fn who_has_answered_late_again_and_again_keeps_a_reserve() {
    let quiet = time_allowed_after(&[]);
    assert_eq!(time_allowed_after(&[0, 1, 0, 1, 0]), quiet);
    assert_eq!(time_allowed_after(&[0, 300, 0]), quiet, "one hiccup is chance");
    let (busy, busier) = (time_allowed_after(&[60, 60]), time_allowed_after(&[60, 160, 200]));
    assert!(
        busy < quiet - Duration::from_millis(40) && busier < busy - Duration::from_millis(60),
        "{busy:?} {busier:?}"
    );
    assert_eq!(time_allowed_after(&[60, 60, 0, 0, 0, 0, 0, 0, 0]), quiet, "the machine is quiet again");
}

#[test]
fn work_of_its_own_is_not_held_against_the_machine() {
    for works in [1, 3] {
        let behind_work = time_allowed_behind(|engine| engine.answer_behind_work(3, works));
        assert_eq!(behind_work, time_allowed_after(&[]), "{works} in one breath");
    }
    let too_late = time_allowed_behind(|engine| engine.answer_when_work_has_taken_the_time(3));
    assert_eq!(too_late, time_allowed_after(&[]), "the time was over before");
}

#[test]
fn who_has_heard_late_of_hits_again_and_again_keeps_a_reserve() {
    let quiet = time_allowed_after(&[]);
    let hits = |delays: &[u64]| time_allowed_behind(|engine| engine.hear_late_of_hits(delays));
    let held = |delays: &[u64]| time_allowed_behind(|engine| engine.hear_late_of_hits_that_are_waited_for(delays));
    for busy in [hits(&[60, 60]), held(&[60, 60])] {
        assert!(busy < quiet - Duration::from_millis(40), "{busy:?}, not much less than {quiet:?}");
    }
    assert_eq!(hits(&[0, 300, 0]), quiet, "one hiccup is chance");
    assert_eq!(held(&[0, 300, 0]), quiet, "one hiccup is chance");
}

/// Returns the nodes of an instant move with `left` milliseconds on the clock, after answers that were late by these
/// delays, in milliseconds. All replies about the move must be sent in one piece.
fn nodes_of_a_glance(left: u64, delays: &[u64]) -> u64 {
    let engine = Engine::start(&["position startpos"]);
    engine.answer_late(delays);
    engine.receive(&format!("go time {left} increment 1"));
    let next = || engine.answers.recv_timeout(TIMEOUT).expect("the engine answers");
    while next() != Reply::Message(PIECE_BEGINS.to_owned()) {}
    let mut nodes = None;
    loop {
        match next() {
            Reply::Effort(effort) => nodes = Some(effort.nodes),
            Reply::BestMove { .. } => break,
            other => assert_ne!(other, Reply::Message(PIECE_ENDS.to_owned()), "the answer is another piece"),
        }
    }
    engine.quit();
    nodes.expect("it says what the move has cost")
}

#[test]
fn who_has_to_wait_for_turns_asks_for_short_ones() {
    let quiet = nodes_of_a_glance(90, &[]);
    assert!(quiet > 400, "{quiet}");
    assert_eq!(nodes_of_a_glance(90, &[0, 300, 0]), quiet, "one hiccup is chance");
    let (busy, short) = (nodes_of_a_glance(90, &[20, 20]), nodes_of_a_glance(40, &[]));
    assert!(busy <= quiet / 5 && short <= quiet / 5, "{quiet} {busy} {short}");
}

/// Returns the nodes of a move whose clock counts nodes, after answers that were late by these delays, in milliseconds.
fn nodes_of_a_counted_move(delays: &[u64]) -> u64 {
    let engine = Engine::start(&["position startpos"]);
    engine.answer_late(delays);
    for line in ["setoption newgame", "setoption nodestime 10", "go time 20000 increment 0"] {
        engine.receive(line);
    }
    loop {
        if let Reply::Effort(effort) = engine.answers.recv_timeout(TIMEOUT).expect("the engine answers") {
            engine.quit();
            return effort.nodes;
        }
    }
}

#[test]
fn where_clocks_count_nodes_a_busy_machine_changes_nothing() {
    assert_eq!(nodes_of_a_counted_move(&[60, 160, 200]), nodes_of_a_counted_move(&[]));
}

/// Whether a time is that number of seconds, less the stop grace.
fn is_nearly(time: Duration, seconds: u64) -> bool {
    let all = Duration::from_secs(seconds);
    time <= all && time > all.mul_f64(0.99)
}

#[test]
fn who_ponders_may_take_longer() {
    let allowed = |ponder| time_allowed(&[ponder, "position startpos", "go time 60000 increment 0"]);
    let (alone, pondering) = (allowed("setoption ponder false"), allowed("setoption ponder true"));
    assert!(pondering > alone.mul_f64(1.1), "{pondering:?}, not much more than {alone:?}");
}

#[test]
fn the_overhead_is_kept_back() {
    let allowed = |overhead: &str| time_allowed(&[overhead, "position startpos", "go time 5000"]);
    let (much, none) = (allowed("setoption moveoverhead 1000"), allowed("setoption moveoverhead 0"));
    assert_eq!(none - much, SECOND);
    assert!(is_nearly(none, 5), "{none:?}");
}

#[test]
fn seconds_are_seconds() {
    let allowed = |unit: &str| time_allowed(&[unit, "setoption moveoverhead 0", "position startpos", "go time 5"]);
    let seconds = allowed("setoption usemillisec false");
    assert!(is_nearly(seconds, 5), "{seconds:?}");
}
