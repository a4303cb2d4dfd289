//! Processes without groups.

use std::process::{Child, Command};

/// There is nothing to do.
pub(super) fn separate(_command: &mut Command) {}

/// Kills a process that has not been waited for.
pub(super) fn kill(child: &mut Child) {
    // An error means that it has ended by itself.
    let _ = child.kill();
}
