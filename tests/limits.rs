//! The engine when the system refuses it threads or memory: it plays with what it gets, and reports what it did not get.
//! Also which of its threads request short time slices from the scheduler.
//!
//! These tests run the real binary under system limits. A test whose limit cannot be set or read says so and is skipped.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// User id that owns no other processes.
const USER: u32 = 54_321;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts `command`, which runs the engine, and turns its book off.
    fn start(command: &mut Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut engine = Self { process, input, output };
        engine.say("ucci\nsetoption usebook false");
        engine.until("ucciok");
        engine
    }

    fn say(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").expect("the engine reads");
    }

    /// Returns all lines up to and including the one whose first word is `word`.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.output.next().expect("the engine has not ended").unwrap();
            said.push(line);
            if said.last().is_some_and(|line| line.split(' ').next() == Some(word)) {
                return said;
            }
        }
    }

    /// Sends these lines and `isready`, and returns the messages before `readyok`.
    fn messages(&mut self, lines: &str) -> Vec<String> {
        self.say(&format!("{lines}\nisready"));
        self.until("readyok").into_iter().filter(|line| line.starts_with("info message")).collect()
    }

    /// Plays from the start position with several kinds of `go`, and starts a new game in between.
    fn plays(&mut self) {
        for go in [
            "go depth 4",
            "go time 100",
            "go nodes 3000",
            "go time 5",
            "go infinite\nstop",
            "go ponder time 90\nponderhit",
        ] {
            self.say(&format!("setoption newgame\nposition startpos\n{go}"));
            let mut said = self.until("bestmove");
            let answer = said.pop().unwrap();
            assert!(!said.iter().any(|line| line.starts_with("info message")), "said once already: {said:?}");
            assert!(answer.starts_with("bestmove "), "{go}: {answer}");
        }
    }

    /// Returns the time slices of its threads in nanoseconds, by thread name; empty if the system does not report them.
    fn turns(&self) -> BTreeMap<String, u64> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
        let turn = |folder: PathBuf| {
            let printed = fs::read_to_string(folder.join("sched")).ok()?;
            let (_, turn) = printed.lines().find(|line| line.starts_with("se.slice "))?.split_once(':')?;
            Some((fs::read_to_string(folder.join("comm")).ok()?.trim().to_owned(), turn.trim().parse().ok()?))
        };
        threads.filter_map(|thread| turn(thread.ok()?.path())).collect()
    }

    fn quits(mut self) {
        self.say("quit");
        self.until("bye");
        assert!(self.process.wait().unwrap().success());
    }
}

/// Runs the engine as a user who may have at most `most` threads; none if that limit cannot be set here.
fn with_threads(most: u32) -> Option<(Engine, tempfile::TempDir)> {
    let limit = ["--reuid", &USER.to_string(), "--clear-groups", "--", "prlimit", &format!("--nproc={most}")]
        .map(str::to_owned);
    let possible = Command::new("setpriv").args(&limit).arg("true").stderr(Stdio::null()).status();
    if !possible.is_ok_and(|status| status.success()) {
        eprintln!("skipped: the number of threads cannot be limited here");
        return None;
    }
    // In a folder where any user may start it.
    let folder = tempfile::tempdir().unwrap();
    let program: PathBuf = folder.path().join("chuhe");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Copied by a separate process: a program that is open for writing cannot be started, and a process that another test
    // starts meanwhile would keep our copy open for a moment.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_chuhe")).arg(&program).status();
    assert!(copied.unwrap().success());
    Some((Engine::start(Command::new("setpriv").args(&limit).arg(program)), folder))
}

/// A single test for all cases, because the limit counts the threads of all engines that run at the same time.
#[test]
fn fewer_threads_than_wanted_are_made_use_of() {
    // The engine itself needs four threads: the controller, the time manager, the reader, and one for signals.
    for (most, workers) in [(6, 2), (5, 1), (4, 0)] {
        let Some((mut engine, _folder)) = with_threads(most) else { return };
        let messages = engine.messages("setoption hashsize 64\nsetoption threads 4");
        let expected = format!("only {workers} of 4 threads could be started");
        assert!(messages.iter().any(|line| line.contains(&expected)), "{messages:?}");
        engine.plays();
        engine.quits();
    }
}

/// Runs the engine with an address space of this many mebibytes; none if that limit cannot be set here.
fn within(mebibytes: usize) -> Option<Engine> {
    limited("-v", mebibytes)
}

/// Runs the engine with this option of `ulimit` set to a number of mebibytes; none if that limit cannot be set here.
fn limited(option: &str, mebibytes: usize) -> Option<Engine> {
    let limit = format!("ulimit {option} {} && exec \"$0\"", mebibytes << 10);
    let possible = Command::new("sh").args(["-c", &limit, "true"]).stderr(Stdio::null()).status();
    if !possible.is_ok_and(|status| status.success()) {
        eprintln!("skipped: the memory cannot be limited here");
        return None;
    }
    Some(Engine::start(Command::new("sh").args(["-c", &limit, env!("CARGO_BIN_EXE_chuhe")])))
}

