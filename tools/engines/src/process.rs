//! A program with three pipes. Handles lines, time and the end of processes, but no protocol.
//!
//! Output is kept up to a limit, and a program that does not read its input never blocks the caller.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::smp::time_slice;
#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::watchdog::Guard;

/// Maximum length of a line in bytes, its end not counted; a longer one ends the conversation.
pub const MAX_LINE: usize = 64 << 10;

/// Maximum number of unread lines; a program that writes more is blocked.
const MAX_WAITING: usize = 512;

/// Maximum number of unsent commands; a program with more of them has stopped reading.
const MAX_UNSENT: usize = 256;

/// Time that a process may take to exit after its output has ended.
const BURIAL: Duration = Duration::from_secs(1);

/// Number of bytes kept of the standard error, counted from its end.
const MAX_COMPLAINTS: usize = 64 << 10;

/// Interval at which a wait for a line checks that the process is alive.
const LOOK: Duration = Duration::from_millis(100);

/// Time limit for reading the last output of a dead process.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Sent to the program.
    Sent,
    /// Received from its standard output.
    Received,
    /// Received from its standard error.
    Error,
}

/// Callback for every line and its direction, called by several threads.
pub type Listener = Arc<dyn Fn(Direction, &str) + Send + Sync>;

/// A line written by the program, with a time stamp.
#[derive(Clone, Debug)]
pub struct Line {
    /// Text without the line end; invalid UTF-8 is replaced.
    pub text: String,
    /// Arrival of the line end.
    pub read_at: Instant,
}

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

/// Delivery of lines to a program. The thread that hands them over may have to wait for the processor, which is not the
/// program's fault.
#[derive(Clone, Default, Debug)]
pub struct Delivery(Arc<OnceLock<Instant>>);

