//! The engine answers and quits on request, whatever the state of its files, pipes and devices.
#![cfg(unix)]

mod support;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use chuhe::board::Position;
use chuhe::book::{About, Record, Symmetry, Writer, canonical};
use chuhe::io::Retrying;
use rexpect::session::spawn_command;
use support::program::{Program, hangups_are_ignored};

/// Longest time an engine may take to quit. A second is the limit on an idle machine; a busy one needs more.
const LONGEST_END: Duration = Duration::from_secs(20);
/// Timeout for a terminal, in milliseconds.
const TIMEOUT: u64 = 60_000;
/// Smallest table: many engines run at once, and none of them needs much memory.
const SMALL: &str = "setoption hashsize 1";
/// Number of answers, more than a pipe holds.
const MANY: usize = 20_000;

fn fifo(folder: &Path) -> PathBuf {
    let path = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

/// Starts an engine and waits for its introduction.
fn greeted(command: &mut Command) -> Program {
    let mut engine = Program::start_as(command);
    engine.say(format!("{SMALL}\nucci"));
    engine.lines_until("ucciok");
    engine
}

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
}

/// Sends `quit` and checks that the engine quits in time and successfully.
fn quit(mut engine: Program) {
    engine.say("quit");
    let (status, took) = engine.end();
    assert!(status.success() && took < LONGEST_END, "{status} after {took:?}");
}

#[test]
fn only_regular_files_are_books_networks_and_logs() {
    let folder = tempfile::tempdir().unwrap();
    let loop_of_links = folder.path().join("loop");
    std::os::unix::fs::symlink(&loop_of_links, &loop_of_links).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let others = [fifo(folder.path()), folder.path().to_owned(), link];
    let devices = ["/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout"].map(PathBuf::from);
    let mut engine = greeted(&mut engine());
    for path in others.iter().chain(&devices) {
        for option in ["bookfiles", "evalapi", "logfile"] {
            engine.say(format!("setoption {option} {}\nisready", path.display()));
            let said = engine.lines_until("readyok");
            assert!(said.len() == 1 && said[0].contains("not a regular file"), "{option} {}: {said:?}", path.display());
        }
    }
    for path in [loop_of_links, folder.path().join("x".repeat(5000)), folder.path().join("no/such/folder")] {
        for option in ["bookfiles", "evalapi", "logfile"] {
            engine.say(format!("setoption {option} {}\nisready", path.display()));
            assert_eq!(engine.lines_until("readyok").len(), 1, "{option} {}", path.display());
        }
    }
    quit(engine);
}

#[test]
fn a_pipe_is_no_table_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::rename(fifo(folder.path()), folder.path().join("KR-K.wdl")).unwrap();
    let mut engine = greeted(&mut engine());
    for path in [folder.path().to_owned(), folder.path().join("KR-K.wdl")] {
        engine.say(format!("setoption egtbpaths {}\nisready", path.display()));
        let said = engine.lines_until("readyok");
        assert!(said.len() == 1 && said[0].contains("KR-K.wdl: cannot be read"), "{said:?}");
    }
    quit(engine);
}

#[test]
fn a_file_that_may_not_be_opened_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "private").unwrap();
    fs::set_permissions(&secret, Permissions::from_mode(0o000)).unwrap();
    if File::open(&secret).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let mut engine = greeted(&mut engine());
    for option in ["bookfiles", "evalapi", "logfile"] {
        engine.say(format!("setoption {option} {}\nisready", secret.display()));
        let said = engine.lines_until("readyok");
        assert!(said.len() == 1 && said[0].contains("ermission"), "{said:?}");
    }
    quit(engine);
}

#[test]
fn a_log_named_in_the_environment_is_a_regular_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = Program::start_as(engine().env("CHUHE_LOG", fifo(folder.path())));
    engine.say(format!("{SMALL}\nucci\nisready"));
    engine.lines_until("ucciok");
    let said = engine.lines_until("readyok");
    assert!(said.len() == 1 && said[0].contains("not a regular file"), "{said:?}");
    quit(engine);
}

/// Starts an engine whose output fills the pipe without being read.
fn unheard(first: &str) -> Program {
    let mut engine = Program::start();
    engine.say(format!("{SMALL}\nucci\n{first}{}", "isready\n".repeat(MANY)));
    engine
}

#[test]
fn every_signal_ends_an_engine_that_nobody_reads() {
    let signals = if hangups_are_ignored() { &["TERM", "INT"][..] } else { &["TERM", "INT", "HUP"] };
    for signal in signals {
        for first in ["", "setoption batch true\n"] {
            let mut engine = unheard(first);
            let killed = Command::new("kill").args([format!("-{signal}"), engine.id().to_string()]).status().unwrap();
            assert!(killed.success());
            let (status, took) = engine.end();
            assert!(status.success() && took < LONGEST_END, "{signal}: {status} after {took:?}");
            assert!(!engine.rest().ends_with("bye\n"), "it could say everything");
        }
    }
}