/// Returns the size of the table that the engine reports instead of the requested one, in mebibytes. The last message
/// counts: the table can shrink again to make room for a worker.
fn had(messages: &[String]) -> usize {
    let mut sizes =
        messages.iter().map(|message| message.split_once("the table has ").expect("it says what there is").1);
    let size = sizes.next_back().expect("it says something");
    size.trim_end_matches(" MiB").parse().unwrap()
}

#[test]
fn the_first_table_is_the_largest_that_the_address_space_holds() {
    let Some(mut engine) = within(1500) else { return };
    let messages = engine.messages("setoption threads 2\nsetoption hashsize 8000");
    let mebibytes = had(&messages);
    assert!((500..1500).contains(&mebibytes), "{messages:?}");
    engine.plays();
    // From now on there is a table that can be kept.
    assert_eq!(had(&engine.messages("setoption hashsize 9000")), mebibytes);
    engine.plays();
    engine.quits();
}

#[test]
fn the_first_table_is_as_large_however_much_too_much_was_wanted() {
    // The memory that the C library uses for threads varies.
    const MARGIN: usize = 200;
    let mut sizes = Vec::new();
    for wanted in [1400, 1700, 3000, 8000] {
        let Some(mut engine) = within(1500) else { return };
        engine.say(&format!("setoption hashsize {wanted}\nposition startpos"));
        engine.say("go depth 1");
        let said = engine.until("bestmove");
        let messages: Vec<_> = said.into_iter().filter(|line| line.starts_with("info message")).collect();
        sizes.push(had(&messages));
        engine.quits();
    }
    let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    assert!(most - least < MARGIN, "{sizes:?}");
}

#[test]
fn a_worker_has_its_memory_whatever_the_table_has_taken() {
    // Some of these sizes fit but leave less than a worker needs; which ones depends on the C library.
    let mut times = 0;
    for second in (1000..1350).step_by(50) {
        let Some(mut engine) = within(1500) else { return };
        engine.say(&format!("setoption hashsize 16\nsetoption hashsize {second}\nposition startpos\ngo depth 1"));
        let said = engine.until("bestmove");
        assert!(!said.iter().any(|line| line.contains("could be started")), "{second}: {said:?}");
        let made_room = format!("info message no memory for a thread beside {second} MiB; the table has ");
        for message in said.iter().filter(|line| line.starts_with(&made_room)) {
            let left = had(std::slice::from_ref(message));
            assert!((second / 2..second).contains(&left), "{message}");
            times += 1;
        }
        engine.plays();
        engine.quits();
    }
    assert!(times > 0, "a worker needs more than lies between two of these sizes");
}

#[test]
fn another_table_need_not_fit_beside_the_old_one() {
    let Some(mut engine) = within(1500) else { return };
    for size in [700, 800, 650, 900] {
        engine.say(&format!("setoption hashsize {size}\nposition startpos\ngo depth 1"));
        let said = engine.until("bestmove");
        assert!(!said.iter().any(|line| line.starts_with("info message")), "{size}: {said:?}");
    }
    engine.quits();
}

#[test]
fn a_search_without_the_memory_for_mates_is_a_search() {
    // This limit counts writable memory: there is no room for a worker or for the memory of the mate search.
    let Some(mut engine) = limited("-d", 32) else { return };
    let messages = engine.messages("setoption hashsize 1");
    assert!(messages.iter().any(|line| line.contains("only 0 of 1 threads")), "{messages:?}");
    engine.say("position startpos\ngo depth 4");
    let said = engine.until("bestmove");
    assert!(said.iter().any(|line| line.starts_with("info depth 4 ")), "{said:?}");
    engine.plays();
    engine.quits();
}

#[test]
fn an_address_space_without_room_for_all_workers_has_some_or_none() {
    for mebibytes in [300, 400, 700] {
        let Some(mut engine) = within(mebibytes) else { return };
        let messages = engine.messages("setoption hashsize 16\nsetoption threads 64");
        assert!(messages.iter().any(|line| line.contains("of 64 threads could be started")), "{messages:?}");
        engine.plays();
        engine.quits();
    }
}

#[test]
fn who_waits_asks_for_short_turns_and_who_works_does_not() {
    let mut engine = Engine::start(&mut Command::new(env!("CARGO_BIN_EXE_chuhe")));
    engine.messages("setoption threads 2");
    engine.plays();
    let turns = engine.turns();
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    if (numbers.next(), numbers.next()) < (Some(6), Some(12)) || turns.is_empty() {
        eprintln!("skipped: this system gives no short turns, or does not tell");
        return;
    }
    let of = |name: &str| turns.get(name).unwrap_or_else(|| panic!("no thread is called {name}: {turns:?}"));
    for waits in ["chuhe", "reader", "time"] {
        for works in ["worker 0", "worker 1"] {
            assert!(of(waits) < of(works), "{turns:?}");
        }
    }
    engine.quits();
}
