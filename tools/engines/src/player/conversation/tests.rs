//! Conversations with shell scripts.

use std::process::Command;
use std::sync::Arc;

use chuhe::board::Position;

use super::*;
use crate::player::dialect::ClockState;
use crate::player::spec::Quirks;
use crate::player::ucci::Ucci;
use crate::process::{Direction, Listener};

/// More bytes than a pipe holds.
const LONG: usize = 70_000;

/// Starts a shell script that speaks UCCI.
fn with_shell(script: &str) -> Conversation {
    with_shell_heard_by(script, None)
}

fn with_shell_heard_by(script: &str, listener: Option<Listener>) -> Conversation {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]);
    let process = Process::start(shell, listener).expect("there is a shell");
    let dialect = Box::new(Ucci::new(&[], &Quirks::default()));
    Conversation::new(process, dialect, Timeouts::default(), false)
}

/// Requests a move in the starting position, with this time on both clocks.
fn asked(conversation: &mut Conversation, time: Duration) -> Result<SearchResult, SearchError> {
    let clock = ClockState { time: Some(time), ..ClockState::default() };
    let positions = [Position::start()];
    let state = GameState { positions: &positions, moves: &[], banned: &[], clocks: [clock; 2], draw_offered: false };
    let terms = Terms { limits: &TimeControl::default(), margin: Duration::ZERO };
    conversation.think(&state, terms, &mut || false)
}

#[test]
fn who_is_late_to_say_that_it_is_ready_is_asked_again() {
    let script =
        "while read -r line; do case $line in isready) sleep 0.3; echo readyok;; go*) echo bestmove h2e2;; esac; done";
    let mut conversation = with_shell(script);
    assert_eq!(conversation.ready(Duration::from_millis(1)).unwrap_err().class, FailureClass::Hang);
    conversation.stop_waiting_for_ready();
    assert!(!conversation.ready(Duration::from_secs(60)).unwrap(), "it is not waited for");
    conversation.send(&["go depth 1".to_owned()]);
    let deadline = Instant::now() + Duration::from_secs(60);
    assert!(
        conversation.answer(deadline, None, &mut Info::default(), &mut || false).is_ok_and(|answer| answer.is_some())
    );
    assert!(conversation.ready(Duration::from_secs(60)).unwrap());
}

#[test]
fn who_was_late_to_say_so_gets_no_clock_before_it_is_ready() {
    let script = "while read -r line; do case $line in
        isready) sleep 0.3; echo readyok;;
        setoption*) sleep 2;;
        go*) echo bestmove h2e2;;
    esac; done";
    let mut conversation = with_shell(script);
    assert_eq!(conversation.ready(Duration::from_millis(1)).unwrap_err().class, FailureClass::Hang);
    conversation.stop_waiting_for_ready();
    conversation.send(&["setoption hashsize 256".to_owned()]);
    // The answer that was given up comes now, while the option is still being set.
    std::thread::sleep(Duration::from_millis(1_000));
    let found = asked(&mut conversation, Duration::from_millis(800)).expect("the clock waits for it");
    assert_eq!(found.text.as_deref(), Some("h2e2"));
}

#[test]
fn the_clock_runs_from_when_the_question_is_handed_over() {
    let script = "sleep 3; while read -r line; do case $line in go*) sleep 3; echo bestmove h2e2;; esac; done";
    let mut conversation = with_shell(script);
    // This line blocks the sending thread for three seconds.
    conversation.send(&["x".repeat(LONG)]);
    let found = asked(&mut conversation, Duration::from_millis(4500)).expect("it is not late");
    assert_eq!(found.text.as_deref(), Some("h2e2"));
    assert!(found.elapsed < Duration::from_millis(4500));
}

#[test]
fn an_answer_in_time_that_arrives_late_is_in_time() {
    // Its line is noted for three seconds, after it has been read and before it is handed over.
    let listener: Listener = Arc::new(|way, line| {
        if way == Direction::Received && line.starts_with("bestmove") {
            std::thread::sleep(Duration::from_secs(3));
        }
    });
    let script = "while read -r line; do case $line in go*) echo bestmove h2e2;; esac; done";
    let mut conversation = with_shell_heard_by(script, Some(listener));
    let found = asked(&mut conversation, Duration::from_millis(2500)).expect("it is not late");
    assert!(found.elapsed < Duration::from_millis(2500));
    assert_eq!(found.text.as_deref(), Some("h2e2"));
}
