//! Engines with one fault each: the conversation that an honest engine passes must find every fault.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chuhe_talk::act::Act;
use chuhe_talk::talk::{Finding, hold};
use tempfile::TempDir;

/// Engine that knows the answers to the conversation of these tests.
const HONEST: &str = r#"#!/bin/sh
while read -r line; do
    case $line in
        ucci) echo 'id name Honest'; echo 'option usebook type check default true'; echo 'ucciok' ;;
        isready) echo 'readyok' ;;
        'go depth 3')
            echo 'info depth 1 score 4 time 1 nodes 30 nps 30000 hashfull 0 pv h2e2'
            echo 'info depth 2 score 4 time 2 nodes 60 nps 30000 hashfull 0 pv h2e2 h9g7'
            echo 'bestmove h2e2 ponder h9g7' ;;
        'go ponder'*) ;;
        stop) echo 'bestmove h0g2' ;;
        probe*) echo 'pophash bestmove h2e2' ;;
        quit) echo 'bye'; exit 0 ;;
    esac
done
"#;

/// Faults: a name, a text of the honest engine, its replacement, and a part of the resulting objection.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("answers twice", "echo 'bestmove h2e2 ponder h9g7'", "echo 'bestmove h2e2'; echo 'bestmove h2e2'", "idle"),
    ("plays an illegal move", "'bestmove h2e2 ponder h9g7'", "'bestmove h2e3'", "h2e3 is not legal"),
    ("expects an illegal answer", "ponder h9g7", "ponder h0g2", "h0g2 is not legal"),
    ("plays a forbidden move", "'bestmove h2e2 ponder h9g7'", "'bestmove b2e2'", "may be played"),
    ("shows a forbidden move", "hashfull 0 pv h2e2'", "hashfull 0 pv b2e2'", "may be played"),
    ("shows an illegal line", "pv h2e2 h9g7", "pv h2e2 h9g8", "h9g8 is not legal"),
    ("sinks instead of growing deeper", "info depth 2", "info depth 1", "depth 1 after depth 1"),
    ("takes nodes back", "nodes 60", "nodes 29", "29 nodes after 30"),
    ("speaks of something else", "'readyok'", "'hello'", "begins no line"),
    ("says nothing when it is ready", "echo 'readyok'", "exit 0", "it has ended"),
    ("forgets a blank", "score 4 time 2", "score 4time 2", "is not a number"),
    ("answers while it ponders", "'go ponder'*) ;;", "'go ponder'*) echo 'bestmove h0g2' ;;", "has to wait"),
    ("loses an answer", "stop) echo 'bestmove h0g2' ;;", "stop) ;;", "Stopped"),
    ("gives up unasked", "'bestmove h0g2'", "'bestmove h0g2 resign'", "gives up"),
    ("knows an illegal move", "'pophash bestmove h2e2'", "'pophash bestmove h2e3'", "h2e3 is not legal"),
    ("is silent about what it knows", "probe*) echo 'pophash bestmove h2e2' ;;", "", "the table's entry is due"),
    ("complains", "isready) ", "isready) echo 'panicked' >&2; ", "panicked"),
    ("fails", "exit 0", "exit 3", "exit status: 3"),
    ("is killed", "echo 'bye'; exit 0", "echo 'bye'; kill -9 $$", "signal: 9"),
    ("says no farewell", "echo 'bye'; ", "", "owes bye"),
    ("speaks after its farewell", "echo 'bye'", "echo 'bye'; echo 'bye'", "at its end"),
    ("ends late", "echo 'bye'", "echo 'bye'; sleep 3", "to end"),
];

/// A pause in which an engine may speak.
const MOMENT: Duration = Duration::from_millis(20);
/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

fn say(line: &str) -> Act {
    Act::Say(line.as_bytes().to_vec())
}

/// Returns the conversation of these tests, which waits this long for an answer that must not come.
fn conversation(patience: Duration) -> Vec<Act> {
    vec![
        say("ucci"),
        Act::Ask,
        say("position startpos"),
        say("banmoves b2e2"),
        say("go depth 3"),
        Act::Await(PATIENCE),
        Act::Ask,
        say("go ponder time 1000 increment 0"),
        Act::Await(patience),
        say("probe startpos"),
        Act::Pause(MOMENT),
        say("stop"),
        Act::Ask,
        Act::Quit,
    ]
}

fn engine(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("engine.sh");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// Lock against concurrent tests: a program file cannot be started while it is written, or kept open by a process being
/// started.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn talk_with(text: &str, patience: Duration) -> Option<Finding> {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = TempDir::new().unwrap();
    hold(&engine(&folder, text), folder.path(), &conversation(patience)).unwrap()
}

#[test]
fn an_honest_engine_is_believed() {
    let finding = talk_with(HONEST, MOMENT);
    assert!(finding.is_none(), "{finding:?}");
}

#[test]
fn every_fault_is_found() {
    for (fault, honest, false_, objection) in FAULTS {
        assert!(HONEST.contains(honest), "{fault}");
        let patience = if fault.contains("ponders") { PATIENCE } else { MOMENT };
        let finding = talk_with(&HONEST.replacen(honest, false_, 1), patience);
        let Some(finding) = finding else { panic!("an engine that {fault} is believed") };
        let said = format!("{} {}", finding.objection, finding.transcript);
        assert!(said.contains(objection), "{fault}: {}\n{}", finding.objection, finding.transcript);
    }
}
