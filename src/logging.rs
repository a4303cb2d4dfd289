//! The log: a file that the user names, at the start or later, and none until then. Stdout belongs to the protocol.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tracing::level_filters::LevelFilter;

use crate::file;

/// Environment variable that names the log file from the start of the process.
pub const LOG_VARIABLE: &str = "CHUHE_LOG";

/// Current destination of the log.
static LOG: Mutex<Option<Target>> = Mutex::new(None);
/// Guard of the subscriber: events are formatted only once there has been a log.
static SUBSCRIBED: Once = Once::new();

/// Lines read since another log was requested: it is opened by another thread, and programs send several lines at once. None if
/// no request is pending.
static PENDING_LINES: Mutex<Option<String>> = Mutex::new(None);

/// Maximum size of these lines, in bytes: the request may have come to nothing.
const MAX_PENDING_BYTES: usize = 1 << 20;

/// Handler for the end of a log that cannot be written any more.
static ON_FAILURE: Mutex<Option<FailureHandler>> = Mutex::new(None);

type Target = Box<dyn Write + Send>;
type FailureHandler = Box<dyn Fn(&io::Error) + Send>;

/// Appends the log to this file from now on, or ends it.
///
/// # Errors
/// If it is not a regular file or cannot be opened; the log goes on as before.
pub fn log_to(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(file::open_to_append).transpose()?;
    log_into(file.map(|file| Box::new(file) as Target));
    Ok(())
}

/// Records the request for a log: lines read from now on belong to that log, too.
pub fn expect_log() {
    *pending_lines() = Some(String::new());
}

/// Calls `handler` when the log ends because it cannot be written: once for each log.
pub fn on_failure(handler: impl Fn(&io::Error) + Send + 'static) {
    *ON_FAILURE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
}

fn log_into(target: Option<Target>) {
    let begins = target.is_some();
    // Held to the end: otherwise two threads could both write a line, or both leave it out.
    let mut pending = pending_lines();
    *log() = target;
    let lines = pending.take().unwrap_or_default();
    if begins {
        SUBSCRIBED.call_once(subscribe);
        let (version, cores) = (env!("CARGO_PKG_VERSION"), num_cpus::get());
        tracing::info!(version, cores, os = env::consts::OS, cpu = env::consts::ARCH, "the log begins");
        lines.lines().for_each(|line| tracing::debug!("<< {line}"));
    }
}

fn pending_lines() -> MutexGuard<'static, Option<String>> {
    PENDING_LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn log() -> MutexGuard<'static, Option<Target>> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Logs to the file that [`LOG_VARIABLE`] names, if it names one.
///
/// # Errors
/// The errors of [`log_to`].
pub fn log_to_environment_file() -> io::Result<()> {
    match env::var_os(LOG_VARIABLE) {
        Some(path) if !path.is_empty() => log_to(Some(Path::new(&path))),
        _ => Ok(()),
    }
}

/// Logs a line that was read, with or without its end.
pub fn line_in(line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    let line = text.trim_end();
    let mut pending = pending_lines();
    if let Some(pending) = pending.as_mut().filter(|pending| pending.len() < MAX_PENDING_BYTES) {
        *pending += line;
        pending.push('\n');
    }
    tracing::debug!("<< {line}");
}

/// Logs a line that is about to be written.
pub fn line_out(line: &str) {
    tracing::debug!(">> {line}");
}

fn subscribe() {
    // The default clock of the format prints microseconds. An error means that the process has a subscriber of its own.
    let _ = tracing_subscriber::fmt()
        .with_writer(|| Log)
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true)
        .with_max_level(LevelFilter::DEBUG)
        // They would go to stderr, one for every line.
        .log_internal_errors(false)
        .try_init();
    // A call site first used while the subscriber was being installed has been marked as disabled.
    tracing::callsite::rebuild_interest_cache();
}

