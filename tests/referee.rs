//! The referee on the command line: single games, files with one game per line, and a conversation through pipes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// Random games: position, moves to the third occurrence, verdict of Pikafish.
fn loops() -> Vec<[&'static str; 3]> {
    let lines = include_str!("data/loops.tsv").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut columns = line.split('\t');
        [(); 3].map(|()| columns.next().expect("a file of at least three columns"))
    };
    lines.map(read).collect()
}

fn judge(words: &[&str], input: &str) -> Output {
    let mut command = Command::new(CHUHE);
    command.arg("judge").args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
    // In a separate thread, because the answers arrive meanwhile and would fill the pipe.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // A program that rejects its arguments does not read its input.
    let _ = writer.join().unwrap();
    output
}

fn lines(output: &Output) -> Vec<&str> {
    std::str::from_utf8(&output.stdout).unwrap().lines().collect()
}

#[test]
fn thousands_of_games_are_judged_in_one_process_a_line_each() {
    let loops = loops();
    let input: String = loops.iter().map(|[fen, moves, _]| format!("{fen}\t{moves}\n")).collect();
    let output = judge(&["--rules", "pikafish", "--file", "-"], &input);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let verdicts: Vec<&str> =
        lines(&output).into_iter().map(|line| line.split(':').next().expect("a verdict before the reason")).collect();
    let expected: Vec<&str> = loops.iter().map(|&[_, _, verdict]| verdict).collect();
    assert_eq!(verdicts, expected);
}

#[test]
fn one_game_has_one_verdict_however_it_is_given() {
    let fen = "R8/4k4/P8/4P2r1/2bPr3P/7c1/9/5c3/5N3/3AK4 w";
    let moves = "d0e1 h6h5 a9h9 h5h6 h9a9 h4e4 e1f0 e4h4 f0e1";
    let file = format!("{fen}\t{moves}\n");
    for (words, verdict) in [
        (&[][..], "draw"),
        (&["--rules", "wxf"], "draw"),
        (&["--rules", "league"], "none"),
        (&["--loops"], "black loses"),
        (&["--at", "2"], "black loses"),
    ] {
        let alone = judge(&[words, &[fen], &moves.split(' ').collect::<Vec<_>>()].concat(), "");
        let of_file = judge(&[words, &["--file", "-"]].concat(), &file);
        assert_eq!(lines(&alone), lines(&of_file), "{words:?}");
        assert!(lines(&alone)[0].starts_with(verdict), "{words:?}: {alone:?}");
    }
}

#[test]
fn every_labelled_loop_is_judged_as_its_line_says() {
    let output = judge(&["--loops", "--file", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/repetition.tsv")], "");
    let differing: Vec<&str> = lines(&output).into_iter().filter(|line| line.contains("; expected ")).collect();
    assert!(differing.is_empty() && output.status.success(), "{differing:#?}");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.starts_with("348 of 348 lines of ") && printed.ends_with("judged as they say\n"), "{printed}");
}

#[test]
fn what_cannot_be_judged_is_said_in_its_place() {
    let input = "3k5/9/9/9/9/9/9/9/4R4/4K4 w\te1e0\n4k4 w\n3k5/9/9/9/9/9/9/9/4R4/4K4 w\te1d1\n";
    let output = judge(&["--file", "-"], input);
    let lines = lines(&output);
    assert!(lines[0] == "unreadable: e1e0 is not legal as move 1" && lines[1].starts_with("unreadable: "), "{lines:?}");
    assert_eq!((lines.len(), lines[2]), (3, "black loses: mate"));
    assert!(!output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "chuhe: 2 of 3 lines of standard input cannot be read\n");
}

#[test]
fn rules_that_nobody_knows_are_refused_with_those_that_there_are() {
    let output = judge(&["--rules", "fide", "3k5/9/9/9/9/9/9/9/4R4/4K4 w"], "");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && printed.contains("asian, league, pikafish"), "{printed}");
}
