//! Commands for users at a terminal, tested with a real terminal and with a pipe.
#![cfg(unix)]

mod support;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use rexpect::session::{PtySession, spawn_command};
use support::terminal::{TIMEOUT, converse, engine, leave, person_with};

fn await_line(output: &mut impl BufRead, wanted: &str) {
    let found = output.lines().map(Result::unwrap).any(|line| line == wanted);
    assert!(found, "the output has ended without {wanted}");
}

#[test]
fn at_a_terminal_people_are_helped() {
    let mut command = engine();
    command.env("LC_ALL", "C.UTF-8");
    let mut session = spawn_command(command, Some(TIMEOUT)).unwrap();
    session.exp_string("`help` lists what else there is").unwrap();
    for (line, answers) in [
        ("help", ["flip                   exchange the colours", "quit  "].as_slice()),
        ("position startpos moves h2e2", &[]),
        ("d", &["車  馬  象  士  將", "[炮]", "black to move", "FEN    rnbakabnr/9/1c5c1", "key    ", "value  "]),
        ("d letters", &[" 9  r  n  b  a  k", "black to move"]),
        ("moves", &["h9g7   马８进７", "moves"]),
        ("eval", &["hundredths of a horse", "value for the side to move"]),
        ("perft 2", &["nodes"]),
        ("flip", &["red to move"]),
        ("bench 1", &["nps"]),
        ("go depth 1", &["bestmove "]),
        ("quit", &["bye"]),
    ] {
        session.send_line(line).unwrap();
        for answer in answers {
            // The session treats every byte as a character.
            let bytes: String = answer.bytes().map(char::from).collect();
            session.exp_string(&bytes).unwrap_or_else(|error| panic!("{line}: {answer}: {error}"));
        }
    }
    session.exp_eof().unwrap();
}

/// A command that does not end in any practical time.
const ENDLESS: &str = "perft 20";
const UNFINISHED: &str = "0 nodes 0.0 Mnodes/s, not all of them";

