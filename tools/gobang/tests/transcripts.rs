//! Transcripts of the README, played with the engine: its output must match the page.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Timeout for a line of output, generous enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

struct Engine {
    process: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// Line that was read ahead.
    next: Option<String>,
}

impl Engine {
    fn start(threads: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_chuhe-gobang"))
            .args(["--threads", threads, "--hash", "8"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = channel();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { input: process.stdin.take().unwrap(), process, output, next: None }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Next line of output, or `None` at its end.
    fn line(&mut self) -> Option<String> {
        self.next.take().or_else(|| match self.output.recv_timeout(TIMEOUT) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
        })
    }

    fn expect(&mut self, pattern: &str, context: &str) {
        if let Some(word) = pattern.strip_suffix(" ...") {
            while let Some(line) = self.line() {
                if !line.starts_with(word) {
                    self.next = Some(line);
                    return;
                }
            }
        } else {
            let line = self.line().unwrap_or_default();
            assert!(matches(pattern, &line), "{context}: expected {pattern}, heard {line}");
        }
    }

    /// Closes the input, waits for the exit and returns the remaining output.
    fn end(mut self) -> Vec<String> {
        drop(self.input);
        assert!(self.process.wait().unwrap().success());
        self.next.into_iter().chain(self.output.iter()).collect()
    }
}

fn matches(pattern: &str, line: &str) -> bool {
    let (mut pattern, mut line) = (pattern.chars(), line.chars());
    loop {
        match (pattern.next(), line.next()) {
            (Some('*'), _) | (None, None) => return true,
            (Some('?'), Some(_)) => {}
            (wanted, heard) if wanted == heard => {}
            _ => return false,
        }
    }
}

/// Transcripts of the page, each with the heading above it.
fn talks() -> Vec<(&'static str, &'static str)> {
    let page = include_str!("../README.md");
    let spec = &page[page.find("## spec").unwrap()..];
    let mut heading = "";
    let mut talks = vec![];
    for (index, part) in spec.split("```").enumerate() {
        if index % 2 == 1 {
            talks.push((heading, part.strip_prefix("text\n").unwrap()));
        } else if let Some(last) = part.lines().filter_map(|line| line.strip_prefix("### ")).next_back() {
            heading = last;
        }
    }
    talks
}

fn play(heading: &str, talk: &str, threads: &str) {
    let mut engine = Engine::start(threads);
    for (number, line) in talk.lines().enumerate() {
        let context = format!("{heading}, line {}", number + 1);
        match line.split_at(2) {
            ("> ", said) => engine.say(said),
            ("< ", pattern) => engine.expect(pattern, &context),
            ("! ", pause) => {
                let milliseconds = pause.strip_suffix(" ms").unwrap().parse().unwrap();
                thread::sleep(Duration::from_millis(milliseconds));
            }
            _ => panic!("{context}: {line}"),
        }
    }
    assert_eq!(engine.end(), [""; 0], "{heading}: nothing is said after that");
}

#[test]
fn the_talks_of_the_page_go_as_it_says() {
    let talks = talks();
    assert!(talks.len() >= 12, "these are the talks");
    for (heading, talk) in talks {
        play(heading, talk, "1");
    }
}

#[test]
fn several_workers_say_the_same() {
    for (heading, talk) in talks() {
        play(heading, talk, "3");
    }
}

#[test]
fn every_word_of_the_draft_is_in_a_talk() {
    let all: String = talks().into_iter().map(|(_, talk)| talk.to_uppercase()).collect();
    for word in [
        "AGI",
        "ID NAME",
        "ID AUTHOR",
        "OPTION OWNBOOK",
        "AGIOK",
        "SETRULE FORBIDDEN",
        "UNFORBIDDEN",
        "FIRSTCHANGE",
        "THIRDCHANGE",
        "TIVETWINE",
        "FIVEMULITY",
        "SETOPTION OWNBOOK ON",
        "SETOPTION PONDER OFF",
        "ISREADY",
        "READYOK",
        "POSITION STATU ",
        "POSITION MOVES",
        "GO SEARCH",
        "GO PONDER",
        "GO TIME",
        "INFINITE",
        "INFO SEARCH",
        "INFO DEPTH",
        " SCORE ",
        " PV ",
        "INFO NPS",
        "INFO WIN",
        "INFO LOSE",
        "STOP",
        "DOMOVE",
        "BESTMOVE",
        "PONDER",
        "CHANGE",
        "QUIT",
        "BYE",
    ] {
        assert!(all.contains(word), "{word} is in no talk");
    }
}

#[test]
fn the_end_of_the_input_ends_the_engine_after_its_answer() {
    let mut engine = Engine::start("2");
    ["AGI", "POSITION MOVES 7868", "GO"].iter().for_each(|line| engine.say(line));
    let said = engine.end();
    assert!(said.last().unwrap().starts_with("BESTMOVE "), "{said:?}");
}

#[test]
fn a_word_without_meaning_does_not_end_a_search() {
    let mut engine = Engine::start("1");
    // Nothing can be proven here that would end the search early.
    ["START 15", "INFO timeout_turn 3000000", "BOARD", "7,7,1", "8,8,2", "DONE"]
        .iter()
        .for_each(|line| engine.say(line));
    engine.expect("OK", "START");
    engine.expect("MESSAGE depth 1 *", "BOARD");
    ["NONSENSE 1", "ABOUT", "STOP"].iter().for_each(|line| engine.say(line));
    let printed: Vec<String> =
        std::iter::from_fn(|| engine.line()).take_while(|line| !line.contains("name=")).collect();
    assert!(printed.contains(&"UNKNOWN command".to_owned()), "{printed:?}");
    assert!(printed.iter().all(|line| line.starts_with("MESSAGE ") || line == "UNKNOWN command"), "{printed:?}");
    engine.say("END");
    engine.end();
}

#[test]
fn an_aborted_game_gets_no_move_in_place_of_the_next_answer() {
    let mut engine = Engine::start("2");
    ["START 15", "INFO timeout_turn 3000000"].iter().for_each(|line| engine.say(line));
    engine.expect("OK", "START");
    for (abort, answer) in
        [("START 15", "OK"), ("RESTART", "OK"), ("TAKEBACK 7,7", "OK"), ("RECTSTART 15,16", "ERROR *")]
    {
        engine.say("RESTART");
        engine.expect("OK", "RESTART");
        engine.say("TURN 7,7");
        engine.expect("MESSAGE depth 1 *", "TURN");
        engine.say(abort);
        engine.expect("MESSAGE ...", abort);
        engine.expect(answer, abort);
    }
    // The stone of the aborted search must not be on the board, wherever it would have been.
    ["RESTART", "TURN 7,7"].iter().for_each(|line| engine.say(line));
    engine.expect("OK", "RESTART");
    engine.expect("MESSAGE depth 1 *", "TURN");
    ["BOARD", "7,7,2", "INFO", "DONE", "END"].iter().for_each(|line| engine.say(line));
    engine.expect("MESSAGE ...", "BOARD");
    engine.expect("ERROR this is not a stone: INFO", "BOARD");
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn patterns_match_what_they_say() {
    assert!(matches("BESTMOVE ??*", "BESTMOVE 67 PONDER 89") && matches("BESTMOVE ??*", "BESTMOVE 67"));
    assert!(!matches("BESTMOVE ??", "BESTMOVE 6759") && !matches("READYOK", "READY"));
}
