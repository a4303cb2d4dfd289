//! A walk over a large book shows its progress at a terminal; a file gets only the result.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use chuhe::board::Position;
use chuhe::splitmix::SplitMix64;
use rexpect::session::spawn_command;

/// Number of games of thirty random plies, each of which leaves the others after a few.
const GAMES: usize = 2500;

/// Timeout in milliseconds, with an allowance for a busy machine.
const TIMEOUT: u64 = 300_000;

fn game(random: &mut SplitMix64) -> String {
    let (mut position, mut game) = (Position::start(), String::new());
    for _ in 0..30 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = random.pick(&moves);
        game += &format!("{mv} ");
        position = position.play(mv);
    }
    game + "\n"
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_book-tools"));
    command.args(words.split(' ')).current_dir(folder);
    command
}

#[test]
fn a_walk_over_a_large_book_is_seen_at_a_terminal_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = SplitMix64::new(3);
    let games: String = (0..GAMES).map(|_| game(&mut random)).collect();
    fs::write(folder.path().join("games.txt"), games).unwrap();
    assert!(command(folder.path(), "build games.txt -o a.book").output().unwrap().status.success());
    let output = command(folder.path(), "verify a.book").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("a.book: ") && said.lines().count() == 1 && output.stderr.is_empty(), "{said}");
    for words in ["verify a.book", "convert a.book a.obk --allow-loss", "stats a.book"] {
        let mut at_terminal = command(folder.path(), words);
        at_terminal.env("TERM", "xterm");
        let seen = spawn_command(at_terminal, Some(TIMEOUT)).unwrap().exp_eof().unwrap();
        assert!(seen.contains(" moves found of ") && seen.contains(" positions a second"), "{words}: {seen:?}");
    }
}
