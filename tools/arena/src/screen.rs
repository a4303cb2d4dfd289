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
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::settings::{LogFile, LogLevel};

/// Destinations of output lines: standard output, with a progress bar below them on a terminal, and the log.
pub struct Screen {
    terminal: Terminal,
    log: Option<Arc<LogWriter>>,
    /// Whether the lines to and from the engines are logged.
    logs_engines: bool,
    /// Whether they are printed.
    is_debugging: bool,
}

/// Standard output, with a progress bar on a terminal.
#[derive(Clone, Default)]
struct Terminal {
    bar: Option<ProgressBar>,
    /// Whether a write to standard output has failed, which is reported once.
    is_incomplete: Arc<AtomicBool>,
}

impl Terminal {
    /// Prints a line above the bar. The match goes on if that fails, since its files are what counts; a closed pipe is not an error.
    fn line(&self, text: &str) {
        if let Some(bar) = &self.bar {
            return bar.println(text);
        }
        let Err(error) = writeln!(io::stdout(), "{text}") else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.is_incomplete.swap(true, Ordering::Relaxed) {
            write_stderr(&format!("chuhe-arena: lines are missing from standard output: {error}"));
        }
    }
}

struct LogWriter {
    path: PathBuf,
    level: LogLevel,
    file: Mutex<Box<dyn Write + Send>>,
    started: Instant,
    /// Whether lines are missing from the log, which is reported once.
    is_incomplete: AtomicBool,
}

impl LogWriter {
    fn open(log: &LogFile) -> Result<Self> {
        let mut options = File::options();
        options.create(true).write(true).append(log.append).truncate(!log.append);
        let file = file::open_with(&log.path, &mut options);
        let file = file.with_context(|| format!("the log {} cannot be written", log.path.display()))?;
        let file: Box<dyn Write + Send> =
            if log.compress { Box::new(GzEncoder::new(file, Compression::default())) } else { Box::new(file) };
        Ok(Self::new(&log.path, log.level, file))
    }

    fn new(path: &Path, level: LogLevel, file: Box<dyn Write + Send>) -> Self {
        let (file, is_incomplete) = (Mutex::new(file), AtomicBool::new(false));
        Self { path: path.to_owned(), level, file, started: Instant::now(), is_incomplete }
    }

    /// Writes a line; a full disk costs the log and nothing else.
    fn line(&self, text: &str) {
        if let Some(complaint) = self.add(text) {
            write_stderr(&complaint);
        }
    }

    /// Writes a line at once, and returns a message the first time that this fails.
    fn add(&self, text: &str) -> Option<String> {
        let line = format!("{:>10.3} {text}\n", self.started.elapsed().as_secs_f64());
        let mut file = self.file.lock().expect("writing does not panic");
        let added = file.write_all(line.as_bytes()).and_then(|()| file.flush());
        let error = added.err().filter(|_| !self.is_incomplete.swap(true, Ordering::Relaxed))?;
        Some(printable(&format!("lines are missing from the log {}: {error}", self.path.display())))
    }
}

impl Screen {
    /// Opens the output, with a log if there is a file for one. With `is_debugging` the dialogues of the engines are printed.
    ///
    /// # Errors
    /// If the log cannot be created.
    pub fn new(log: Option<&LogFile>, is_debugging: bool) -> Result<Self> {
        let logs_engines = log.is_some_and(|log| log.engine);
        let log = log.map(LogWriter::open).transpose()?.map(Arc::new);
        Ok(Self { terminal: Terminal::default(), log, logs_engines, is_debugging })
    }

    /// Whether lines are missing from standard output for another reason than a closed pipe.
    pub fn is_incomplete(&self) -> bool {
        self.terminal.is_incomplete.load(Ordering::Relaxed)
    }

    /// Shows a progress bar for `games` games, `played` of which are finished, if standard output is a terminal.
    pub fn begin(&mut self, played: u32, games: u32) {
        if io::stdout().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stdout());
            let style = ProgressStyle::with_template("{msg} {wide_bar}");
            bar.set_style(style.expect("a template without faults"));
            bar.set_position(played.into());
            bar.enable_steady_tick(Duration::from_millis(500));
            self.terminal.bar = Some(bar);
        }
    }

    /// Prints a line about the course of the match, with control characters replaced.
    pub fn line(&self, text: &str) {
        self.line_at(LogLevel::Info, text);
    }

    /// Prints a line of this level, with control characters replaced; the log has it if its own level is no higher.
    pub fn line_at(&self, level: LogLevel, text: &str) {
        let text = &printable(text);
        if let Some(log) = self.log.as_ref().filter(|log| level >= log.level) {
            log.line(text);
        }
        self.terminal.line(text);
    }

    /// Moves the progress bar, with this line in front of it.
    pub fn progress(&self, played: u32, line: &str) {
        if let Some(bar) = &self.terminal.bar {
            bar.set_position(played.into());
            bar.set_message(line.to_owned());
        }
    }

    /// Removes the progress bar.
    pub fn end(&mut self) {
        if let Some(bar) = self.terminal.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Returns a listener that writes every line to and from the engines to the log, and prints it, as far as that is wanted.
    ///
    /// Printed lines have the form of cutechess-cli: milliseconds, `>` to an engine or `<` from it, its name, the line.
    pub fn engine_log(&self) -> Option<Log> {
        let log = self.log.clone().filter(|_| self.logs_engines);
        let terminal = self.is_debugging.then(|| self.terminal.clone());
        let started = Instant::now();
        if log.is_none() && terminal.is_none() {
            return None;
        }
        Some(Arc::new(move |name: &str, direction: Direction, line: &str| {
            let [sign, arrow] = match direction {
                Direction::Sent => ["<", ">"],
                Direction::Received => [">", "<"],
                Direction::Error => ["!", "!"],
            };
            if let Some(log) = &log {
                log.line(&format!("{name} {sign} {line}"));
            }
            if let Some(terminal) = &terminal {
                terminal.line(&printable(&format!("{} {arrow}{name}: {line}", started.elapsed().as_millis())));
            }
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
        let file = File::options().append(true).open(path).unwrap();
        let log = LogWriter::new(path, LogLevel::Info, Box::new(file));
        let complaint = log.add("Started game 1").unwrap();
        assert!(complaint.starts_with("lines are missing from the log /dev/full: No space left"), "{complaint}");
        assert_eq!(log.add("Started game 2"), None);
    }
}
