//! An engine process with pipes. Handles lines and time, not protocols.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// Reason why an expected line did not come.
#[derive(Debug)]
pub(crate) enum NoLine {
    /// The process is running but has not written the line.
    Timeout { waited: Duration, last: Option<String> },
    /// The process has closed its output.
    Ended { status: Option<ExitStatus>, last: Option<String> },
}

impl fmt::Display for NoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout { waited, last } => write!(f, "no such line within {waited:?}, the last one was {last:?}"),
            Self::Ended { status, last } => write!(f, "the output ended ({status:?}), the last line was {last:?}"),
        }
    }
}

impl std::error::Error for NoLine {}

/// Maximum number of waiting lines to read after the deadline.
const MOST_WAITING: u32 = 10_000;

/// Time that a process may take to exit after its output has ended.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// A running process; killed when dropped, with all processes that it has started.
pub(crate) struct Engine {
    child: Box<dyn ChildWrapper>,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    seen: Vec<String>,
}

impl Engine {
    /// Starts any program, with its arguments and environment.
    pub(crate) fn start(mut command: Command) -> std::io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let mut child = command.spawn()?;
        let input = child.stdin().take();
        let stdout = child.stdout().take().expect("asked for a pipe");
        let mut stderr = child.stderr().take().expect("asked for a pipe");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || forward(BufReader::new(stdout), &sender));
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            // A broken pipe ends the text like a closed one.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Self { child, input, output, errors: Some(errors), seen: Vec::new() })
    }

    /// Returns the process ID, which is also that of the process group.
    #[allow(dead_code, reason = "the engine's own tests have no watchdog")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes these bytes and nothing else.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // The caller notices a dead process when it waits for an answer.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Skips lines until one satisfies `wanted`.
    pub(crate) fn expect(&mut self, wanted: impl Fn(&str) -> bool, limit: Duration) -> Result<String, NoLine> {
        let deadline = Instant::now() + limit;
        // Lines that wait at the deadline came in time, but a flood would never end.
        let mut late = 0;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            late += u32::from(left.is_zero());
            match self.output.recv_timeout(left) {
                Ok(line) if late <= MOST_WAITING => {
                    self.seen.push(line.clone());
                    if wanted(&line) {
                        return Ok(line);
                    }
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {
                    return Err(NoLine::Timeout { waited: limit, last: self.seen.last().cloned() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoLine::Ended {
                        status: self.wait_exit(EXIT_TIMEOUT),
                        last: self.seen.last().cloned(),
                    });
                }
            }
        }
    }

    /// Listens for `time`; returns the first line that satisfies `unwanted`, if any.
    pub(crate) fn overhear(&mut self, unwanted: impl Fn(&str) -> bool, time: Duration) -> Option<String> {
        let started = Instant::now();
        match self.expect(unwanted, time) {
            Ok(line) => Some(line),
            Err(_) => {
                // The output may have ended early, but the pause is part of the test.
                thread::sleep(time.saturating_sub(started.elapsed()));
                None
            }
        }
    }

    /// Returns every line read so far, oldest first.
    pub(crate) fn seen(&self) -> &[String] {
        &self.seen
    }

    /// Closes the input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process to end; `None` if it is still running after `limit`.
    pub(crate) fn wait_exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            match self.child.try_wait().expect("the child is ours") {
                Some(status) => return Some(status),
                None if Instant::now() >= deadline => return None,
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Ends the process if necessary; returns all of its standard error.
    pub(crate) fn errors(&mut self) -> String {
        self.end();
        self.errors.take().map(|thread| thread.join().expect("reading does not panic")).unwrap_or_default()
    }

    fn end(&mut self) {
        self.close_input();
        // An error means that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end();
    }
}

/// Splits the output into lines, whatever bytes they hold, until it ends or the receiver is dropped.
fn forward(mut output: impl BufRead, lines: &Sender<String>) {
    let mut bytes = Vec::new();
    while output.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
        if lines.send(line).is_err() {
            return;
        }
        bytes.clear();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_it_has_started_goes_with_it() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & echo $!; wait"]);
        let mut engine = Engine::start(shell).expect("there is a shell");
        let child = engine.output.recv_timeout(Duration::from_secs(60)).expect("it says its number");
        engine.end();
        // An orphan is reaped by another process.
        let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !state().is_empty() && !state().contains(") Z ") {
            assert!(Instant::now() < deadline, "{child} lives on");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
