//! OpenBench: the arena in the place of fastchess, with the command of its worker and the parsing of the output.
//!
//! Both follow `Client/worker.py` and `Client/pgn_util.py` in <https://github.com/AndyGrant/OpenBench>, whose server names the
//! match runner in its configuration.

#[path = "support/arena.rs"]
mod arena;

use std::fs;
use std::process::Command;

use arena::{Arena, OPENINGS, text};
use regex::Regex;

/// Returns a worker's folder, in which it starts all programs.
fn client() -> Arena {
    let arena = Arena::new();
    for folder in ["Books", "Engines", "PGNs"] {
        fs::create_dir(arena.path(folder)).unwrap();
    }
    fs::copy(OPENINGS, arena.path("Books/xiangqi.epd")).unwrap();
    for engine in ["Chuhe-0123ABCD", "Chuhe-89AB4567"] {
        arena.take_engine(&format!("Engines/{engine}"));
    }
    arena
}

/// Returns the command as the worker writes it; `dev` and `base` add arguments for the test engine.
fn command(dev: &str, base: &str) -> Vec<String> {
    let line = format!(
        "-recover -variant standard -testEnv -concurrency 1 -rounds 3 -games 2 -resign movecount=3 score=400 \
         -draw movenumber=40 movecount=8 score=10 -tb /syzygy -tbpieces 6 \
         -openings file=Books/xiangqi.epd format=epd order=random start=7 -srand 42 \
         -engine dir=Engines/ cmd=./Chuhe-0123ABCD proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 option.Hash=8 \
         name=Chuhe-0123ABCD-dev {dev} \
         -engine dir=Engines/ cmd=./Chuhe-89AB4567 proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 option.Hash=8 \
         name=Chuhe-89AB4567-base {base} \
         -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true"
    );
    let mut words: Vec<String> = line.split_whitespace().map(|word| word.replace('_', " ")).collect();
    // One word, since the shell that the worker uses removes the quotes.
    words.push("match_line=^info string pgncomment .*".to_owned());
    words
}

/// Returns a game as the worker parses it: number, result, and whether it was lost by disconnect, on time or by an illegal
/// move.
fn finished(line: &str) -> (u32, &str, [bool; 3]) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let reason = line.split(':').nth(1).unwrap();
    let is = |word: &str| reason.contains(word);
    (words[2].parse().unwrap(), words[6], [is("disconnect") || is("stalls"), is("on time"), is("illegal")])
}

fn results(arena: &Arena, dev: &str, base: &str) -> Vec<(u32, String, [bool; 3])> {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe-arena"))
        .args(command(dev, base))
        .current_dir(arena.folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let output = text(&output);
    let lines = output.lines().filter(|line| line.starts_with("Finished game "));
    let mut games: Vec<_> = lines.map(finished).map(|(number, result, why)| (number, result.to_owned(), why)).collect();
    games.sort();
    games
}

#[test]
fn the_literal_command_is_understood_and_its_answer_can_be_read() {
    let arena = client();
    let games = results(&arena, "args=uci-zero_score=30_comments", "args=uci-zero_resign_from=3_scores-low");
    let numbers: Vec<u32> = games.iter().map(|game| game.0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "odd and even games make pairs");
    for (number, result, failures) in &games {
        // The first engine wins with both colours.
        assert_eq!((result.as_str(), *failures), (["0-1", "1-0"][*number as usize % 2], [false; 3]));
    }
    let pgn = arena.read("PGNs/1.2.3.0.pgn");
    let mut parts = pgn.split("\n\n");
    let comment = Regex::new(r"([a-zA-Z0-9+=#*-]+) (?:\s*\{\s*([^}]*)\s*\})?").unwrap();
    let mut games = 0;
    while let (Some(tags), Some(moves)) = (parts.next().filter(|tags| !tags.is_empty()), parts.next()) {
        games += 1;
        assert!(tags.lines().all(|tag| tag.starts_with('[') && tag.ends_with("\"]")), "{tags}");
        let moves = moves.replace('\n', " ");
        let found: Vec<_> = comment.captures_iter(&moves).filter(|found| found.get(2).is_some()).collect();
        assert!(found.len() >= 4, "{moves}");
        let said = found.iter().filter(|found| found[2].contains("line=\"info string pgncomment answer")).count();
        assert!((2..found.len()).contains(&said), "one of the engines comments its moves: {moves}");
        assert!(moves.ends_with("1-0") || moves.ends_with("0-1"), "{moves}");
    }
    assert_eq!(games, 6);
}

#[test]
fn failures_are_counted_and_the_match_goes_on() {
    for (behaviour, expected, word) in [
        ("dies", [true, false, false], "[Termination \"abandoned\"]"),
        ("illegal", [false, false, true], "[Termination \"illegal move\"]"),
    ] {
        let arena = client();
        let games = results(&arena, "args=uci-zero", &format!("args=uci-zero_{behaviour}_from=2"));
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|(_, _, failures)| *failures == expected), "{behaviour}: {games:?}");
        let pgn = arena.read("PGNs/1.2.3.0.pgn");
        assert_eq!(pgn.matches(word).count(), 6, "{pgn}");
    }
}

#[test]
fn the_version_can_be_read() {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe-arena")).arg("--version").output().unwrap();
    let version = Regex::new(r"\d+\.\d+(\.\d+)?").unwrap();
    assert_eq!(version.find(&text(&output)).unwrap().as_str(), env!("CARGO_PKG_VERSION"));
}
