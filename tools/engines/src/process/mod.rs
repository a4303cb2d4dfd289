//! A program with three pipes. Handles lines, time and the end of processes, but no protocol.
//!
//! Output is kept up to a limit, and a program that does not read its input never blocks the caller.

mod pipes;

use std::io::{self, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

pub use pipes::{Delivery, Direction, Line, Listener, Log, MAX_LINE};
use pipes::{Output, Parcel, drain, feed, forward, lock};

use crate::watchdog::Guard;

/// Maximum number of unread lines; a program that writes more is blocked.
const MAX_WAITING: usize = 512;

/// Maximum number of unsent commands; a program with more of them has stopped reading.
const MAX_UNSENT: usize = 256;

/// Time that a process may take to exit after its output has ended.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval at which a wait for a line checks that the process is alive.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Time limit for reading the last output of a dead process.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_millis(100);

/// Reason why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// No line came in time.
    Timeout,
    /// The output has ended; with the exit status of the process.
    Ended(String),
    /// The process was killed from outside; with its exit status.
    Killed(String),
    /// A line exceeded [`MAX_LINE`] bytes.
    Overlong,
}

/// A running process, detached from the terminal's Ctrl-C; killed when dropped, with all processes that it has started, or by
/// the watchdog.
pub struct Process {
    child: Arc<Child>,
    input: SyncSender<Parcel>,
    output: Receiver<Output>,
    listener: Option<Listener>,
    /// Whether the output ended with an overlong line.
    overlong: bool,
    /// Thread that reads the output to its end.
    reader: JoinHandle<()>,
    /// Thread that reads the standard error to its end.
    errors: JoinHandle<()>,
    /// Standard error so far.
    stderr_text: Arc<Mutex<String>>,
    /// Guard of the watchdog, dropped after the process itself.
    _guard: Guard,
}

type Child = Mutex<Box<dyn ChildWrapper>>;

/// All running processes; `None` once no more may be started.
static RUNNING: Mutex<Option<Vec<Weak<Child>>>> = Mutex::new(Some(Vec::new()));

/// Kills all processes, with all that they have started, and prevents further starts: for a program that has to end at once.
/// Pending reads report that their process has ended.
pub fn end_all() {
    let running = lock(&RUNNING).take();
    for child in running.into_iter().flatten().filter_map(|child| child.upgrade()) {
        // An error means that the process has already ended.
        let _ = lock(&child).kill();
    }
}

