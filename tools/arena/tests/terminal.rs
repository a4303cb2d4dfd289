//! The progress line of a terminal shows the standing of a match within 80 columns.
#![cfg(unix)]

#[path = "support/arena.rs"]
mod arena;

use std::process::Command;

use arena::Arena;
use regex::Regex;
use rexpect::session::spawn_command;

const COLUMNS: usize = 80;

/// Timeout in milliseconds, long enough for a busy machine.
const TIMEOUT: u64 = 120_000;

/// Returns all output of a program on a terminal of 80 columns.
fn recorded(program: &Command) -> String {
    let mut terminal = Command::new("sh");
    let size = format!("stty cols {COLUMNS} rows 24 && exec \"$@\"");
    terminal.args(["-c", &size, "sh"]).arg(program.get_program()).args(program.get_args());
    terminal.env("TERM", "xterm");
    let mut session = spawn_command(terminal, Some(TIMEOUT)).unwrap();
    // The session maps every byte to a character.
    let bytes: Vec<u8> = session.exp_eof().unwrap().chars().map(|c| u8::try_from(c).unwrap()).collect();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn test_strength_and_time_to_go_are_reported_within_eighty_columns() {
    let arena = Arena::new();
    let line = "-engine cmd={zoo} name=A args=ucci_wild_late=20 -engine cmd={zoo} name=B args=uci_wild_resign_from=4 proto=uci \
                -each nodes=1 -openings file={openings} order=random -seed 3 -maxmoves 8 -rounds 12 \
                -sprt elo0=0 elo1=2 -ratinginterval 0";
    let said = recorded(&arena.command(line));
    let written = Regex::new("\x1b\\[[0-9;?]*[A-Za-z]").unwrap().replace_all(&said, "");
    // Lines are padded with spaces to whole rows; the last row is the progress line.
    let last_row = |text: &str| -> String {
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(COLUMNS).next_back().unwrap_or_default().iter().collect()
    };
    let live: Vec<String> = written.split(['\r', '\n']).filter(|text| text.contains("  LLR ")).map(last_row).collect();
    let wanted = ["/24  LLR ", "  Elo ", " to go "];
    assert!(!live.is_empty() && live.iter().all(|row| wanted.iter().all(|part| row.contains(part))), "{live:#?}");
    assert!(live.iter().all(|row| row.starts_with(|first: char| first.is_ascii_digit())), "{live:#?}");
    let page = include_str!("../../../docs/en/src/matches.md");
    let is_shown = |line: &str| {
        let parts = wanted.map(|part| part.trim_start_matches("/24"));
        parts.iter().all(|part| line.contains(part)) && line.chars().count() <= COLUMNS
    };
    assert!(page.lines().any(is_shown), "matches.md shows another line than {live:#?}");
}
