//! No command overwrites its inputs: each one that writes is asked to, and every file stays unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the engine of `examples/zoo-for-books`, which cargo builds for tests.
fn zoo() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join("examples/zoo-for-books")
}

/// Runs `book-tools` with these words in a folder; `ZOO` stands for an engine with its limits.
fn run(folder: &Path, words: &str) -> Output {
    let engine = format!("--engine {} --arg uci --arg score=5 --depth 2", zoo().display());
    let words = words.replace("ZOO", &engine);
    let mut command = Command::new(env!("CARGO_BIN_EXE_book-tools"));
    command.args(words.split(' ')).current_dir(folder).output().unwrap()
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Creates a folder with games, tuples, a scored book, a link to it, a table of keys and openings.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("games.txt"), "h2e2 h9g7 h0g2 i9h9 1-0\nh2e2 b9c7 h0g2 1/2-1/2\n").unwrap();
    let keys: String =
        (1..=3584_u64).map(|number| format!("{:x}\n", number.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    fs::write(at.join("keys"), keys).unwrap();
    for words in [
        "build games.txt --tuples a.tuples",
        "build games.txt -o b.book",
        "eval b.book -o a.book ZOO",
        "convert a.book a.obk --keys keys --allow-loss",
        "export-openings a.book -o a.epd --plies 2",
    ] {
        let output = run(at, words);
        assert!(output.status.success(), "{words}: {output:?}");
    }
    std::os::unix::fs::symlink("a.book", at.join("link.book")).unwrap();
    folder
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = folder();
    let before = contents(folder.path());
    for words in [
        "build games.txt -o games.txt",
        "build a.tuples -o a.tuples",
        "build a.tuples --tuples a.tuples",
        "build games.txt a.tuples --tuples ./a.tuples",
        "merge a.book b.book -o b.book",
        "prune a.book -o a.book --max-moves 1",
        "eval a.book -o a.book ZOO",
        "eval a.book -o link.book ZOO",
        "eval a.book -o new.book --journal a.book ZOO",
        "eval a.book -o new.book --journal ./new.book ZOO",
        "grow a.book -o a.book ZOO",
        "grow a.book -o new.book --journal link.book ZOO",
        "grow -o new.book --journal new.book --positions 2 ZOO",
        "minimax a.book -o a.book",
        "minimax link.book -o a.book",
        "convert a.book a.book",
        "convert a.obk a.obk --keys keys",
        "convert a.obk keys --keys keys",
        "export-openings a.book -o a.book --plies 2",
    ] {
        let output = run(folder.path(), words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{words} was done");
        assert!(said.contains("is read as well") || said.contains("is the new book"), "{words}: {said}");
        assert!(contents(folder.path()) == before, "{words} has changed something");
    }
}

#[test]
fn an_empty_book_is_said_to_be_empty() {
    let folder = folder();
    let said = |words: &str| String::from_utf8_lossy(&run(folder.path(), words).stdout).into_owned();
    let empty = said("build games.txt -o new.book --min-games 9");
    assert!(empty.starts_with("new.book: 0 moves of 2 games") && empty.contains("the book is empty"), "{empty}");
    assert!(!said("build games.txt -o full.book").contains("the book is empty"));
}