#[test]
fn quit_ends_an_engine_that_nobody_reads() {
    let mut engine = unheard("");
    engine.say("quit");
    let (status, took) = engine.end();
    assert!(status.success() && took < LONGEST_END, "{status} after {took:?}");
    assert!(!engine.rest().ends_with("bye\n"), "it could say everything");
}

#[test]
fn who_has_piped_a_batch_in_reads_the_answers_when_he_likes() {
    let mut engine = unheard("setoption batch true\n");
    engine.say("quit");
    thread::sleep(Duration::from_millis(2500));
    assert!(engine.is_running(), "somebody may still read");
    engine.lines_until("ucciok");
    assert_eq!(engine.lines_until("bye"), vec!["readyok"; MANY]);
    assert!(engine.end().0.success());
}

fn ends_soon(engine: &mut Child) {
    let since = Instant::now();
    while engine.try_wait().unwrap().is_none() {
        if since.elapsed() > LONGEST_END {
            engine.kill().unwrap();
            panic!("it still thinks");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_batch_is_given_up_when_nobody_is_left_to_hear_of_it() {
    let mut command = engine();
    let mut engine = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    write!(input, "{SMALL}\nucci\nsetoption batch true\ngo depth 90\ngo depth 90\n").unwrap();
    drop((input, engine.stdout.take()));
    ends_soon(&mut engine);
}

#[test]
fn a_search_that_nobody_can_hear_of_is_given_up_although_orders_could_still_come() {
    let mut engine = engine().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    write!(input, "{SMALL}\nuci\ngo infinite\n").unwrap();
    drop(engine.stdout.take());
    ends_soon(&mut engine);
    drop(input);
}

/// Returns a command that runs `before` in a shell, which then becomes the engine.
fn shell(before: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before}; exec \"$0\""), env!("CARGO_BIN_EXE_chuhe")]);
    command
}

#[test]
fn a_log_that_could_not_be_opened_can_be_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("logs/log");
    let mut engine = greeted(&mut engine());
    engine.say(format!("setoption logfile {}", log.display()));
    let complaint = engine.line();
    assert!(complaint.contains("no log: "), "{complaint}");
    fs::create_dir(folder.path().join("logs")).unwrap();
    engine.say(format!("setoption logfile {}\nisready", log.display()));
    assert_eq!(engine.line(), "readyok");
    quit(engine);
    assert!(fs::read_to_string(&log).unwrap().contains("isready"));
}

#[test]
fn what_is_said_in_one_breath_with_the_order_for_a_log_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut engine = greeted(&mut engine());
    let others = "setoption hashsize 2\nposition startpos\nisready";
    engine.say(format!("setoption logfile {}\n{others}", log.display()));
    assert_eq!(engine.line(), "readyok");
    quit(engine);
    let text = fs::read_to_string(&log).unwrap();
    let heard: Vec<_> = text.lines().filter_map(|line| Some(line.split_once(" << ")?.1)).collect();
    assert_eq!(heard, [others.lines().collect(), vec!["quit"]].concat(), "{text}");
}

#[test]
fn a_log_that_cannot_be_written_ends_and_the_engine_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // A limit of sixteen blocks stands for a full disk.
    let mut engine = greeted(shell("ulimit -f 16").stderr(Stdio::piped()));
    engine.say(format!("setoption logfile {}", log.display()));
    engine.say("isready\n".repeat(1000));
    let ends: Vec<String> = (0..=1000).map(|_| engine.line()).filter(|line| line != "readyok").collect();
    assert!(ends.len() == 1 && ends[0].contains("the log ends: "), "{ends:?}");
    let size = fs::metadata(&log).unwrap().len();
    assert!(size > 0 && size < 100_000, "{size}");
    engine.say("setoption logfile\nposition startpos\ngo depth 2");
    while !engine.line().starts_with("bestmove ") {}
    let mut errors = engine.errors();
    quit(engine);
    let mut said = String::new();
    errors.read_to_string(&mut said).unwrap();
    assert_eq!(said, "", "stderr is not for this");
}

#[test]
fn an_engine_greets_a_terminal_although_its_errors_go_nowhere() {
    let full_pipe = "{ head -c 65536 /dev/zero >&2; exec \"$0\"; } 2>&1 >/dev/tty | sleep 60";
    let full_disk = "exec \"$0\" 2>/dev/full";
    for script in [full_pipe, full_disk] {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_chuhe")]);
        let mut session = spawn_command(command, Some(TIMEOUT)).unwrap();
        session.send_line("ucci").unwrap();
        session.exp_string("ucciok").unwrap();
        session.send_line("quit").unwrap();
        session.exp_string("bye").unwrap();
    }
}

