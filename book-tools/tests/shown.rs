//! Presentations of a book: games played from it, and its page.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use chuhe::board::Position;
use chuhe::notation::read_any;
use serde_json::Value;

fn run(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_book-tools")).args(words.split(' ')).current_dir(folder).output().unwrap()
}

#[track_caller]
fn printed(folder: &Path, words: &str) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Creates a folder with a book of three games, of which two begin with the cannon.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let games = "h2e2 h9g7 h0g2 i9h9 1-0\nh2e2 b9c7 h0g2 1/2-1/2\nc3c4 c6c5 1-0\n";
    fs::write(folder.path().join("games.txt"), games).unwrap();
    printed(folder.path(), "build games.txt -o a.book --one-sided --weights loss=1");
    folder
}

#[test]
fn every_bad_book_has_a_line_of_its_own() {
    let folder = folder();
    let bytes = fs::read(folder.path().join("a.book")).unwrap();
    for (name, length) in [("short.book", bytes.len() - 1), ("shorter.book", bytes.len() - 9)] {
        fs::write(folder.path().join(name), &bytes[..length]).unwrap();
    }
    let output = run(folder.path(), "verify short.book a.book shorter.book");
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("a.book: "));
    let faults = String::from_utf8(output.stderr).unwrap();
    let faults: Vec<_> = faults.lines().collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    let names = |(fault, name): (&&str, &str)| fault.starts_with(&format!("book-tools: {name}: "));
    assert!(faults.iter().zip(["short.book", "shorter.book"]).all(names), "{faults:?}");
}

#[test]
fn games_are_played_out_of_a_book() {
    let folder = folder();
    let games = printed(folder.path(), "sample a.book --count 200 --seed 5");
    assert_eq!(games, printed(folder.path(), "play a.book --count 200 --seed 5"), "the same seed gives the same games");
    assert_ne!(games, printed(folder.path(), "sample a.book --count 200 --seed 6"));
    let lines: HashSet<&str> = games.lines().collect();
    assert!(lines.contains("H2-E2 H9-G7 H0-G2 I9-H9") && lines.contains("C3-C4 C6-C5"), "{lines:?}");
    let is_cannon = |game: &&str| game.starts_with("H2-E2") || game.starts_with("B2-E2");
    let cannons = games.lines().filter(is_cannon).count();
    // By the weights it is three of five: three points against two.
    assert!((90..150).contains(&cannons), "{cannons} of 200 games begin with a cannon");
    assert!(games.lines().all(|game| {
        let mut position = Position::start();
        game.split(' ').all(|mv| {
            let mv = read_any(&position, mv).unwrap();
            position = position.play(mv);
            true
        })
    }));
    let best = printed(folder.path(), "sample a.book --plies 1 --choose best --count 9");
    assert!(best.lines().all(|game| is_cannon(&game)) && best.lines().count() == 9, "{best}");
    assert_eq!(printed(folder.path(), "sample a.book --notation wxf h2e2 h9g7"), "C2=5 N8+7 N2+3 R9=8\n");
    assert!(!run(folder.path(), "sample a.book a0a1").status.success(), "the book knows nothing there");
    // `build` reads a list of games.
    fs::write(folder.path().join("played.txt"), &games).unwrap();
    printed(folder.path(), "build played.txt -o again.book --one-sided");
    assert!(printed(folder.path(), "stats again.book").contains("moves"));
    // From another position too.
    let there = |words: &str| {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w";
        let words = words.split(' ').map(|word| if word == "FEN" { fen } else { word });
        let output = Command::new(env!("CARGO_BIN_EXE_book-tools")).args(words).current_dir(folder.path()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    there("set there.book FEN b2e2 5");
    there("set there.book FEN a0a1 0");
    let games = there("sample there.book --count 20 --fen FEN");
    assert_eq!(games.lines().count(), 20);
    assert!(games.lines().all(|game| game.ends_with(" moves B2-E2")), "what weighs nothing is not played: {games}");
    fs::write(folder.path().join("there.txt"), &games).unwrap();
    printed(folder.path(), "build there.txt -o built.book");
    let found = there("probe built.book --fen FEN");
    assert!(found.contains("b2e2"), "{found}");
}

#[test]
fn text_is_the_whole_book() {
    let folder = folder();
    for words in ["dump a.book h2e2", "dump a.book --plies 2"] {
        let refused = run(folder.path(), words);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("text is the whole book"), "{words}");
    }
}

#[test]
fn a_page_has_the_moves_of_every_position() {
    let folder = folder();
    printed(folder.path(), "page a.book -o a.html");
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "url(", "@import", "src=\"", "fetch("] {
        assert!(!addresses.contains(word), "{word}");
    }
    let json = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(json).unwrap();
    let nodes = data["positions"].as_array().unwrap();
    let moves = |fen: &str| -> Vec<(String, u64)> {
        let node = nodes.iter().find(|node| node["fen"] == fen).unwrap();
        let moves = node["moves"].as_array().unwrap().iter();
        moves.map(|mv| (mv["mv"].as_str().unwrap().to_owned(), mv["weight"].as_u64().unwrap())).collect()
    };
    let start = Position::start();
    let fen = |position: &Position| position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
    // The position is symmetric, so each move comes with its mirror image, the heaviest first.
    let mut first = moves(&fen(&start));
    assert_eq!(first.iter().map(|mv| mv.1).collect::<Vec<_>>(), [3, 3, 2, 2]);
    first.sort();
    assert_eq!(first.iter().map(|mv| mv.0.as_str()).collect::<Vec<_>>(), ["b2e2", "c3c4", "g3g4", "h2e2"]);
    let after = start.play("h2e2".parse().unwrap());
    assert_eq!(moves(&fen(&after)).len(), 2);
    assert!(
        nodes.iter().any(|node| node["moves"][0]["names"] == serde_json::json!(["R9=8", "车９平８"])),
        "WXF and Chinese"
    );
    // The page replaces itself, and nothing else.
    printed(folder.path(), "page a.book -o a.html --positions 2");
    assert!(fs::read_to_string(folder.path().join("a.html")).unwrap().contains("\"is_cut\":true"));
    for words in ["page a.book -o a.book", "page a.book -o games.txt", "page a.book -o b.html a0a1"] {
        assert!(!run(folder.path(), words).status.success(), "{words}");
    }
    assert!(!folder.path().join("b.html").exists());
}
