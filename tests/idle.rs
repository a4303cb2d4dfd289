//! An engine that has answered uses no processor time until the next command, and `idle` limits what a search uses, as
//! the system's counts show. An engine whose user has gone quits.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Length of each observation.
const WATCH: Duration = Duration::from_millis(500);
/// Most processor time of an idle engine during [`WATCH`], in hundredths of a second.
const MOST_TICKS: u64 = 5;

/// Returns the processor time used by all threads of the process, in system ticks, usually hundredths of a second.
fn ticks(engine: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
    let (_, behind_the_name) = stat.rsplit_once(')').unwrap();
    let fields: Vec<_> = behind_the_name.split_whitespace().collect();
    // The fields utime and stime of proc(5), which counts the process id as field 1; the first one here is field 3.
    fields[11..=12].iter().map(|field| field.parse::<u64>().unwrap()).sum()
}

/// Starts the engine and returns it with its input and output.
fn start() -> (Child, ChildStdin, Lines<BufReader<ChildStdout>>) {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = engine.stdin.take().unwrap();
    let lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    (engine, input, lines)
}

#[test]
fn an_engine_leaves_the_share_of_the_processor_that_it_is_reported_to() {
    for (grade, most_percent) in [("small", 85), ("medium", 60), ("large", 35)] {
        let (mut engine, mut input, mut lines) = start();
        write!(input, "ucci\nsetoption usebook false\nsetoption hashsize 16\nsetoption idle {grade}\nisready\n")
            .unwrap();
        assert!(lines.any(|line| line.unwrap() == "readyok"));
        let before = ticks(&engine);
        writeln!(input, "go time 1000").unwrap();
        assert!(lines.any(|line| line.unwrap().starts_with("bestmove ")), "it thinks all the same");
        // A second has a hundred ticks.
        let used = ticks(&engine) - before;
        // On a busy machine it may get less than that.
        assert!(used <= most_percent, "{used} percent with {grade}");
        drop(input);
        assert!(engine.wait().unwrap().success());
    }
}

#[test]
fn an_engine_that_has_answered_rests() {
    let (mut engine, mut input, mut lines) = start();
    for task in ["go depth 6", "go infinite\nstop", "go ponder depth 6\nponderhit"] {
        let words = "setoption usebook false\nsetoption hashsize 16\nsetoption ponder true\nsetoption threads 2\nposition startpos";
        write!(input, "ucci\n{words}\n{task}\n").unwrap();
        assert!(lines.any(|line| line.unwrap().starts_with("bestmove ")), "{task} is answered");
        let before = ticks(&engine);
        thread::sleep(WATCH);
        let used = ticks(&engine) - before;
        assert!(used <= MOST_TICKS, "{used} ticks of work after {task}");
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

#[test]
fn an_engine_whose_user_has_gone_ends_whatever_it_was_reported_to_finish() {
    let (mut engine, mut input, mut lines) = start();
    write!(input, "ucci\nsetoption usebook false\nsetoption hashsize 1\ngo depth 90\n").unwrap();
    assert!(lines.any(|line| line.unwrap().starts_with("info depth 4 ")), "it thinks");
    drop((input, lines));
    let deadline = Instant::now() + Duration::from_secs(60);
    while engine.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it still searches without a client");
        thread::sleep(Duration::from_millis(10));
    }
}