impl Delivery {
    /// Returns when the lines were handed over; `None` until then.
    pub fn at(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}

/// Bytes to write, and the delivery to mark when writing begins.
type Parcel = (Vec<u8>, Delivery);

enum Output {
    Line(Line),
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
    complaints: Arc<Mutex<String>>,
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let complaints = Arc::new(Mutex::new(String::new()));
        let all_of_them = Arc::clone(&complaints);
        let errors = thread::spawn(move || drain(BufReader::new(stderr), &all_of_them, for_errors.as_ref()));
        let child = Arc::new(Mutex::new(child));
        all.retain(|child| child.strong_count() > 0);
        all.push(Arc::downgrade(&child));
        Ok(Self { child, input, output, listener, overlong: false, reader, errors, complaints, _guard: guard })
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
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(output) => return self.received(output),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                // Descendants of the process may keep its output open.
                Err(RecvTimeoutError::Timeout) if !self.is_alive() => return self.last_line(),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(NoLine::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns pending output of a dead process.
    fn last_line(&mut self) -> Result<Line, NoLine> {
        match self.output.recv_timeout(LAST_WORDS) {
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
        match self.wait_exit(BURIAL) {
            Some(status) if is_killed(status) => NoLine::Killed(status.to_string()),
            Some(status) => NoLine::Ended(status.to_string() + &self.last_words()),
            None => NoLine::Ended("closed its output and lived on".to_owned()),
        }
    }

    /// Returns the last line of a dead process's standard error, as a suffix for messages.
    fn last_words(&self) -> String {
        let all = self.all_complaints();
        let last = all.lines().rev().find(|line| !line.trim().is_empty());
        last.map_or_else(String::new, |words| format!(", last words: {words:.200}"))
    }

    /// Ends the process at once; returns its standard error, or the end of it if that is long.
    pub fn end(&mut self) -> String {
        self.kill();
        self.all_complaints()
    }

    fn all_complaints(&self) -> String {
        let deadline = Instant::now() + LAST_WORDS;
        while !self.errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        lock(&self.complaints).clone()
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

/// Writes incoming commands until either end is closed.
fn feed(mut input: impl Write, commands: &Receiver<Parcel>) {
    time_slice::request_short();
    while let Ok((bytes, Delivery(at))) = commands.recv() {
        // The time is taken before writing, as the program may answer before the write returns.
        at.get_or_init(Instant::now);
        if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Splits the output into lines, whatever bytes they hold, until it ends, exceeds the limit, or the receiver is dropped.
fn forward(mut output: impl BufRead, lines: &SyncSender<Output>, listener: Option<&Listener>) {
    time_slice::request_short();
    let mut bytes = Vec::new();
    loop {
        match read_line(&mut output, &mut bytes) {
            Read::Line => {
                let read_at = Instant::now();
                let text = text_of(&bytes);
                if let Some(listener) = listener {
                    listener(Direction::Received, &text);
                }
                if lines.send(Output::Line(Line { text, read_at })).is_err() {
                    return;
                }
            }
            Read::End => return,
            Read::Overlong => {
                // An error means that the receiver is gone, so the reason does not matter.
                let _ = lines.send(Output::Overlong);
                return;
            }
        }
    }
}

/// Reads the standard error to its end, so that the program does not block on it.
fn drain(mut errors: impl BufRead, complaints: &Mutex<String>, listener: Option<&Listener>) {
    let mut bytes = Vec::new();
    while read_line(&mut errors, &mut bytes) != Read::End {
        let text = text_of(&bytes);
        if let Some(listener) = listener {
            listener(Direction::Error, &text);
        }
        let mut all = lock(complaints);
        all.push_str(&text);
        all.push('\n');
        if all.len() > 2 * MAX_COMPLAINTS {
            let cut = all.ceil_char_boundary(all.len() - MAX_COMPLAINTS);
            all.drain(..cut);
        }
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']).to_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    Line,
    Overlong,
    End,
}

/// Reads the next line into `bytes`, or its first [`MAX_LINE`] bytes. A last line needs no end.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Read {
    bytes.clear();
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // A broken pipe ends the text like a closed one.
            Err(_) => &[],
        };
        if available.is_empty() {
            return if bytes.is_empty() { Read::End } else { Read::Line };
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let wanted = end.unwrap_or(available.len());
        let taken = wanted.min(MAX_LINE - bytes.len());
        bytes.extend_from_slice(&available[..taken]);
        let overlong = taken < wanted;
        input.consume(if overlong { taken } else { end.map_or(taken, |end| end + 1) });
        match (overlong, end) {
            (true, _) => return Read::Overlong,
            (false, Some(_)) => return Read::Line,
            (false, None) => {}
        }
    }
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
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn shell_command(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn shell(script: &str) -> Process {
        Process::start(shell_command(script), None).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    /// Reader that blocks until it is released.
    struct Waits(Option<Receiver<()>>);

    impl Write for Waits {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some(told) = self.0.take() {
                told.recv().expect("the test tells it");
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_handed_over_when_it_is_their_turn() {
        let (input, commands) = mpsc::sync_channel(MAX_UNSENT);
        let deliveries = [Delivery::default(), Delivery::default()];
        for delivery in &deliveries {
            input.send((b"line\n".to_vec(), delivery.clone())).unwrap();
        }
        drop(input);
        assert!(deliveries.iter().all(|delivery| delivery.at().is_none()));
        let (tell, told) = mpsc::channel();
        let feeder = thread::spawn(move || feed(Waits(Some(told)), &commands));
        thread::sleep(Duration::from_millis(20));
        assert!(deliveries[1].at().is_none(), "the first line is not taken yet");
        let taken = Instant::now();
        tell.send(()).unwrap();
        feeder.join().unwrap();
        assert!(deliveries[0].at().is_some_and(|at| at <= taken), "who is slow to take it pays for that");
        assert!(deliveries[1].at().is_some_and(|at| at >= taken));
    }

    #[test]
    fn lines_come_back_whatever_bytes_they_hold() {
        let mut process = shell(r"read line; printf 'got %s\r\n\377\376x\nlast' $line");
        process.send(&["hello"]);
        assert_eq!(process.line(soon()).unwrap().text, "got hello");
        assert_eq!(process.line(soon()).unwrap().text, "\u{fffd}\u{fffd}x");
        assert_eq!(process.line(soon()).unwrap().text, "last");
        assert_eq!(process.line(soon()).unwrap_err(), NoLine::Ended("exit status: 0".to_owned()));
    }

    #[test]
    fn exit_codes_and_signals_are_told_apart() {
        let end = |script| shell(script).line(soon()).unwrap_err();
        assert_eq!(end("exit 3"), NoLine::Ended("exit status: 3".to_owned()));
        assert_eq!(end("kill -SEGV $$"), NoLine::Ended("signal: 11 (SIGSEGV)".to_owned()));
        assert_eq!(end("kill -KILL $$"), NoLine::Killed("signal: 9 (SIGKILL)".to_owned()));
        let last_words = NoLine::Ended("exit status: 9, last words: no net".to_owned());
        assert_eq!(end("echo hm >&2; echo no net >&2; echo >&2; exit 9"), last_words);
    }

    #[test]
    fn all_complaints_are_kept_up_to_a_bound() {
        let mut process = shell("echo first >&2; echo second >&2; echo done; sleep 60");
        process.line(soon()).unwrap();
        assert_eq!(process.end(), "first\nsecond\n");
        let mut process = shell("yes | head -n 300000 >&2; echo the end >&2; echo done; sleep 60");
        process.line(soon()).unwrap();
        let all = process.end();
        assert!(all.len() <= 2 * MAX_COMPLAINTS && all.len() >= MAX_COMPLAINTS - 1 && all.ends_with("y\nthe end\n"));
    }

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let mut process = shell("head -c 1000000 /dev/zero; sleep 60");
        assert_eq!(process.line(soon()).unwrap_err(), NoLine::Overlong);
        assert_eq!(read_line(&mut &vec![b'x'; MAX_LINE][..], &mut Vec::new()), Read::Line);
    }

    #[test]
    fn a_flood_waits_and_dies_with_its_process() {
        let mut process = shell("yes; echo never");
        thread::sleep(Duration::from_millis(20));
        assert_eq!(process.line(soon()).unwrap().text, "y");
        drop(process);
    }

    #[test]
    #[cfg(unix)]
    fn what_a_process_has_started_dies_with_it() {
        for (script, end) in
            [("wait", NoLine::Timeout), ("kill -KILL $$", NoLine::Killed("signal: 9 (SIGKILL)".into()))]
        {
            let mut process = shell(&format!("sleep 60 & echo $!; {script}"));
            let child = process.line(soon()).unwrap().text;
            let is_alive =
                || Command::new("kill").args(["-0", &child]).stderr(Stdio::null()).status().unwrap().success();
            let in_a_while = Instant::now() + 3 * LOOK;
            assert_eq!((process.line(in_a_while).unwrap_err(), is_alive()), (end, true), "{script}");
            drop(process);
            // An orphan is reaped by another process.
            let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            let deadline = soon();
            while is_alive() && !state().contains(") Z ") {
                assert!(Instant::now() < deadline, "{script}: {child} lives on");
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    #[test]
    fn nobody_waits_for_a_program_that_does_not_read() {
        let process = shell("sleep 60");
        let long = "x".repeat(1000);
        for _ in 0..2 * MAX_UNSENT {
            process.send(&[&long]);
        }
    }

    #[test]
    fn the_listener_hears_all_three_pipes() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&heard);
        let listener: Listener = Arc::new(move |way, line| ear.lock().unwrap().push((way, line.to_owned())));
        let script = "read line; echo trouble >&2; sleep 0.05; echo answer";
        let mut process = Process::start(shell_command(script), Some(listener)).unwrap();
        process.send(&["question"]);
        process.line(soon()).unwrap();
        let all = [(Direction::Sent, "question"), (Direction::Error, "trouble"), (Direction::Received, "answer")];
        assert_eq!(*heard.lock().unwrap(), all.map(|(way, line)| (way, line.to_owned())));
    }
}
