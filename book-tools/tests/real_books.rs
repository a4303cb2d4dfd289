//! Books out of real games, where these are at hand: nothing is lost on the way through any format.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use book_tools::file::{open, open_native};
use book_tools::walk::walk;
use chuhe::board::Position;

/// The games of a championship; none where they are not there.
fn games() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/ccgc");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return vec![];
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// What a command says that ends well.
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
    let records = |name: &str| open_native(&at.join(name)).unwrap().records().to_vec();
    let whole = records("a.book");
    // Any table of numbers does for keys.
    let keys: Vec<String> = (1..=3584_u64).map(|n| format!("{:016x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    fs::write(at.join("keys"), keys.join("\n")).unwrap();
    for (there, back) in [("a.obk --keys keys", "--keys keys"), ("a.pfBook --keys keys", "--keys keys"), ("a.txt", "")]
    {
        run(at, &format!("convert a.book {there}"));
        let name = there.split(' ').next().unwrap();
        let said = run(at, format!("convert {name} back.book {back}").trim_end());
        assert!(said.starts_with("back.book: 417 moves of "), "{said}");
        assert_eq!(records("back.book"), whole, "{there}");
    }
    // Red and black are two positions there, of which the start leads to one, and one again in the book that comes back.
    assert_eq!(run(at, "convert a.book a.dat"), "a.dat: 834 moves of 417\n");
    run(at, "convert a.dat back.book --rekey --allow-loss");
    assert_eq!(records("back.book"), whole);
}