impl Process {
    /// Starts `command` with pipes.
    ///
    /// # Errors
    /// If the system fails to start it.
    pub fn start(mut command: Command, listener: Option<Listener>) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = lock(&RUNNING);
        let all = running.as_mut().ok_or_else(|| io::Error::other("nothing is started any more"))?;
        let mut child = with_descendants(command).spawn()?;
        let guard = Guard::new(child.id());
        let stdin = child.stdin().take().expect("asked for a pipe");
        let stdout = child.stdout().take().expect("asked for a pipe");
        let stderr = child.stderr().take().expect("asked for a pipe");
        let (input, commands) = mpsc::sync_channel(MAX_UNSENT);
        let (lines, output) = mpsc::sync_channel(MAX_WAITING);
        let (for_output, for_errors) = (listener.clone(), listener.clone());
        thread::spawn(move || feed(stdin, &commands));
        let reader = thread::spawn(move || forward(BufReader::new(stdout), &lines, for_output.as_ref()));
        let stderr_text = Arc::new(Mutex::new(String::new()));
        let all_of_them = Arc::clone(&stderr_text);
        let errors = thread::spawn(move || drain(BufReader::new(stderr), &all_of_them, for_errors.as_ref()));
        let child = Arc::new(Mutex::new(child));
        all.retain(|child| child.strong_count() > 0);
        all.push(Arc::downgrade(&child));
        Ok(Self { child, input, output, listener, overlong: false, reader, errors, stderr_text, _guard: guard })
    }

    /// Sends lines in one piece. A program that has ended or does not read is noticed when its answer is awaited.
    pub fn send(&self, lines: &[impl AsRef<str>]) -> Delivery {
        let delivery = Delivery::default();
        let mut bytes = Vec::new();
        for line in lines {
            if let Some(listener) = &self.listener {
                listener(Direction::Sent, line.as_ref());
            }
            bytes.extend_from_slice(line.as_ref().as_bytes());
            bytes.push(b'\n');
        }
        match self.input.try_send((bytes, delivery.clone())) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => delivery,
        }
    }

    /// Returns the next line, waiting until `deadline` at most.
    pub fn line(&mut self, deadline: Instant) -> Result<Line, NoLine> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(output) => return self.received(output),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                // Descendants of the process may keep its output open.
                Err(RecvTimeoutError::Timeout) if !self.is_alive() => return self.last_line(),
                Err(RecvTimeoutError::Timeout) if left <= POLL_INTERVAL => return Err(NoLine::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns pending output of a dead process.
    fn last_line(&mut self) -> Result<Line, NoLine> {
        match self.output.recv_timeout(LAST_OUTPUT_TIMEOUT) {
            Ok(output) => self.received(output),
            Err(_) => Err(self.ended()),
        }
    }

    /// Returns a line that has already arrived; [`NoLine::Timeout`] if there is none.
    pub fn waiting_line(&mut self) -> Result<Line, NoLine> {
        match self.output.try_recv() {
            Ok(output) => self.received(output),
            Err(TryRecvError::Empty) => Err(NoLine::Timeout),
            Err(TryRecvError::Disconnected) => Err(self.ended()),
        }
    }

    /// Waits for the process to end; `None` if it is still running after `limit`.
    pub fn wait_exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            let waited = lock(&self.child).try_wait();
            match waited {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Whether the process is running.
    pub fn is_alive(&mut self) -> bool {
        self.wait_exit(Duration::ZERO).is_none()
    }

    fn received(&mut self, output: Output) -> Result<Line, NoLine> {
        match output {
            Output::Line(line) => Ok(line),
            Output::Overlong => {
                self.overlong = true;
                Err(NoLine::Overlong)
            }
        }
    }

    fn ended(&mut self) -> NoLine {
        if self.overlong {
            return NoLine::Overlong;
        }
        match self.wait_exit(EXIT_TIMEOUT) {
            Some(status) if is_killed(status) => NoLine::Killed(status.to_string()),
            Some(status) => NoLine::Ended(status.to_string() + &self.last_error_line()),
            None => NoLine::Ended("closed its output and lived on".to_owned()),
        }
    }

    /// Returns the last line of a dead process's standard error, as a suffix for messages.
    fn last_error_line(&self) -> String {
        let all = self.whole_stderr();
        let last = all.lines().rev().find(|line| !line.trim().is_empty());
        last.map_or_else(String::new, |words| format!(", last words: {words:.200}"))
    }

    /// Ends the process at once; returns its standard error, or the end of it if that is long.
    pub fn end(&mut self) -> String {
        self.kill();
        self.whole_stderr()
    }

    fn whole_stderr(&self) -> String {
        let deadline = Instant::now() + LAST_OUTPUT_TIMEOUT;
        while !self.errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        lock(&self.stderr_text).clone()
    }

    fn kill(&mut self) {
        // Descendants may have outlived the process and keep its output open.
        if self.is_alive() || !self.reader.is_finished() {
            // An error means that the process has already ended.
            let _ = lock(&self.child).kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Makes the command lead a group with all its descendants, detached from the terminal's Ctrl-C.
fn with_descendants(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(JobObject);
    command
}

#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGKILL)
}

/// Other systems do not distinguish a kill from a normal exit.
#[cfg(not(unix))]
fn is_killed(_: ExitStatus) -> bool {
    false
}

/// Number of the signal on every Unix.
#[cfg(unix)]
const SIGKILL: i32 = 9;

#[cfg(test)]
mod tests;
