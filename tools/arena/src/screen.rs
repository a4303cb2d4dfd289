//! Destinations of output: standard output, with a progress bar on a terminal, and the log.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chuhe::file;
use chuhe::io::write_stderr;
use chuhe_engines::player::{Direction, Log};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Destinations of output lines: standard output, with a progress bar below them on a terminal, and the log.
pub struct Screen {
    bar: Option<ProgressBar>,
    log: Option<Arc<LogWriter>>,
    /// Whether a write to standard output has failed, which is reported once.
    is_incomplete: AtomicBool,
}

struct LogWriter {
    path: PathBuf,
    file: Mutex<File>,
    started: Instant,
    /// Whether lines are missing from the log, which is reported once.
    is_incomplete: AtomicBool,
}

impl LogWriter {
    fn new(path: &Path, file: File) -> Self {
        Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            started: Instant::now(),
            is_incomplete: AtomicBool::new(false),
        }
    }

    /// Writes a line; a full disk costs the log and nothing else.
    fn line(&self, text: &str) {
        if let Some(complaint) = self.add(text) {
            write_stderr(&complaint);
        }
    }

    /// Writes a line, and returns a message the first time that this fails.
    fn add(&self, text: &str) -> Option<String> {
        let line = format!("{:>10.3} {text}\n", self.started.elapsed().as_secs_f64());
        let added = self.file.lock().expect("writing does not panic").write_all(line.as_bytes());
        let error = added.err().filter(|_| !self.is_incomplete.swap(true, Ordering::Relaxed))?;
        Some(printable(&format!("lines are missing from the log {}: {error}", self.path.display())))
    }
}

impl Screen {
    /// Opens the output, with a log if there is a path for one.
    ///
    /// # Errors
    /// If the log cannot be created.
    pub fn new(log: Option<&Path>) -> Result<Self> {
        let create = |log: &Path| -> Result<Arc<LogWriter>> {
            let file = file::open_with(log, File::options().create(true).append(true));
            let file = file.with_context(|| format!("the log {} cannot be written", log.display()))?;
            Ok(Arc::new(LogWriter::new(log, file)))
        };
        Ok(Self { bar: None, log: log.map(create).transpose()?, is_incomplete: AtomicBool::new(false) })
    }

    /// Whether lines are missing from standard output for another reason than a closed pipe.
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete.load(Ordering::Relaxed)
    }

    /// Shows a progress bar for `games` games, `played` of which are finished, if standard output is a terminal.
    pub fn begin(&mut self, played: u32, games: u32) {
        if io::stdout().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stdout());
            let style = ProgressStyle::with_template("{msg} {wide_bar}");
            bar.set_style(style.expect("a template without faults"));
            bar.set_position(played.into());
            bar.enable_steady_tick(Duration::from_millis(500));
            self.bar = Some(bar);
        }
    }

    /// Prints a line, with control characters replaced.
    pub fn line(&self, text: &str) {
        let text = &printable(text);
        if let Some(log) = &self.log {
            log.line(text);
        }
        match &self.bar {
            Some(bar) => bar.println(text),
            None => self.print(text),
        }
    }

    /// Prints a line. The match goes on if that fails, since its files are what counts; a closed pipe is no error.
    fn print(&self, text: &str) {
        let Err(error) = writeln!(io::stdout(), "{text}") else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.is_incomplete.swap(true, Ordering::Relaxed) {
            write_stderr(&format!("chuhe-arena: lines are missing from standard output: {error}"));
        }
    }

    /// Moves the progress bar, with this line in front of it.
    pub fn progress(&self, played: u32, line: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(played.into());
            bar.set_message(line.to_owned());
        }
    }

    /// Removes the progress bar.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Returns a listener that writes every line to and from the engines to the log, if there is a log.
    pub fn engine_log(&self) -> Option<Log> {
        let log = Arc::clone(self.log.as_ref()?);
        Some(Arc::new(move |name: &str, direction: Direction, line: &str| {
            let sign = match direction {
                Direction::Sent => "<",
                Direction::Received => ">",
                Direction::Error => "!",
            };
            log.line(&format!("{name} {sign} {line}"));
        }))
    }
}

/// Replaces control characters by spaces: names and lines of engines may hold terminal escape sequences.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_once() {
        let path = Path::new("/dev/full");
        let log = LogWriter::new(path, File::options().append(true).open(path).unwrap());
        let complaint = log.add("Started game 1").unwrap();
        assert!(complaint.starts_with("lines are missing from the log /dev/full: No space left"), "{complaint}");
        assert_eq!(log.add("Started game 2"), None);
    }
}
