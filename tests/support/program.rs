//! The engine as a program of its own, at the other end of three pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A wait that ends in failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ends with its owner, whatever it is doing.
pub(crate) struct Program {
    child: Child,
    input: ChildStdin,
    output: Option<ChildStdout>,
    /// Lines, once somebody reads them.
    lines: Option<Receiver<String>>,
}

impl Program {
    /// The engine as it is.
    pub(crate) fn start() -> Self {
        Self::start_as(&mut Command::new(env!("CARGO_BIN_EXE_chuhe")))
    }

    /// The engine by this command; whoever wants something of its stderr says so there.
    pub(crate) fn start_as(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take());
        Self { child, input, output, lines: None }
    }

    pub(crate) fn say(&mut self, text: impl AsRef<[u8]>) {
        self.input.write_all(text.as_ref()).and_then(|()| self.input.write_all(b"\n")).unwrap();
    }

    /// The next line. From the first one on all are read.
    pub(crate) fn line(&mut self) -> String {
        let output = &mut self.output;
        let lines = self.lines.get_or_insert_with(|| {
            let (sender, lines) = channel();
            let output = BufReader::new(output.take().unwrap());
            // Nobody need hear the lines behind the last one that is asked for.
            thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
            lines
        });
        lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// The lines before this one, which has to come.
    pub(crate) fn lines_until(&mut self, last: &str) -> Vec<String> {
        let lines = std::iter::repeat_with(|| self.line());
        lines.take_while(|line| line != last).collect()
    }

    /// What nobody has read.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.take().expect("nobody reads").read_to_string(&mut rest).unwrap();
        rest
    }

    pub(crate) fn errors(&mut self) -> ChildStderr {
        self.child.stderr.take().expect("the command has a pipe there")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end, and returns how it ended and how long that took.
    pub(crate) fn end(&mut self) -> (ExitStatus, Duration) {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, started.elapsed());
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the engine does not end");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether we are to ignore hangups ourselves, as under nohup(1), and so whatever we start.
pub(crate) fn hangups_are_ignored() -> bool {
    Command::new("sh").args(["-c", "kill -HUP $$"]).status().unwrap().success()
}
