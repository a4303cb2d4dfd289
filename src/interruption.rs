//! Interruption by the system: Ctrl-C, a request to terminate, the end of the terminal. The listener decides what follows from
//! it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg_attr(unix, path = "interruption/unix.rs")]
#[cfg_attr(not(unix), path = "interruption/other.rs")]
mod system;

/// Whether there is a listener; a process has one at most.
static IS_HEARD: AtomicBool = AtomicBool::new(false);

/// Calls `listener`, on its own thread, each time the system requests the end of the process, which then does not end by
/// itself.
///
/// On Linux a hangup that is ignored at the start stays ignored: a user who starts the engine by nohup(1) wants it to outlive
/// the terminal.
///
/// # Errors
/// If there is a listener already, or the system does not allow one.
pub fn listen(listener: impl FnMut() + Send + 'static) -> io::Result<()> {
    if IS_HEARD.swap(true, Ordering::Relaxed) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    system::listen(listener)
}
