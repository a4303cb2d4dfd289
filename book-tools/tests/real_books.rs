//! Books of real games, if available: no format loses anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use book_tools::file::{open, open_native};
use book_tools::walk::walk;
use chuhe::board::Position;
use chuhe::book::Record;

/// Returns the games of a championship; none if they are not available.
fn games() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/ccgc");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return vec![];
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Returns the output of a command that succeeds.
fn run(folder: &Path, words: &str) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_book-tools")).args(words.split(' ')).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_position_is_reached_and_every_format_carries_every_move() {
    let games = games();
    if games.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut build = Command::new(env!("CARGO_BIN_EXE_book-tools"));
    build.arg("build").args(&games).args(["-o", "a.book"]).current_dir(at);
    let output = build.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains(" moves that weigh nothing; --weights"), "{said}");
    let book = open(&at.join("a.book")).unwrap();
    let mut reached = 0;
    walk(&book, &Position::start(), usize::MAX, |_, _| reached += 1);
    assert!(run(at, "stats a.book").contains(&format!("{reached} of {reached} positions can be reached")));
    assert_eq!((reached, book.len()), (402, 417));
    every_format_carries(at, "a.book", 417);
    // A BOOK.DAT has a position for either colour; the start reaches one of them, and one again in the book converted back.
    assert_eq!(run(at, "convert a.book a.dat"), "a.dat: 834 moves of 417\n");
    run(at, "convert a.dat back.book --rekey --allow-loss");
    assert_eq!(records(at, "back.book"), records(at, "a.book"));
}

#[test]
fn the_published_book_comes_back_whole_and_what_is_found_of_it_goes_through_every_format() {
    let published = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/eleeye-BOOK.DAT");
    if !published.exists() {
        eprintln!("skipped: {} is not there", published.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::copy(&published, at.join("BOOK.DAT")).unwrap();
    for step in ["BOOK.DAT a.book", "a.book a.txt", "a.txt b.book", "b.book b.dat"] {
        let said = run(at, &format!("convert {step}"));
        assert!(said.ends_with(": 12081 moves of 12081\n"), "{said}");
    }
    assert!(fs::read(at.join("b.dat")).unwrap() == fs::read(&published).unwrap());
    let said = run(at, "convert BOOK.DAT ours.book --rekey --allow-loss");
    assert!(
        said.contains("ours.book: 9938 moves of 12081\nours.book: lost 2143 moves of positions to which"),
        "{said}"
    );
    every_format_carries(at, "ours.book", 9938);
}

fn records(folder: &Path, name: &str) -> Vec<Record> {
    open_native(&folder.join(name)).unwrap().records().to_vec()
}

/// Checks round trips through the formats with other keys, and through text.
fn every_format_carries(at: &Path, book: &str, moves: usize) {
    // Any table of numbers is suitable for keys.
    let keys: Vec<String> = (1..=3584_u64).map(|n| format!("{:016x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    fs::write(at.join("keys"), keys.join("\n")).unwrap();
    for (there, back) in [
        ("there.obk", ""),
        ("there.pfBook", ""),
        ("other.obk --keys keys", "--keys keys"),
        ("other.pfBook --keys keys", "--keys keys"),
        ("there.txt", ""),
    ] {
        run(at, &format!("convert {book} {there}"));
        let name = there.split(' ').next().unwrap();
        let said = run(at, format!("convert {name} back.book {back}").trim_end());
        assert!(said.starts_with(&format!("back.book: {moves} moves of ")), "{said}");
        assert_eq!(records(at, "back.book"), records(at, book), "{there}");
    }
}
