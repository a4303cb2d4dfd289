//! Process groups, where there are any.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

/// Gives the process a group of its own, so that the terminal's Ctrl-C is not for it.
pub(super) fn separate(command: &mut Command) {
    command.process_group(0);
}

/// Kills a process that has not been waited for, and those it has started.
pub(super) fn kill(child: &mut Child) {
    // An error means that it has ended by itself.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}
