//! A process that outlives this one to end the engines it leaves behind: a program that is killed by SIGKILL cannot do it itself,
//! and an engine that thinks does not notice that nobody talks to it any more.
//!
//! Every engine leads a process group, whose number goes through a pipe to the watchdog and is taken back when the engine has
//! ended. When the pipe ends, the watchdog kills all groups that are left, with all that the engines have started. The signal of
//! Linux for the death of a parent (`PR_SET_PDEATHSIG`) would come with the end of the thread that has started the engine, and
//! reach nobody but the engine.
//!
//! On Unix; elsewhere there is no watchdog.

use std::collections::HashSet;
use std::io::{self, BufRead, PipeWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The end of the pipe that is held here, if there is a watchdog.
static PIPE: Mutex<Option<PipeWriter>> = Mutex::new(None);

/// Starts the watchdog of this process by a command that calls [`detach`] and ends.
///
/// # Errors
/// If it cannot be started.
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

/// Starts the watchdog proper by a command that calls [`watch`], as no child of the process that is watched, whose children are
/// engines, and out of reach of the terminal's Ctrl-C.
///
/// # Errors
/// If it cannot be started.
pub fn detach(command: &mut Command) -> io::Result<()> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Whoever waits for the end of the output of the process that is watched does not wait for its watchdog.
    quiet(command).stdin(Stdio::inherit()).spawn().map(drop)
}

/// A command that says nothing and keeps no folder busy.
fn quiet(command: &mut Command) -> &mut Command {
    command.stdout(Stdio::null()).stderr(Stdio::null()).current_dir(Path::new("/"))
}

/// The watchdog itself: kills all groups that are named and not taken back when `input` ends.
pub fn watch(input: impl BufRead) {
    for group in left(input) {
        kill(group);
    }
}

/// The groups of which nobody has said that they have ended.
fn left(input: impl BufRead) -> HashSet<u32> {
    let mut groups = HashSet::new();
    // A line that is no text ends the input as an error does.
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
        // An error means that it has ended by itself.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// A process group that the watchdog kills if this process ends before this is dropped.
#[derive(Debug)]
pub(crate) struct Guard(u32);

impl Guard {
    /// Of the group that this process leads.
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
        // A watchdog that was killed itself watches nothing any more.
        let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_have_ended_are_not_killed() {
        let told = "+100\n+200\n-100\n+300\n-7\n+1\n+0\n+x\n+-5\nrubbish\n+400";
        assert_eq!(left(told.as_bytes()), HashSet::from([200, 300, 400]));
        assert!(left(&b""[..]).is_empty());
        assert_eq!(left(&b"+100\n\xff\n-100\n"[..]), HashSet::from([100]));
    }
}
