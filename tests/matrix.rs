//! Every command in every state, in both protocols: each cell of `tests/data/matrix.tsv` is tested on the real engine.

use std::collections::BTreeSet;
use std::process::Command as Process;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use chuhe::engine::event::{Command, Dialect, View};
use chuhe::protocol::Interpreter;
use conformance::Pattern;
use conformance::engine::Engine;

#[path = "../tools/engines/src/conformance/mod.rs"]
#[expect(dead_code, reason = "the cells are not transcripts")]
mod conformance;

const MATRIX: &str = include_str!("data/matrix.tsv");
const STATES: [&str; 6] = ["boot", "idle", "thinking", "pondering", "holding", "batch"];
const DIALECTS: [&str; 2] = ["ucci", "uci"];
const END_OF_INPUT: &str = "end of input";

/// Timeout after which a cell fails.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Period of silence, longer than the time of a ponder search after the hit.
const SILENCE: Duration = Duration::from_millis(250);
/// Longest time an engine may take to quit, with eight of them on a busy machine; `benches/stop.rs` measures that time.
const END: Duration = Duration::from_secs(20);
/// Number of cells tested at once; most of the time of a cell is waiting.
const AT_ONCE: usize = 8;

fn matches(pattern: &str, line: &str) -> bool {
    Pattern::new(pattern).expect("a pattern").matches(line)
}

/// A cell of the table, for one dialect.
#[derive(Clone, Copy)]
struct Cell<'a> {
    command: &'a str,
    state: &'a str,
    dialect: &'a str,
    said: &'a str,
    then: &'a str,
    shown_by: &'a str,
}

/// Returns the cells of the table; a cell for any dialect is listed once for each.
fn cells() -> Vec<Cell<'static>> {
    let mut cells = vec![];
    for line in MATRIX.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split('\t').collect();
        let [command, state, named, said, then, shown_by] = fields[..] else { panic!("{line} has not six fields") };
        let dialects = DIALECTS.iter().filter(|dialect| named == "any" || named == **dialect);
        cells.extend(dialects.map(|dialect| Cell { command, state, dialect, said, then, shown_by }));
    }
    cells
}

fn kind(command: &Command) -> &'static str {
    match command {
        Command::Handshake(Dialect::Ucci) => "ucci",
        Command::Handshake(Dialect::Uci) => "uci",
        Command::IsReady => "isready",
        Command::SetOption { .. } => "setoption",
        Command::Debug(_) => "debug",
        Command::Position(_) => "position",
        Command::BanMoves(_) => "banmoves",
        Command::Go(_) => "go",
        Command::Perft { .. } => "go perft",
        Command::Stop => "stop",
        Command::PonderHit { draw: false } => "ponderhit",
        Command::PonderHit { draw: true } => "ponderhit draw",
        Command::Probe(_) => "probe",
        Command::DoMove(_) => "domove",
        Command::Quit => "quit",
        Command::Show(View::Board(_)) => "d",
        // Not accepted from a pipe.
        Command::Show(_) | Command::Flip | Command::Terminal(_) => "a terminal command",
    }
}

/// All the values that [`kind`] returns, and the kinds of lines that are not commands.
const KINDS: [&str; 19] = [
    "ucci",
    "uci",
    "isready",
    "setoption",
    "debug",
    "position",
    "banmoves",
    "go",
    "go perft",
    "d",
    "stop",
    "ponderhit",
    "ponderhit draw",
    "probe",
    "domove",
    "quit",
    "a fault",
    "nothing",
    END_OF_INPUT,
];

fn kind_of(line: &str) -> &'static str {
    if line == END_OF_INPUT {
        return END_OF_INPUT;
    }
    match Interpreter::default().parse(line.as_bytes()).first() {
        Some(Ok(command)) => kind(command),
        Some(Err(_)) => "a fault",
        None => "nothing",
    }
}

