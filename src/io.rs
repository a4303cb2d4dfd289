//! Standard streams and signals: writes to stderr that never block for long, streams that retry, signals of the system, and the
//! shutdown watchdog.

use std::backtrace::Backtrace;
use std::io::{self, ErrorKind, Read, Write};
use std::panic;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

#[cfg(feature = "cli")]
pub use signals::on_termination_request;
#[cfg(feature = "cli")]
pub(crate) use watchdog::{OutputState, exit_soon};

/// Maximum wait for a line on stderr, so that it is there before the process goes on or ends.
const STDERR_TIMEOUT: Duration = Duration::from_millis(100);

/// Pause between two attempts on a stream that would block.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// Writes a line to stderr. It is lost if stderr is not read.
pub fn write_stderr(line: &str) {
    write_with_timeout(io::stderr(), format!("{line}\n"));
}

/// Reports panics on stderr and in the log, so that their threads do not wait for a reader.
pub fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let thread = thread::current();
        let line = format!("thread '{}': {info}", thread.name().unwrap_or("without a name"));
        tracing::error!("{line}");
        write_stderr(&format!("{line}\n{}", Backtrace::capture()));
    }));
}

fn write_with_timeout(mut out: impl Write + Send + 'static, text: String) {
    let (done, is_done) = channel();
    let writer = thread::Builder::new().name("stderr".to_owned()).spawn(move || {
        // There is no third place to report an error.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        let _ = done.send(());
    });
    if writer.is_ok() {
        let _ = is_done.recv_timeout(STDERR_TIMEOUT);
    }
}

/// A stream that retries on `EAGAIN`: another process may have made a shared stream non-blocking.
///
/// ```
/// use std::io::Read;
/// let mut text = String::new();
/// chuhe::io::Retrying(b"isready\n".as_slice()).read_to_string(&mut text).unwrap();
/// assert_eq!(text, "isready\n");
/// ```
pub struct Retrying<S>(
    /// The stream itself.
    pub S,
);

impl<R: Read> Read for Retrying<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        retry(|| self.0.read(bytes))
    }
}

impl<W: Write> Write for Retrying<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retry(|| self.0.flush())
    }
}

fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
            done => return done,
        }
    }
}

/// Requests of the system to end the process: Ctrl-C, termination, the end of the terminal.
#[cfg(feature = "cli")]
mod signals {
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether there is a handler; a process has one at most.
    static IS_SET: AtomicBool = AtomicBool::new(false);

    /// Calls `handler`, on its own thread, each time the system requests the end of the process, which then does not end by
    /// itself.
    ///
    /// On Linux a hangup that is ignored at the start stays ignored: a user who starts the engine by nohup(1) wants it to
    /// outlive the terminal.
    ///
    /// # Errors
    /// If there is a handler already, or the system does not allow one.
    pub fn on_termination_request(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
        if IS_SET.swap(true, Ordering::Relaxed) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        install(handler)
    }

    #[cfg(not(unix))]
    fn install(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
        ctrlc::set_handler(handler).map_err(io::Error::other)
    }

    #[cfg(unix)]
    fn install(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
        use libc::{SIGHUP, SIGINT, SIGTERM};

        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let wanted =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(&status, signal));
        let mut signals = signal_hook::iterator::Signals::new(wanted)?;
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || signals.forever().for_each(|_| handler()))?;
        Ok(())
    }

    /// Whether a process with this text in `/proc/self/status` ignores the signal. Systems without such a file are assumed to
    /// ignore none.
    #[cfg(unix)]
    fn is_ignored(status: &str, signal: std::ffi::c_int) -> bool {
        let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = digits.and_then(|digits| u128::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
        mask >> (signal - 1) & 1 == 1
    }

    #[cfg(all(test, unix))]
    mod tests {
        use libc::{SIGHUP, SIGINT, SIGTERM};

        use super::*;

        #[test]
        fn ignored_signals_are_read_from_the_mask() {
            let status =
                "Name:\tchuhe\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001002\nSigCgt:\t0000000000000001\n";
            assert!(is_ignored(status, SIGINT) && !is_ignored(status, SIGHUP) && !is_ignored(status, SIGTERM));
            assert!(is_ignored(&status.replace("1002", "0001"), SIGHUP));
            assert!(!is_ignored("", SIGHUP) && !is_ignored("SigIgn:\tnone\n", SIGHUP));
        }
    }
}

/// Shutdown watchdog: the process ends with all its threads if they end soon, otherwise without them. A thread may be blocked
/// for ever while it writes to a client that does not read.
#[cfg(feature = "cli")]
mod watchdog {
    use std::process;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Grace period for an orderly end.
    const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(900);
    /// Interval between two checks of the output.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    /// Ends the process unless it ends by itself within the grace period.
    pub(crate) fn exit_soon() -> ! {
        thread::sleep(SHUTDOWN_TIMEOUT);
        exit()
    }

    /// Exits with success: the end was requested.
    fn exit() -> ! {
        process::exit(0)
    }

