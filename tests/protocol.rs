//! Runs every dialogue of `tools/engines/dialogues` with the real engine, and tests lines that are too long for a file.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use conformance::engine::Engine;
use conformance::{Case, cases};

#[path = "../tools/engines/src/conformance/mod.rs"]
mod conformance;

/// Timeout of an answer without its own deadline.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns the engine that cargo has built for the tests, or the one named by `CHUHE_PROGRAM`, so that a release build can
/// be tested without building the tests in release mode.
fn program() -> Command {
    Command::new(env::var_os("CHUHE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_chuhe").into()))
}

#[test]
fn every_dialogue_goes_as_written() {
    let cases = Mutex::new(all_cases().into_iter());
    let next = || cases.lock().unwrap().next();
    let play_them = || {
        let mut failures = vec![];
        while let Some((file, case)) = next() {
            let engine = Engine::start(program()).expect("cargo has built it");
            if let Err(failure) = case.play(engine, TIMEOUT) {
                failures.push(format!("{file}: {}\n{failure}", case.title));
            }
        }
        failures
    };
    // Two at a time: most of them wait for an engine that waits.
    let failures = thread::scope(|scope| {
        let other = scope.spawn(play_them);
        let mut failures = play_them();
        failures.extend(other.join().unwrap());
        failures
    });
    assert!(failures.is_empty(), "{} dialogues went wrong\n\n{}", failures.len(), failures.join("\n\n"));
}

/// Returns the cases of all files, each with the name of its file.
fn all_cases() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/engines/dialogues");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut all = vec![];
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let cases = cases(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!cases.is_empty(), "{name} has no cases");
        all.extend(cases.into_iter().map(|case| (name.clone(), case)));
    }
    all
}

/// Starts an engine without a book, in UCCI.
fn greeted() -> Engine {
    let mut engine = Engine::start(program()).expect("cargo has built it");
    engine.send_raw(b"ucci\nsetoption hashsize 16\nsetoption usebook false\n");
    engine.expect(|line| line == "ucciok", TIMEOUT).unwrap();
    engine
}

/// Returns the next line that is an answer or a message.
fn answer(engine: &mut Engine) -> String {
    let is_said = |line: &str| line.contains("bestmove") || line.starts_with("pophash") || line.contains("message");
    engine.expect(is_said, TIMEOUT).unwrap()
}

/// Moves that lead back to the start position.
const ROUND: &str = " b0c2 b9c7 c2b0 c7b9";

#[test]
fn a_position_on_a_line_too_long_to_read_does_not_leave_the_old_one_in_force() {
    let mut engine = greeted();
    let moves = ROUND.repeat((1 << 20) / ROUND.len() + 1);
    engine.send_raw(format!("position startpos\nposition startpos moves{moves}\ngo depth 1\n").as_bytes());
    assert_eq!(answer(&mut engine), "info message bad position: a line of more than 1048576 bytes is not read");
    assert_eq!(answer(&mut engine), "nobestmove");
    engine.send_raw(format!("position startpos\nprobe startpos moves{moves}\n").as_bytes());
    assert_eq!(answer(&mut engine), "pophash");
    engine.send_raw(format!("go depth 1 {moves}\n").as_bytes());
    assert!(answer(&mut engine).starts_with("info message go does not know \"b0c2\", \"b9c7\", "));
    assert!(answer(&mut engine).starts_with("bestmove "));
}

#[test]
fn two_hundred_thousand_plies_are_played_and_answered() {
    let mut engine = greeted();
    engine.send_raw(format!("position startpos moves{}\ngo time 100\n", ROUND.repeat(50_000)).as_bytes());
    assert!(answer(&mut engine).starts_with("bestmove "));
}