/// Writer to the current log. The subscriber passes whole lines, so nothing is buffered.
struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = append(bytes) {
            let handler = ON_FAILURE.lock().unwrap_or_else(PoisonError::into_inner);
            handler.iter().for_each(|report| report(&error));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes to the log if there is one. A log that cannot be written to is closed: the disk will not be less full at the next
/// line.
fn append(bytes: &[u8]) -> io::Result<()> {
    let mut log = log();
    let written = log.as_mut().map_or(Ok(()), |target| target.write_all(bytes));
    if written.is_err() {
        *log = None;
    }
    written
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs;
    use std::io::ErrorKind;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    /// Lock for the tests, which share the one log of the process.
    static TURN: Mutex<()> = Mutex::new(());

    /// A disk with room for a number of writes. It counts those that it refuses.
    struct Disk {
        room: usize,
        refused: Arc<AtomicUsize>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.room.checked_sub(1) {
                Some(room) => self.room = room,
                None => {
                    self.refused.fetch_add(1, Relaxed);
                    return Err(ErrorKind::StorageFull.into());
                }
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_on_a_full_disk_ends_once() {
        let _turn = TURN.lock();
        let (notified, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let listener = Arc::clone(&notified);
        on_failure(move |error| {
            assert_eq!(error.kind(), ErrorKind::StorageFull);
            listener.fetch_add(1, Relaxed);
        });
        for ends in 1..=2 {
            log_into(Some(Box::new(Disk { room: 3, refused: Arc::clone(&refused) })));
            (0..10).for_each(|_| line_out("readyok"));
            assert_eq!((notified.load(Relaxed), refused.load(Relaxed)), (ends, ends));
        }
        *ON_FAILURE.lock().unwrap() = None;
    }

    /// Returns the lines of this file's tests in a log, which other tests of the process may write to meanwhile.
    fn said_in(log: &str) -> Vec<&str> {
        let lines = log.lines().filter(|line| line.contains("said "));
        lines.map(|line| &line[line.find(['<', '>']).unwrap()..]).collect()
    }

    #[test]
    fn lines_go_to_the_file_of_the_moment() {
        let _turn = TURN.lock();
        let folder = env::temp_dir().join(format!("chuhe-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (first, second) = (folder.join("first"), folder.join("second"));
        line_in(b"said before any log\n");
        log_to(Some(&first)).unwrap();
        line_in(b"said to the \xff first\r\n");
        log_to(Some(&second)).unwrap();
        line_out("said to the second");
        assert!(log_to(Some(&folder)).is_err(), "a folder is not a file");
        line_out("still said to the second");
        log_to(None).unwrap();
        line_out("said after all logs");
        let (first, second) = (fs::read_to_string(first).unwrap(), fs::read_to_string(second).unwrap());
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(said_in(&first), ["<< said to the \u{fffd} first"]);
        assert_eq!(said_in(&second), [">> said to the second", ">> still said to the second"]);
        let stamp = second.split_whitespace().next().unwrap();
        assert_eq!(stamp.len(), "2026-01-01T00:00:00.000000Z".len(), "{stamp}");
    }

    #[test]
    fn lines_read_after_the_request_for_a_log_are_in_it() {
        let _turn = TURN.lock();
        let folder = env::temp_dir().join(format!("chuhe-order-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("log");
        line_in(b"said before the order\n");
        expect_log();
        line_in(b"said before the log is open\r\n");
        log_to(Some(&file)).unwrap();
        line_in(b"said afterwards");
        log_to(None).unwrap();
        let said = fs::read_to_string(&file).unwrap();
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(said_in(&said), ["<< said before the log is open", "<< said afterwards"]);
        expect_log();
        (0..=MAX_PENDING_BYTES / 1000).for_each(|_| line_in(&[b'x'; 2000]));
        assert!(pending_lines().as_ref().unwrap().len() < MAX_PENDING_BYTES + 3000, "a request that came to nothing");
        log_to(None).unwrap();
    }
}