    /// State of the output, which others may read while one thread writes to it.
    #[derive(Default)]
    pub(crate) struct OutputState(Mutex<State>);

    #[derive(Default)]
    struct State {
        /// Time since when a reply is being written.
        writing_since: Option<Instant>,
        /// Time since when the controller has been preparing table and workers, without handling any event.
        busy_since: Option<Instant>,
        /// Whether the user may read later.
        has_time: bool,
    }

    impl OutputState {
        /// Writes a reply, and records that it is being written.
        pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> T {
            self.state().writing_since = Some(Instant::now());
            let written = write();
            self.state().writing_since = None;
            written
        }

        /// Records the start or the end of work during which no event is handled.
        pub(crate) fn set_busy(&self, is_busy: bool) {
            self.state().busy_since = is_busy.then(Instant::now);
        }

        /// Sets whether the user may take time to read.
        pub(crate) fn leave_time(&self, has_time: bool) {
            self.state().has_time = has_time;
        }

        /// Waits for the end that the user has requested. Ends the process if earlier replies are not read, or if work that is
        /// not needed any more takes too long.
        pub(crate) fn exit_if_stuck(&self) -> ! {
            let requested_at = Instant::now();
            loop {
                thread::sleep(POLL_INTERVAL);
                if self.is_stuck(requested_at, Instant::now()) {
                    exit();
                }
            }
        }

        /// Whether a reply or a piece of work has been under way for too long since the end was requested.
        fn is_stuck(&self, requested_at: Instant, now: Instant) -> bool {
            let State { writing_since, busy_since, has_time } = *self.state();
            let takes_long =
                |since: Instant| now.saturating_duration_since(since.max(requested_at)) >= SHUTDOWN_TIMEOUT;
            !has_time && [writing_since, busy_since].into_iter().flatten().any(takes_long)
        }

        fn state(&self) -> MutexGuard<'_, State> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_reply_that_is_not_read_in_time_is_stuck() {
            let output = OutputState::default();
            let requested_at = Instant::now();
            let late = requested_at + Duration::from_secs(1000);
            assert!(!output.is_stuck(requested_at, late), "there is nothing to say");
            output.write(|| {
                assert!(output.is_stuck(requested_at, late));
                assert!(!output.is_stuck(late, late), "the end was not requested until now");
                assert!(!output.is_stuck(requested_at, Instant::now()), "it has just begun");
                output.leave_time(true);
                assert!(!output.is_stuck(requested_at, late), "the user may take their time");
                output.leave_time(false);
            });
            assert!(!output.is_stuck(requested_at, late), "it was read");
            output.set_busy(true);
            assert!(output.is_stuck(requested_at, late), "it does not end");
            output.set_busy(false);
            assert!(!output.is_stuck(requested_at, late), "it is done");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, LineWriter};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A writer that blocks until the lock is free.
    struct Full(Arc<Mutex<Vec<u8>>>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_nobody_reads_is_not_waited_for() {
        let read = Arc::new(Mutex::new(vec![]));
        let full = read.lock().unwrap();
        let out = Full(Arc::clone(&read));
        thread::spawn(move || write_with_timeout(out, "once\n".to_owned())).join().unwrap();
        assert!(full.is_empty());
        drop(full);
        write_with_timeout(Full(Arc::clone(&read)), "twice\n".to_owned());
        assert!(String::from_utf8_lossy(&read.lock().unwrap()).contains("twice\n"));
    }

    /// A stream that gives or takes a few bytes every other time.
    struct Reluctant<S> {
        stream: S,
        tries: usize,
    }

    impl<S> Reluctant<S> {
        fn is_willing(&mut self) -> io::Result<usize> {
            self.tries += 1;
            if self.tries.is_multiple_of(2) { Ok(3) } else { Err(ErrorKind::WouldBlock.into()) }
        }
    }

    impl Read for Reluctant<&[u8]> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let most = self.is_willing()?.min(bytes.len());
            self.stream.read(&mut bytes[..most])
        }
    }

    impl Write for Reluctant<Vec<u8>> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let most = self.is_willing()?.min(bytes.len());
            self.stream.write(&bytes[..most])
        }

        fn flush(&mut self) -> io::Result<()> {
            self.is_willing().map(drop)
        }
    }

    #[test]
    fn nothing_is_lost_on_the_way_in() {
        let input = Reluctant { stream: b"position startpos\ngo depth 3\n".as_slice(), tries: 0 };
        let lines: Vec<String> = BufReader::new(Retrying(input)).lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["position startpos", "go depth 3"]);
    }

    #[test]
    fn nothing_is_lost_on_the_way_out() {
        // Built as the standard output is.
        let mut output = Retrying(LineWriter::new(Reluctant { stream: vec![], tries: 0 }));
        for line in ["info depth 1\ninfo depth 2\n", "bestmove h2e2\n"] {
            output.write_all(line.as_bytes()).and_then(|()| output.flush()).unwrap();
        }
        let written = &output.0.get_ref().stream;
        assert_eq!(String::from_utf8_lossy(written), "info depth 1\ninfo depth 2\nbestmove h2e2\n");
    }
}
