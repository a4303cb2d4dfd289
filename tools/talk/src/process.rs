//! The engine as a process: its input, output, processor time and end.
//!
//! On a busy machine wall-clock time says little, so the system's accounts are used where they exist (`/proc`): the processor
//! time of the process, and the time that its threads and the observing thread have waited for a processor.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crossbeam::channel::{Receiver, Sender, unbounded};

/// Unit of processor times in `/proc`, the same on all Linux systems.
const TICK: Duration = Duration::from_millis(10);

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    /// Lines of output; the last may lack its line end. Disconnected when the output ends.
    pub output: Receiver<Vec<u8>>,
    stderr_text: JoinHandle<Vec<u8>>,
}

/// End of a process.
#[derive(Debug)]
pub struct Ending {
    /// Exit status; `None` if the process had to be killed.
    pub status: Option<ExitStatus>,
    /// Time from the command to the end, without waits for a processor.
    pub took: Duration,
    /// Processor time used since the command, as last observed.
    pub worked: Duration,
    /// Output to stderr.
    pub stderr_text: Vec<u8>,
}

impl Engine {
    /// Starts the program with `folder` as its working directory.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let mut stderr = child.stderr.take().context("no stderr")?;
        let (input, lines) = unbounded::<Vec<u8>>();
        // Separate threads, so that an engine that does not read cannot block our reading. Input to a dead engine is dropped.
        thread::spawn(move || lines.iter().all(|line| stdin.write_all(&line).and_then(|()| stdin.flush()).is_ok()));
        let (speak, output) = unbounded();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                if speak.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let stderr_text = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            text
        });
        Ok(Self { child, input: Some(input), output, stderr_text })
    }

    /// Queues bytes for the input of the engine.
    pub fn write(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // If the writer thread is gone, so is the reader of the input.
            let _ = input.send(bytes);
        }
    }

    /// Closes the input once everything has been written.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Processor time used so far, if the system reports it.
    pub fn worked(&self) -> Option<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The program's name may contain anything, but ends at the last parenthesis.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u32 = fields.get(11)?.parse::<u32>().ok()? + fields.get(12)?.parse::<u32>().ok()?;
        Some(TICK * ticks)
    }

    /// Describes the state of each thread for users.
    pub fn threads(&self) -> String {
        let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.child.id())) else { return String::new() };
        let state = |path: &Path| {
            let stat = fs::read_to_string(path.join("stat")).ok()?;
            let name = stat.split_once('(')?.1.rsplit_once(')')?.0.to_owned();
            let wait = fs::read_to_string(path.join("wchan")).unwrap_or_default();
            Some(format!("{name} {} {wait}", stat.rsplit_once(')')?.1.split_whitespace().next()?))
        };
        let states: Vec<String> = tasks.flatten().filter_map(|task| state(&task.path())).collect();
        states.join(", ")
    }

    /// Waits for the end of the process, and kills it after `timeout`.
    ///
    /// # Errors
    /// If the system cannot wait for the process or kill it.
    pub fn end(mut self, mut watch: Watch, timeout: Duration) -> Result<Ending> {
        let status = loop {
            if let Some(status) = self.child.try_wait().context("cannot wait for the engine")? {
                break Some(status);
            }
            if watch.since.elapsed() > timeout {
                self.child.kill().context("cannot kill the engine")?;
                self.child.wait().context("cannot wait for the engine")?;
                break None;
            }
            thread::sleep(Watch::LOOK);
            watch.look(&self);
        };
        watch.look(&self);
        let took = watch.since.elapsed().saturating_sub(watch.excuse.whole());
        let stderr_text = self.stderr_text.join().unwrap_or_default();
        Ok(Ending { status, took, worked: watch.worked, stderr_text })
    }
}

/// Observer of a process that should end.
pub struct Watch {
    /// Time of the command to end.
    pub since: Instant,
    worked_before: Duration,
    worked: Duration,
    queue: Queue,
    excuse: Excuse,
    last_look: Instant,
}

impl Watch {
    /// Interval between two observations.
    pub const LOOK: Duration = Duration::from_millis(4);

    /// Starts the observation at the time of the command to end.
    pub fn begin(engine: &Engine) -> Self {
        let (since, worked_before) = (Instant::now(), engine.worked().unwrap_or_default());
        let mut queue = Queue::default();
        queue.waited_more(engine.child.id());
        Self { since, worked_before, worked: Duration::ZERO, queue, excuse: Excuse::default(), last_look: since }
    }

    /// Updates processor time and waits.
    pub fn look(&mut self, engine: &Engine) {
        let worked = engine.worked().map(|now| now.saturating_sub(self.worked_before));
        self.worked = self.worked.max(worked.unwrap_or_default());
        let waited = self.queue.waited_more(engine.child.id());
        self.excuse.add(waited, self.last_look.elapsed());
        self.last_look = Instant::now();
    }
}

/// Time spent waiting for a processor.
#[derive(Clone, Copy)]
struct Waited {
    /// Waits of all threads of the process together.
    process: Duration,
    /// Wait of the observing thread.
    asker: Duration,
}

/// Part of the time until the end, or until it was observed, that is not the fault of the process.
#[derive(Default)]
struct Excuse {
    /// Waits of the process since the beginning.
    process: Duration,
    /// Wait of the observer since the last observation. Earlier waits do not count, since the process outlived them.
    asker: Duration,
}

impl Excuse {
    /// Adds the waits since the last observation, `elapsed` ago.
    fn add(&mut self, waited: Waited, elapsed: Duration) {
        let process = waited.process.min(elapsed);
        self.process += process;
        self.asker = waited.asker.min(elapsed - process);
    }

    fn whole(&self) -> Duration {
        self.process + self.asker
    }
}

/// Accumulated waits of the process's threads and of the observer, as of the last call.
#[derive(Default)]
struct Queue(HashMap<String, Duration>);

impl Queue {
    /// Returns the waits since the last call.
    fn waited_more(&mut self, process: u32) -> Waited {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let paths = tasks.map(|task| task.path().join("schedstat").to_string_lossy().into_owned());
        Waited {
            process: paths.map(|path| self.more(path)).sum(),
            asker: self.more("/proc/thread-self/schedstat".to_owned()),
        }
    }

    fn more(&mut self, path: String) -> Duration {
        let Some(waited) = waited(&path) else { return Duration::ZERO };
        let before = self.0.insert(path, waited).unwrap_or(waited);
        waited.saturating_sub(before)
    }
}

fn waited(path: &str) -> Option<Duration> {
    let text = fs::read_to_string(path).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_excuses_by_its_own_waits_no_more_than_the_last_one() {
        let (look, wait) = (Duration::from_millis(10), Duration::from_millis(7));
        let mut excuse = Excuse::default();
        for _ in 0..300 {
            excuse.add(Waited { process: Duration::ZERO, asker: wait }, look);
        }
        assert_eq!(excuse.whole(), wait);
        for _ in 0..100 {
            excuse.add(Waited { process: wait, asker: wait }, look);
        }
        assert_eq!(excuse.whole(), wait * 100 + (look - wait), "the excuse is never longer than the wait");
    }
}
