//! `--compliance` with scripts that speak at most one protocol and send only their greeting.
#![cfg(unix)]

#[path = "support/arena.rs"]
mod arena;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use arena::{Arena, text};

/// Writes an engine that reads one line, answers it if it is `word`, and exits.
fn speaks(arena: &Arena, word: &str) {
    let script = format!("#!/bin/sh\nread -r line\n[ \"$line\" = {word} ] && echo {word}ok\n");
    fs::write(arena.path("engine"), script).unwrap();
    fs::set_permissions(arena.path("engine"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_engine_hears_the_dialogues_of_its_own_protocol() {
    let arena = Arena::new();
    speaks(&arena, "uci");
    let output = arena.run("--compliance {}/engine");
    let printed = text(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.starts_with("dialogues in uci\n"), "{printed}");
    assert!(printed.contains("failed  uci_go: ") && !printed.contains("framing: "), "{printed}");
    let row = |name: &str| -> Vec<u32> {
        let line = printed.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a row for every file");
        line.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    assert_eq!(row("framing")[0], 0);
    assert!(row("framing")[3] > 0 && row("uci_go")[0] > 0);
}

#[test]
fn whose_dialogues_are_wanted_is_not_asked() {
    let arena = Arena::new();
    speaks(&arena, "uci");
    let printed = text(&arena.run("--compliance -proto ucci {}/engine"));
    assert!(printed.starts_with("dialogues in ucci\n"), "{printed}");
    assert!(printed.contains("failed  framing: ") && !printed.contains("uci_go: "), "{printed}");
}

#[test]
fn every_dialogue_is_reported_when_it_has_been_held() {
    let arena = Arena::new();
    speaks(&arena, "ucci");
    let mut running = arena.command("--compliance {}/engine").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(running.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("dialogues in ucci"));
    assert!(lines.any(|line| line.starts_with("failed  ")));
    assert!(running.try_wait().unwrap().is_none(), "there are more");
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn an_engine_that_speaks_neither_protocol_is_refused() {
    let arena = Arena::new();
    speaks(&arena, "xboard");
    let output = arena.run("--compliance {}/engine");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("engine answers neither ucci nor uci"), "{said}");
}
