//! People at a terminal may ask for more than programs: shown with a real terminal and with a pipe.
#![cfg(unix)]

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use rexpect::session::{PtySession, spawn_command};

/// In milliseconds; a busy machine takes its time.
const PATIENCE: u64 = 20_000;

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
}

fn await_line(output: &mut impl BufRead, wanted: &str) {
    let found = output.lines().map(Result::unwrap).any(|line| line == wanted);
    assert!(found, "the output has ended without {wanted}");
}

#[test]
fn at_a_terminal_people_are_helped() {
    let mut command = engine();
    command.env("LC_ALL", "C.UTF-8");
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    session.exp_string("`help` lists what else there is").unwrap();
    for (line, answers) in [
        ("help", ["flip                 exchange the colours", "quit"].as_slice()),
        ("position startpos moves h2e2", &[]),
        ("d", &["車  馬  象  士  將", "[炮]", "black to move", "FEN    rnbakabnr/9/1c5c1", "key    ", "value  "]),
        ("d letters", &[" 9  r  n  b  a  k", "black to move"]),
        ("moves", &["h9g7   马８进７", "moves"]),
        ("eval", &["centipawns", "value for the side to move"]),
        ("perft 2", &["nodes"]),
        ("flip", &["red to move"]),
        ("bench 1", &["nps"]),
        ("go depth 1", &["bestmove "]),
        ("quit", &["bye"]),
    ] {
        session.send_line(line).unwrap();
        for answer in answers {
            // The session takes every byte for a character.
            let bytes: String = answer.bytes().map(char::from).collect();
            session.exp_string(&bytes).unwrap_or_else(|error| panic!("{line}: {answer}: {error}"));
        }
    }
    session.exp_eof().unwrap();
}

/// What nobody lives to see the end of.
const ENDLESS: &str = "perft 20";
const UNFINISHED: &str = "0 nodes 0.0 Mnodes/s, not all of them";

fn person() -> PtySession {
    let mut session = spawn_command(engine(), Some(PATIENCE)).unwrap();
    session.exp_string("`help` lists what else there is").unwrap();
    session
}

#[test]
fn a_person_may_leave_what_takes_long() {
    for by_quit in [true, false] {
        let mut session = person();
        session.send_line(ENDLESS).unwrap();
        match by_quit {
            true => drop(session.send_line("quit").unwrap()),
            false => session.send_control('d').unwrap(),
        }
        for answer in [UNFINISHED, "bye"] {
            session.exp_string(answer).unwrap_or_else(|error| panic!("by quit: {by_quit}: {answer}: {error}"));
        }
        session.exp_eof().unwrap();
    }
}

#[test]
fn what_takes_long_is_stopped_and_what_takes_for_ever_is_not_begun() {
    let mut session = person();
    let nothing_between = format!("{UNFINISHED}\r\nreadyok\r\n");
    for (lines, answer) in [
        ("perft 100000", "info message perft counts no more than 64 plies"),
        (&format!("{ENDLESS}\nstop\nisready"), &nothing_between),
        (&format!("{ENDLESS}\nisready\ngo infinite\nstop"), UNFINISHED),
        ("", "readyok"),
        ("", "bestmove "),
        ("go infinite\nd letters", "info message not during a search, which ends with the word stop"),
        ("stop", "bestmove "),
        ("quit", "bye"),
    ] {
        session.send_line(lines).unwrap();
        session.exp_string(answer).unwrap_or_else(|error| panic!("{lines}: {answer}: {error}"));
    }
    session.exp_eof().unwrap();
}

#[test]
fn perft_of_the_command_line_has_a_depth_that_can_be_counted() {
    let output = engine().args(["perft", "100000"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("100000 is not in 0..=64"), "{text}");
}

#[test]
fn a_person_may_leave_a_batch() {
    let mut session = spawn_command(engine(), Some(PATIENCE)).unwrap();
    session.exp_string("`help` lists what else there is").unwrap();
    for line in ["setoption usebook false", "setoption batch true", "go depth 90"] {
        session.send_line(line).unwrap();
    }
    session.exp_string("info depth 5 ").unwrap();
    session.send_line("quit").unwrap();
    session.exp_string("bye").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn at_a_pipe_nothing_of_it_exists_but_the_bench_and_the_position() {
    let mut child = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let words = b"help\nd\nmoves\neval\nperft 1\nflip\n";
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"ucci\n").and_then(|()| input.write_all(words)).and_then(|()| input.write_all(b"quit\n")).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Vec<&str> = text.lines().skip_while(|line| *line != "ucciok").collect();
    let [_, fen, key, checkers, _] = said[..] else { panic!("{said:?}") };
    assert_eq!((said[0], said[4]), ("ucciok", "bye"));
    assert_eq!(fen, "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    assert!(key.starts_with("Key: ") && key.len() == "Key: ".len() + 16, "{key}");
    assert_eq!(checkers.trim_end(), "Checkers:");
    assert!(output.status.success() && output.stderr.is_empty());
    for words in ["uci\nbench 1\nquit\n", "bench 1\n"] {
        let mut child = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let last = text.lines().last().unwrap_or_default();
        assert!(last.contains(" nodes ") && last.ends_with(" nps"), "{words}: {text}");
    }
}

#[test]
fn a_wish_of_the_system_to_end_is_obeyed_like_quit() {
    let mut child = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    input.write_all(b"ucci\nposition startpos\ngo infinite\nisready\n").unwrap();
    await_line(&mut output, "readyok");
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.lines().last(), Some("bye"));
    assert!(child.wait().unwrap().success());
    drop(input);
}

#[test]
fn a_log_may_have_a_name_in_any_encoding_and_tells_everything() {
    let folder = std::env::temp_dir().join(format!("chuhe-gbk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut path = folder.clone().into_os_string().into_vec();
    path.extend(b"/\xcf\xf3 \xc6\xe5.log");
    let mut child = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let option = [b"uci\nsetoption name Debug Log File value ".as_slice(), &path, b"\nisready\n"].concat();
    input.write_all(&option).unwrap();
    await_line(&mut output, "readyok");
    // What comes before the answer may have been read before there was a log.
    input.write_all(b"isready\nquit\n").unwrap();
    await_line(&mut output, "readyok");
    assert!(child.wait().unwrap().success());
    let log = std::fs::read_to_string(OsString::from_vec(path)).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    for part in ["INFO", "version=", "cores=", "options=Options { ", "<< isready\n", ">> readyok\n"] {
        assert!(log.contains(part), "{part} is missing in\n{log}");
    }
}
