//! Termination signals: the engine says `bye` and quits; an engine started with `nohup` outlives its terminal.
#![cfg(target_os = "linux")]

mod support;

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use support::program::hangups_are_ignored;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts the engine from a shell, after this shell command.
    fn behind(command: &str) -> Self {
        let mut process = Command::new("sh")
            .args(["-c", &format!("{command} exec \"$0\""), env!("CARGO_BIN_EXE_chuhe")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut engine = Self { process, input, output };
        assert!(engine.says("ucci", "ucciok"));
        engine
    }

    /// Sends a line and returns whether the engine answers it before its output ends.
    fn says(&mut self, line: &str, answer: &str) -> bool {
        // If the engine has quit, the write fails.
        let _ = writeln!(self.input, "{line}");
        self.output.any(|said| said.unwrap() == answer)
    }

    fn gets(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Whether the engine says `bye` and exits successfully.
    fn ends(mut self) -> bool {
        self.output.any(|said| said.unwrap() == "bye") && self.process.wait().unwrap().success()
    }
}

#[test]
fn every_signal_that_ends_it_does_so_with_a_farewell() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        if signal == "-HUP" && hangups_are_ignored() {
            eprintln!("skipped: hangups are ignored here");
            continue;
        }
        let engine = Engine::behind("");
        engine.gets(signal);
        assert!(engine.ends(), "{signal}");
    }
}

#[test]
fn what_was_begun_to_outlive_its_terminal_does() {
    let mut engine = Engine::behind("trap '' HUP;");
    // An engine that did not ignore the signal might take a while to react.
    for time in 1..=10 {
        engine.gets("-HUP");
        assert!(engine.says("isready", "readyok"), "hangup {time}");
    }
    engine.gets("-TERM");
    assert!(engine.ends());
}
