//! Response time: from `stop` to `bestmove`, and one hundred moves on a clock of one second.
//!
//! The benchmark drives the real binary, so the figures include pipes and threads. It prints them, and fails if an answer is
//! missing or the clock runs out.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const STOPS: usize = 200;
const MOVES: usize = 100;
const CLOCK: Duration = Duration::from_secs(1);
/// Long enough for all workers to be deep in the search.
const WARM_UP: Duration = Duration::from_millis(20);

struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(threads: usize) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo has built the engine");
        let input = process.stdin.take().expect("asked for a pipe");
        let output = BufReader::new(process.stdout.take().expect("asked for a pipe")).lines();
        let mut engine = Self { process, input, output };
        engine.send("ucci");
        engine.wait_for("ucciok");
        engine.send("setoption usebook false");
        engine.send("setoption hashsize 64");
        engine.send(&format!("setoption threads {threads}"));
        engine.send("isready");
        engine.wait_for("readyok");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine reads");
    }

    fn wait_for(&mut self, word: &str) -> String {
        loop {
            let line = self.output.next().expect("the engine has not ended").expect("its output is text");
            if line.split(' ').next() == Some(word) {
                return line;
            }
        }
    }

    fn quit(mut self) {
        self.send("quit");
        self.wait_for("bye");
        assert!(self.process.wait().expect("the engine ends").success());
    }
}

/// Measures the time from `stop` to `bestmove` many times.
fn stops(threads: usize) {
    let mut engine = Engine::start(threads);
    let mut latencies: Vec<Duration> = (0..STOPS)
        .map(|_| {
            engine.send("go infinite");
            thread::sleep(WARM_UP);
            let stopped = Instant::now();
            engine.send("stop");
            engine.wait_for("bestmove");
            stopped.elapsed()
        })
        .collect();
    engine.quit();
    latencies.sort_unstable();
    let at = |percent: usize| latencies[(STOPS * percent / 100).min(STOPS - 1)];
    println!(
        "stop to bestmove, {threads} thread(s), {STOPS} times: median {:?}, 90 % {:?}, 99 % {:?}, max {:?}",
        at(50),
        at(90),
        at(99),
        at(100)
    );
}

/// Plays one hundred moves in a row on one clock without increment.
fn shrinking_clock(threads: usize) {
    let mut engine = Engine::start(threads);
    let mut left = CLOCK;
    let mut slowest = Duration::ZERO;
    for number in 1..=MOVES {
        let asked = Instant::now();
        engine.send(&format!("go time {} increment 0", left.as_millis()));
        engine.wait_for("bestmove");
        let spent = asked.elapsed();
        slowest = slowest.max(spent);
        left = left.checked_sub(spent).unwrap_or_else(|| panic!("the clock is overrun at move {number}"));
    }
    engine.quit();
    println!(
        "{MOVES} moves on {CLOCK:?} without increment, {threads} thread(s): {left:?} left, slowest move {slowest:?}"
    );
}

fn main() {
    for threads in [1, 2] {
        stops(threads);
    }
    for threads in [1, 2] {
        shrinking_clock(threads);
    }
}
