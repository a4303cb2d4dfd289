//! The engine as a separate process, connected by three pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout after which a test fails.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A running engine process, killed when dropped.
pub(crate) struct Program {
    child: Child,
    input: ChildStdin,
    output: Option<ChildStdout>,
    /// Queue of output lines, once reading has begun.
    lines: Option<Receiver<String>>,
}

impl Program {
    /// Starts the engine without arguments.
    pub(crate) fn start() -> Self {
        Self::start_as(&mut Command::new(env!("CARGO_BIN_EXE_chuhe")))
    }

    /// Starts the engine with this command, which also decides where stderr goes.
    pub(crate) fn start_as(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take());
        Self { child, input, output, lines: None }
    }

    pub(crate) fn say(&mut self, text: impl AsRef<[u8]>) {
        self.input.write_all(text.as_ref()).and_then(|()| self.input.write_all(b"\n")).unwrap();
    }

    /// Returns the next line. The first call starts a thread that reads all lines.
    pub(crate) fn line(&mut self) -> String {
        let output = &mut self.output;
        let lines = self.lines.get_or_insert_with(|| {
            let (sender, lines) = channel();
            let output = BufReader::new(output.take().unwrap());
            // Lines after the last one that a test reads may be dropped.
            thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
            lines
        });
        lines.recv_timeout(TIMEOUT).expect("the engine answers")
    }

    /// Returns the lines before `last`, which has to come.
    pub(crate) fn lines_until(&mut self, last: &str) -> Vec<String> {
        let lines = std::iter::repeat_with(|| self.line());
        lines.take_while(|line| line != last).collect()
    }

    /// Returns the whole output; fails if lines have been read before.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.take().expect("the output has no other reader").read_to_string(&mut rest).unwrap();
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

    /// Waits for the engine's end, and returns its exit status and how long that took.
    pub(crate) fn end(&mut self) -> (ExitStatus, Duration) {
        let started = Instant::now();
        while started.elapsed() < TIMEOUT {
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

/// Whether this process and its children ignore hangups, as under nohup(1).
pub(crate) fn hangups_are_ignored() -> bool {
    Command::new("sh").args(["-c", "kill -HUP $$"]).status().unwrap().success()
}