#[test]
fn no_cell_is_missing() {
    let cells = cells();
    for wanted in KINDS {
        for state in STATES {
            for dialect in DIALECTS {
                let is_it =
                    |cell: &&Cell| (kind_of(cell.command), cell.state, cell.dialect) == (wanted, state, dialect);
                assert!(cells.iter().any(|cell| is_it(&cell)), "no cell for {wanted} when {state} in {dialect}");
            }
        }
    }
    let known: BTreeSet<_> = STATES.into_iter().collect();
    assert!(cells.iter().all(|cell| known.contains(cell.state)), "a state that is none");
}

#[test]
fn every_cell_is_as_the_matrix_says() {
    let queue = Mutex::new(cells().into_iter());
    let failures = Mutex::new(vec![]);
    let next = || queue.lock().expect("no thread panics while it holds the lock").next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(cell) = next() {
                    if let Err(failure) = cell.play() {
                        let Cell { command, state, dialect, .. } = cell;
                        let failure = format!("{command:?} when {state} in {dialect}: {failure}");
                        failures.lock().expect("no thread panics while it holds the lock").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panics while it holds the lock");
    assert!(failures.is_empty(), "{} cells went wrong\n{}", failures.len(), failures.join("\n"));
}

impl Cell<'_> {
    fn play(self) -> Result<(), String> {
        let mut partner = Partner::start();
        partner.lead_to(self.state, self.dialect)?;
        let expected: Vec<_> = if self.said == "-" { vec![] } else { self.said.split(" / ").collect() };
        let said = match self.then {
            "over" => partner.last_words(self.command)?,
            _ => partner.exchange(self.command, &expected)?,
        };
        if !is_as_expected(&said, &expected) {
            return Err(format!("{said:?} instead of {expected:?}"));
        }
        if self.then == "over" {
            return Ok(());
        }
        let answers = said.iter().filter(|line| is_answer(line)).count();
        partner.answers += answers;
        partner.is_in(self.then, self.dialect)?;
        partner.shows(self.shown_by)?;
        partner.counts_its_answers()
    }
}

fn is_as_expected(said: &[String], expected: &[&str]) -> bool {
    match expected.iter().position(|pattern| *pattern == "...") {
        None => said.len() == expected.len() && said.iter().zip(expected).all(|(line, wanted)| matches(wanted, line)),
        Some(gap) => {
            let (before, after) = (&expected[..gap], &expected[gap + 1..]);
            said.len() >= before.len() + after.len()
                && is_as_expected(&said[..gap], before)
                && is_as_expected(&said[said.len() - after.len()..], after)
        }
    }
}

fn is_answer(line: &str) -> bool {
    matches("*bestmove*", line)
}

/// Whether a line reports on a search or, in debug mode, on an understood command.
fn is_progress(line: &str) -> bool {
    let is_message = matches("info message * || info string *", line);
    line.starts_with("info ") && (!is_message || matches("info message debug: * || info string debug: *", line))
}

/// The engine, and the number of answers expected so far.
struct Partner {
    engine: Engine,
    answers: usize,
}

impl Partner {
    fn start() -> Self {
        let engine = Engine::start(Process::new(env!("CARGO_BIN_EXE_chuhe"))).expect("cargo has built it");
        Self { engine, answers: 0 }
    }

    fn send(&mut self, line: &str) {
        self.engine.send_raw(format!("{line}\n").as_bytes());
    }

    fn wait_for(&mut self, pattern: &str) -> Result<(), String> {
        let line = self.engine.expect(|line| matches(pattern, line), TIMEOUT);
        line.map(drop).map_err(|error| format!("no {pattern}: {error}"))
    }

    /// Waits for the answer to a `go`, and counts it.
    fn answers(&mut self) -> Result<(), String> {
        self.answers += 1;
        self.wait_for("*bestmove*")
    }

    fn lead_to(&mut self, state: &str, dialect: &str) -> Result<(), String> {
        if state == "boot" {
            return Ok(());
        }
        self.greet(dialect)?;
        self.send("setoption hashsize 1");
        self.send("setoption usebook false");
        match state {
            "idle" => self.send("position startpos"),
            "thinking" => self.send("go infinite"),
            "pondering" => self.send("go ponder time 100 movestogo 1"),
            "holding" => {
                self.send("position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
                self.send("go ponder depth 1");
                // The effort of the whole search is reported when it is over.
                return self.wait_for("info time * || info nodes *");
            }
            "batch" => {
                self.send("setoption batch on");
                self.send("go time 200 movestogo 1");
                return Ok(());
            }
            _ => return Err(format!("{state} is not a state")),
        }
        self.send("isready");
        self.wait_for("readyok")
    }

    fn greet(&mut self, dialect: &str) -> Result<(), String> {
        self.send(dialect);
        self.wait_for("ucciok || uciok")
    }

    /// Sends a line and returns the replies: all of them until the engine is ready and as many as expected have come.
    fn exchange(&mut self, line: &str, expected: &[&str]) -> Result<Vec<String>, String> {
        self.send(&line.replace("\\n", "\n"));
        self.send("isready");
        let mut said: Vec<String> = vec![];
        let is_ready = |line: &String| line == "readyok";
        while said.len() <= expected.len() || !said.iter().any(is_ready) {
            let line = self.engine.expect(|line| !is_progress(line), TIMEOUT);
            said.push(line.map_err(|error| format!("{said:?}, then {error}"))?);
        }
        let ready = said.iter().rposition(is_ready).expect("the loop has seen it");
        said.remove(ready);
        Ok(said)
    }

    /// Sends a line that ends the process, and returns the replies.
    fn last_words(&mut self, line: &str) -> Result<Vec<String>, String> {
        if line == END_OF_INPUT {
            self.engine.close_input();
        } else {
            self.send(line);
        }
        let mut said = vec![];
        while let Ok(line) = self.engine.expect(|line| !is_progress(line), TIMEOUT) {
            said.push(line);
        }
        match self.engine.wait_exit(END) {
            Some(status) if status.success() => Ok(said),
            status => Err(format!("ended with {status:?} after {said:?}")),
        }
    }

    /// Checks that the engine is in this state, and leads it to the idle state.
    fn is_in(&mut self, state: &str, dialect: &str) -> Result<(), String> {
        let silent = |partner: &mut Self, time| {
            let broken = partner.engine.overhear(is_answer, time);
            broken.map_or(Ok(()), |line| Err(format!("{line:?} when it should be {state}")))
        };
        match state {
            "boot" => {
                let said = self.exchange("stop\nponderhit\nprobe startpos", &[])?;
                if !said.is_empty() {
                    return Err(format!("{said:?} before the greeting"));
                }
                self.greet(dialect)?;
                self.send("setoption usebook false");
                Ok(())
            }
            "idle" => {
                self.send("go depth 1");
                self.answers()
            }
            "thinking" => {
                self.send("ponderhit");
                silent(self, SILENCE)?;
                self.send("stop");
                self.answers()
            }
            "pondering" | "holding" => {
                silent(self, SILENCE)?;
                self.send("ponderhit");
                self.answers()
            }
            _ => Err(format!("{state} is not a state")),
        }
    }

    fn shows(&mut self, proof: &str) -> Result<(), String> {
        let Some((line, pattern)) = proof.split_once(" => ") else { return Ok(()) };
        let expected: Vec<&str> = if pattern == "-" { vec![] } else { pattern.split(" / ").collect() };
        let mut said = self.exchange(line, &expected)?;
        // The hit by which a state was recognised has waited behind an option that makes the engine talkative.
        said.retain(|line| !line.ends_with("ignored in this state"));
        self.answers += said.iter().filter(|line| is_answer(line)).count();
        if is_as_expected(&said, &expected) { Ok(()) } else { Err(format!("{said:?} to {line:?} at the end")) }
    }

    fn counts_its_answers(&mut self) -> Result<(), String> {
        self.send("isready");
        self.wait_for("readyok")?;
        let given = self.engine.seen().iter().filter(|line| is_answer(line)).count();
        if given == self.answers { Ok(()) } else { Err(format!("{given} answers instead of {}", self.answers)) }
    }
}
