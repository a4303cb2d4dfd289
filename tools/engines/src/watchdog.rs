//! A process that outlives this one to end the engines that are left: a program killed by `SIGKILL` cannot do so itself,
//! and an engine that searches does not notice the end of its input.
//!
//! Every engine leads a process group, whose number is sent to the watchdog through a pipe and withdrawn when the engine has
//! ended. When the pipe ends, the watchdog kills all remaining groups, with all that the engines have started. The Linux signal
//! for the death of a parent (`PR_SET_PDEATHSIG`) would be sent at the end of the thread that started the engine, and only
//! to the engine itself.
//!
//! On systems other than Unix there is no watchdog.

use std::collections::HashSet;
use std::io::{self, BufRead, PipeWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Write end of the pipe, if there is a watchdog.
static PIPE: Mutex<Option<PipeWriter>> = Mutex::new(None);

/// Starts the watchdog of this process with a command that calls [`detach`] and ends.
///
/// # Errors
/// If the command cannot be started.
pub fn begin(command: &mut Command) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let (reader, writer) = io::pipe()?;
    let status = quiet(command).stdin(reader).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("it ended with {status}")));
    }
    *PIPE.lock().unwrap_or_else(PoisonError::into_inner) = Some(writer);
    Ok(())
}

/// Starts the watchdog itself with a command that calls [`watch`]. It is not a child of the watched process, whose children are
/// engines, and it is detached from the terminal's Ctrl-C.
///
/// # Errors
/// If the command cannot be started.
pub fn detach(command: &mut Command) -> io::Result<()> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Readers of the watched process's output have to see its end, so the watchdog does not keep it open.
    quiet(command).stdin(Stdio::inherit()).spawn().map(drop)
}

/// Makes a command write no output and keep no folder busy.
fn quiet(command: &mut Command) -> &mut Command {
    command.stdout(Stdio::null()).stderr(Stdio::null()).current_dir(Path::new("/"))
}

/// Runs the watchdog: when `input` ends, kills all groups that were named and not withdrawn.
pub fn watch(input: impl BufRead) {
    for group in left(input) {
        kill(group);
    }
}

/// Returns the groups that were named and not withdrawn.
fn left(input: impl BufRead) -> HashSet<u32> {
    let mut groups = HashSet::new();
    // A line that is not UTF-8 ends the input like an error.
    for line in input.lines().map_while(Result::ok) {
        let number = |text: &str| text.parse().ok().filter(|group| *group > 1);
        if let Some(group) = line.strip_prefix('+').and_then(number) {
            groups.insert(group);
        } else if let Some(group) = line.strip_prefix('-').and_then(number) {
            groups.remove(&group);
        }
    }
    groups
}

#[cfg(unix)]
fn kill(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(group) {
        // An error means that the group has already ended.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// A process group that the watchdog kills if this process ends before the guard is dropped.
#[derive(Debug)]
pub(crate) struct Guard(u32);

impl Guard {
    /// Sends the group led by this process to the watchdog.
    pub(crate) fn new(leader: u32) -> Self {
        tell('+', leader);
        Self(leader)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        tell('-', self.0);
    }
}

fn tell(sign: char, group: u32) {
    if let Some(pipe) = PIPE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        // A watchdog that was killed itself no longer reads.
        let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_have_ended_are_not_killed() {
        let listing = "+100\n+200\n-100\n+300\n-7\n+1\n+0\n+x\n+-5\nrubbish\n+400";
        assert_eq!(left(listing.as_bytes()), HashSet::from([200, 300, 400]));
        assert!(left(&b""[..]).is_empty());
        assert_eq!(left(&b"+100\n\xff\n-100\n"[..]), HashSet::from([100]));
    }
}
