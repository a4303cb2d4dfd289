//! The log: a file that the user names, at start or later, and nothing until then. Stdout belongs to the protocol.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use tracing::level_filters::LevelFilter;

/// Names the log file from the start of the process.
pub const LOG_VARIABLE: &str = "CHUHE_LOG";

/// Where the log goes now.
static LOG: Mutex<Option<File>> = Mutex::new(None);
/// Events are formatted only once there has been a log.
static SUBSCRIBED: Once = Once::new();

/// Logs to the end of this file from now on, or no longer.
///
/// # Errors
/// If the file cannot be opened; the log goes on as before.
pub fn log_to(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(|path| OpenOptions::new().create(true).append(true).open(path)).transpose()?;
    if file.is_some() {
        SUBSCRIBED.call_once(subscribe);
    }
    let opened = file.is_some();
    *LOG.lock().unwrap_or_else(PoisonError::into_inner) = file;
    if opened {
        let (version, cores) = (env!("CARGO_PKG_VERSION"), num_cpus::get());
        tracing::info!(version, cores, os = env::consts::OS, cpu = env::consts::ARCH, "the log begins");
    }
    Ok(())
}

/// Logs to the file that [`LOG_VARIABLE`] names, if it names one.
///
/// # Errors
/// As for [`log_to`].
pub fn log_as_environment_says() -> io::Result<()> {
    match env::var_os(LOG_VARIABLE) {
        Some(path) if !path.is_empty() => log_to(Some(Path::new(&path))),
        _ => Ok(()),
    }
}

/// Logs a line that was read, with or without its end.
pub fn line_in(line: &[u8]) {
    tracing::debug!("<< {}", String::from_utf8_lossy(line).trim_end());
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
        .try_init();
}

/// Writes to the file of the moment. The subscriber passes whole lines, so nothing is buffered.
struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *LOG.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_go_to_the_file_of_the_moment() {
        let folder = env::temp_dir().join(format!("chuhe-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (first, second) = (folder.join("first"), folder.join("second"));
        line_in(b"before\n");
        log_to(Some(&first)).unwrap();
        line_in(b"go depth \xff 3\r\n");
        log_to(Some(&second)).unwrap();
        line_out("bestmove h2e2");
        assert!(log_to(Some(&folder)).is_err(), "a folder is no file");
        line_out("still here");
        log_to(None).unwrap();
        line_out("after");
        let (first, second) = (fs::read_to_string(first).unwrap(), fs::read_to_string(second).unwrap());
        fs::remove_dir_all(folder).unwrap();
        assert!(first.contains("<< go depth \u{fffd} 3\n") && !first.contains("before"), "{first}");
        assert!(second.contains(">> bestmove h2e2\n") && second.contains(">> still here\n"), "{second}");
        assert!(!second.contains("after") && !second.contains("depth"), "{second}");
        let stamp = second.split_whitespace().next().unwrap();
        assert_eq!(stamp.len(), "2026-01-01T00:00:00.000000Z".len(), "{stamp}");
    }
}
