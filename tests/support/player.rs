//! An engine that plays games over UCCI. Knows the protocol and the time an answer takes, judges no position.

use std::process::Command;
use std::time::{Duration, Instant};

use super::engine::{Engine, NoLine};
use super::game::Failure;

/// For what an engine does before a game and after it.
const HOUSEKEEPING: Duration = Duration::from_secs(10);

/// An engine that can be started.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) name: String,
    /// The program and its arguments.
    pub(crate) program: Vec<String>,
    /// So much later than its clock allows may an answer come.
    pub(crate) margin: Duration,
}

impl Contestant {
    /// A program with arguments, separated by blanks, named after its file.
    pub(crate) fn new(command: &str, margin: Duration) -> Self {
        let program: Vec<_> = command.split_whitespace().map(str::to_owned).collect();
        let file = program.first().expect("a command names a program").rsplit('/').next().unwrap_or_default();
        Self { name: file.to_owned(), program, margin }
    }
}

/// What both players have left, and what each move adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) own: Duration,
    pub(crate) other: Duration,
    pub(crate) increment: Duration,
}

/// An answer to `go`.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The first word behind `bestmove`, or all of the line if it offers no move.
    pub(crate) mv: String,
    pub(crate) resigns: bool,
    /// From the command to the answer.
    pub(crate) elapsed: Duration,
}

/// A contestant's running process.
pub(crate) struct Player {
    engine: Engine,
    /// What this engine understands as the beginning of a game.
    new_game: &'static str,
}

impl Player {
    /// Starts the process and sets one thread, a small table and milliseconds.
    pub(crate) fn start(contestant: &Contestant) -> Result<Self, Failure> {
        let (program, arguments) = contestant.program.split_first().expect("a contestant has a program");
        let engine = Engine::start(Command::new(program).args(arguments))
            .unwrap_or_else(|error| panic!("{program} cannot be started: {error}"));
        let mut player = Self { engine, new_game: "uccinewgame" };
        player.ask("ucci", "ucciok")?;
        // Names of UCCI and of engines that took theirs over from UCI.
        for (option, value) in [
            ("usemillisec", "true"),
            ("usebook", "false"),
            ("threads", "1"),
            ("Threads", "1"),
            ("hashsize", "16"),
            ("Hash", "16"),
        ] {
            if player.announces(option) {
                player.engine.send(&format!("setoption {option} {value}"));
            }
        }
        if player.announces("newgame") {
            player.new_game = "setoption newgame";
        }
        Ok(player)
    }

    /// Prepares for a game.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        self.engine.send(self.new_game);
        self.ask("isready", "readyok")
    }

    /// Lets the engine think about `position`, at most `patience` longer than its clock allows.
    pub(crate) fn think(&mut self, position: &str, clock: Clock, patience: Duration) -> Result<Answer, Failure> {
        if let Some(line) = self.engine.pending().into_iter().find(|line| is_answer(line)) {
            return Err(Failure::Unasked(line));
        }
        self.engine.send(position);
        let [own, other, increment] = [clock.own, clock.other, clock.increment].map(|time| time.as_millis());
        let asked = Instant::now();
        self.engine.send(&format!("go time {own} increment {increment} opptime {other} oppincrement {increment}"));
        let answer = self.engine.expect_line(is_answer, clock.own + patience);
        let line = answer.map_err(|error| self.failure(&error))?;
        let mut words = line.text.split_whitespace();
        let mv = if words.next() == Some("bestmove") { words.next() } else { None };
        Ok(Answer {
            mv: mv.unwrap_or(&line.text).to_owned(),
            resigns: words.any(|word| word == "resign"),
            elapsed: line.read_at.duration_since(asked),
        })
    }

    /// Ends the process in the orderly way.
    pub(crate) fn quit(mut self) -> Result<(), Failure> {
        self.engine.send("quit");
        match self.engine.wait_exit(HOUSEKEEPING) {
            None => Err(Failure::Hang("after quit".to_owned())),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Failure::Crash(format!("after quit: {status}, {}", self.engine.errors()))),
        }
    }

    /// The end of the conversation, for the report of a failure.
    pub(crate) fn last_lines(&self) -> &[String] {
        let seen = self.engine.seen();
        &seen[seen.len().saturating_sub(5)..]
    }

    fn ask(&mut self, question: &str, answer: &str) -> Result<(), Failure> {
        self.engine.send(question);
        match self.engine.expect(|line| line.trim() == answer, HOUSEKEEPING) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.failure(&error)),
        }
    }

    fn announces(&self, option: &str) -> bool {
        let mut lines = self.engine.seen().iter().map(|line| line.split_whitespace());
        lines.any(|mut words| words.next() == Some("option") && words.next() == Some(option))
    }

    fn failure(&mut self, error: &NoLine) -> Failure {
        match error {
            NoLine::Timeout { .. } => Failure::Hang(error.to_string()),
            NoLine::Ended { .. } => Failure::Crash(format!("{error}, {}", self.engine.errors())),
        }
    }
}

fn is_answer(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("bestmove" | "nobestmove"))
}