#[test]
fn streams_that_do_not_wait_are_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |name: &str| {
        let path = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path).unwrap()
    };
    let (mut input, output) = (stream("input"), stream("output"));
    let mut child = engine().stdin(input.try_clone().unwrap()).stdout(output.try_clone().unwrap()).spawn().unwrap();
    thread::sleep(Duration::from_millis(300));
    // The output exceeds the pipe's capacity and is not read for a while.
    input.write_all(format!("{SMALL}\nucci\nsetoption batch true\n").as_bytes()).unwrap();
    let lines = "isready\n".repeat(100).into_bytes();
    let writer = thread::spawn(move || {
        let mut input = Retrying(input);
        (0..MANY / 100).try_for_each(|_| input.write_all(&lines)).and_then(|()| input.write_all(b"quit\n")).unwrap();
    });
    thread::sleep(Duration::from_millis(1500));
    let lines = BufReader::new(Retrying(output)).lines().map(Result::unwrap);
    let said: Vec<String> =
        lines.skip_while(|line| line != "ucciok").skip(1).take_while(|line| line != "bye").collect();
    assert_eq!(said, vec!["readyok"; MANY]);
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
}

/// Writes a book that has one move, for the start position.
fn book(path: &Path) {
    book_with(path, "i0i1");
}

/// Writes a book that has the move `mv` for the start position.
fn book_with(path: &Path, mv: &str) {
    let (key, frame) = canonical(&Position::start(), Symmetry::default());
    let mut writer = Writer::new(File::create(path).unwrap(), About::default()).unwrap();
    writer.push(Record::new(key, frame.apply(mv.parse().unwrap()), 1)).unwrap();
    writer.finish().unwrap();
}

/// Returns the engine's answer in the start position.
fn first_move(engine: &mut Program) -> String {
    engine.say("position startpos\ngo depth 1");
    std::iter::repeat_with(|| engine.line()).find(|line| line.starts_with("bestmove ")).unwrap()
}

#[test]
fn a_book_that_is_cut_while_it_is_in_use_answers_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    book(&path);
    let mut engine = greeted(&mut engine());
    engine.say(format!("setoption bookfiles {}\nisready", path.display()));
    assert_eq!(engine.lines_until("readyok"), [""; 0]);
    for length in [None, Some(5000), Some(0)] {
        if let Some(length) = length {
            OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
        }
        assert_eq!(first_move(&mut engine), "bestmove i0i1", "cut to {length:?}");
    }
    engine.say("setoption loadbook\nisready");
    let said = engine.lines_until("readyok");
    assert!(said.len() == 1 && said[0].contains("a.book"), "{said:?}");
    quit(engine);
}

#[test]
fn databases_of_other_programs_are_books() {
    for name in ["small.obk", "small.pfBook"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/books").join(name);
        let mut engine = greeted(&mut engine());
        engine.say(format!("setoption bookfiles {}\nsetoption bookchoice best\nisready", path.display()));
        assert_eq!(engine.lines_until("readyok"), [""; 0], "{name}");
        assert_eq!(first_move(&mut engine), "bestmove h2e2 ponder h9g7", "{name}");
        engine.say("position startpos moves b2d2\ngo depth 1");
        assert_eq!(engine.lines_until("bestmove h9g7").last().unwrap(), "info depth 0 score 12 pv h9g7", "{name}");
        quit(engine);
    }
}

#[test]
fn a_new_game_opens_the_book_anew() {
    let folder = tempfile::tempdir().unwrap();
    let [path, next] = ["a.book", "b.book"].map(|name| folder.path().join(name));
    book(&path);
    let mut engine = greeted(&mut engine());
    engine.say(format!("setoption bookfiles {}", path.display()));
    for (word, mv) in [("setoption newgame", "i0i2"), ("ucinewgame", "i3i4")] {
        let before = first_move(&mut engine);
        book_with(&next, mv);
        fs::rename(&next, &path).unwrap();
        assert_eq!(first_move(&mut engine), before, "an open book stays open");
        engine.say(word);
        assert_eq!(first_move(&mut engine), format!("bestmove {mv}"), "{word}");
    }
    fs::remove_file(&path).unwrap();
    for messages in [1, 0] {
        engine.say("setoption newgame\nisready");
        let said = engine.lines_until("readyok");
        assert!(said.len() == messages && said.iter().all(|line| line.contains("a.book")), "{said:?}");
    }
    quit(engine);
}