fn person() -> PtySession {
    let mut session = spawn_command(engine(), Some(TIMEOUT)).unwrap();
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
    session.send_line("debug off").unwrap();
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
fn a_person_is_answered_whatever_is_typed() {
    let mut session = person_with("C.UTF-8");
    converse(
        &mut session,
        &[
            ("hlep", &["unknown command \"hlep\"; \"help\" lists them"]),
            ("setoption foo 3", &["there is no option \"foo\""]),
            ("ponderhit", &["ignored in this state"]),
            ("move", &["move takes moves like h2e2, C2=5 or 炮二平五"]),
            ("play white", &["play takes red, black or off, and a number of seconds up to 86400, not \"white\""]),
            ("undo all", &["undo takes a number of plies, not \"all\""]),
            ("play off", &["there is no game against the engine"]),
            ("uci", &["uciok"]),
            ("hlep", &["info string unknown command \"hlep\"; \"help\" lists them"]),
        ],
    );
    leave_silently(session);
}

/// Quits a UCI session, in which the engine says nothing at the end.
fn leave_silently(mut session: PtySession) {
    session.send_line("quit").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn text_keeps_its_characters_where_the_terminal_shows_them() {
    let option = "setoption bookfiles /nowhere/象棋.draw";
    let mut session = person_with("C.UTF-8");
    converse(&mut session, &[(option, &["/nowhere/象棋.draw: no such book"])]);
    leave(session);
    let mut session = person_with("C");
    converse(&mut session, &[(option, &["/nowhere/??.d-raw: no such book"]), ("moves", &["h2e2   C2=5"])]);
    leave(session);
}

#[test]
fn moves_are_played_in_every_notation_and_taken_back() {
    let mut session = person_with("C.UTF-8");
    converse(
        &mut session,
        &[
            ("position startpos moves 炮二平五 H8+7", &[]),
            ("d", &["red to move", "FEN    rnbakab1r/9/1c4nc1/"]),
            ("undo 2", &["2 moves taken back", "red to move"]),
            ("move C2=5 马8进7", &["1. red: 炮二平五 (h2e2)", "1. black: 马８进７ (h9g7)", "red to move"]),
            ("h0g2", &["2. red: 马二进三 (h0g2)", "black to move"]),
            ("车9平8 车一平二", &["2. black: 车９平８ (i9h9)", "3. red: 车一平二 (i0h0)"]),
            ("move 卒3进1 炮五平五", &["炮五平五 is not legal as move 2, none of them is played"]),
            ("undo", &["one move taken back"]),
            ("undo 9", &["4 moves taken back"]),
            ("undo", &["there is no move to take back"]),
            ("position fen 3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", &[]),
            ("R5=6", &["R5=6 may mean any of e3d3, e5d5 here and is not played"]),
            ("前车平六", &["red: 前车平六 (e5d5)"]),
        ],
    );
    leave(session);
}

/// A position in which red mates in one, with e1d1 or e1e8.
const MATE_IN_ONE: &str = "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";

#[test]
fn a_person_plays_against_the_engine() {
    let mut session = person_with("C.UTF-8");
    converse(
        &mut session,
        &[
            (
                "play 0.1",
                &["you play red, Chuhe plays black and thinks 0.1 s a move", "red to move", "type a move like"],
            ),
            ("C2=5", &["1. red: 炮二平五 (h2e2)"]),
        ],
    );
    // The engine's search output is not shown.
    let before = converse(&mut session, &[("", &["1. black (Chuhe): "])]);
    assert!(!before.contains("info") && !before.contains("bestmove"), "{before}");
    converse(
        &mut session,
        &[
            ("", &["red to move"]),
            // A hint is not played as a move of the game.
            ("go depth 5", &["bestmove "]),
            ("undo", &["2 moves taken back", "red to move"]),
            ("flip", &["black to move"]),
            ("move 马8进7", &["black: 马８进７ (h9g7)", "red (Chuhe): ", "black to move"]),
            (MATE_IN_ONE, &["the game against the engine is left"]),
            ("play", &["you play red, Chuhe plays black and thinks 1 s a move"]),
            ("车五平六", &["red: 车五平六 (e1d1)", "the game is over, black loses: mate; \"new\" begins another one"]),
            ("undo", &["one move taken back", "red to move"]),
            (
                "play black",
                &["you play black, Chuhe plays red", "red (Chuhe): ", "the game is over, black loses: mate"],
            ),
            // The board is shown from black's side.
            ("new", &["a new game", "red (Chuhe): ", " 0  俥", " i   h   g", "black to move"]),
            ("play off", &["the game against the engine is left"]),
            ("h9g7", &["black: 马８进７ (h9g7)", "red to move"]),
        ],
    );
    leave(session);
}

#[test]
fn the_engine_leaves_off_thinking_when_the_game_is_changed() {
    let mut session = person_with("C.UTF-8");
    converse(
        &mut session,
        &[
            ("play 3600", &["you play red"]),
            ("e3e4", &["red: 兵五进一 (e3e4)"]),
            ("d", &["not during a search, which ends with the word stop"]),
            ("h2e2", &["not during a search, which ends with the word stop"]),
            ("undo", &["one move taken back", "red to move"]),
            ("e3e4", &["red: 兵五进一 (e3e4)"]),
            // The new game clears the table, which the workers of the old search must have released.
            ("new", &["a new game", "red to move"]),
            ("e3e4", &["red: 兵五进一 (e3e4)"]),
            ("stop", &["black (Chuhe): ", "red to move"]),
            ("g3g4", &["red: 兵三进一 (g3g4)"]),
            ("play off", &["the game against the engine is left"]),
            ("d", &["black to move", "value "]),
            ("position startpos moves e3e4", &[]),
            ("play black 3600", &["you play black"]),
            ("h9g7", &["black: 马８进７ (h9g7)"]),
        ],
    );
    session.send_control('d').unwrap();
    session.exp_string("bye").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn values_have_one_unit_and_book_moves_have_weights() {
    let mut session = person_with("C.UTF-8");
    let mut number = |line: &str, label: &str, ends: &str| -> i32 {
        converse(&mut session, &[(line, &[label])]);
        let text = session.exp_string(ends).unwrap();
        text.trim().parse().unwrap_or_else(|_| panic!("{line}: {text}"))
    };
    let said = number("position startpos moves h2e2 h9g7 e2e6\ngo depth 0", "info depth 0 score ", "\r");
    assert!(said != 0, "a pawn is ahead");
    assert_eq!(number("d", "value  ", " for the side to move, a horse or cannon is 100"), said);
    assert_eq!(number("eval", "value for the side to move", "\r"), said);
    let centipawns = number("uci\nd", "value  ", " centipawns for the side to move");
    assert!((centipawns - 4 * said).abs() < 4, "{centipawns} centipawns are {said}");
    converse(&mut session, &[("ucci", &["ucciok"])]);
    let before = converse(&mut session, &[("position startpos\ngo depth 3", &["bestmove "])]);
    assert!(before.contains("info message book ") && before.contains(" weight "), "{before}");
    assert!(!before.contains("score"), "{before}");
    leave(session);
}

#[test]
fn bench_values_by_the_network_or_by_the_hand_crafted_evaluation() {
    let nodes = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let count =
            text.lines().find_map(|line| line.strip_suffix(" nps")?.split(" nodes ").next()?.parse::<u64>().ok());
        count.unwrap_or_else(|| panic!("{text}"))
    };
    let run = |words: &str| nodes(&engine().args(words.split(' ')).output().unwrap().stdout);
    let (usual, large, medium) = (run("bench 3"), run("bench 3 --knowledge large"), run("bench 3 --knowledge medium"));
    assert!(usual == large && usual != medium, "{usual} {large} {medium}");
    let mut child = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"setoption knowledge medium\nbench 3\n").unwrap();
    assert_eq!(nodes(&child.wait_with_output().unwrap().stdout), medium);
    for words in ["bench 3 --knowledge medium --network a.nnue", "bench 3 --knowledge small"] {
        assert_eq!(engine().args(words.split(' ')).output().unwrap().status.code(), Some(2), "{words}");
    }
}

#[test]
fn perft_of_the_command_line_has_a_depth_that_can_be_counted() {
    let output = engine().args(["perft", "100000"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("100000 is not in 0..=64"), "{text}");
}

#[test]
fn a_person_may_leave_a_batch() {
    let mut session = spawn_command(engine(), Some(TIMEOUT)).unwrap();
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
    let words = b"help\nd\nmoves\neval\nperft 1\nflip\nhlep\nmove h2e2\nh2e2\nplay\nundo\nnew\n";
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
    // Lines before this one may have been read before the log was opened.
    input.write_all(b"isready\nquit\n").unwrap();
    await_line(&mut output, "readyok");
    assert!(child.wait().unwrap().success());
    let log = std::fs::read_to_string(OsString::from_vec(path)).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    for part in ["INFO", "version=", "cores=", "options=Options { ", "<< isready\n", ">> readyok\n"] {
        assert!(log.contains(part), "{part} is missing in\n{log}");
    }
}
