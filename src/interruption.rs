//! The system's wish that the process ends: Ctrl-C, a request to terminate, the end of the terminal. Knows who is to hear of
//! it, not what it means to him.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg_attr(unix, path = "interruption/unix.rs")]
#[cfg_attr(not(unix), path = "interruption/other.rs")]
mod system;

/// There is one listener in a process.
static IS_HEARD: AtomicBool = AtomicBool::new(false);

/// Calls `listener`, on a thread of its own, each time the system wants the process to end, which then does not end by itself. On
/// Linux a hangup that is ignored when we begin stays so: whoever has started us by nohup(1) wants us to outlive the terminal.
///
/// # Errors
/// If there is a listener already, or the system does not let us listen.
pub fn listen(listener: impl FnMut() + Send + 'static) -> io::Result<()> {
    if IS_HEARD.swap(true, Ordering::Relaxed) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    system::listen(listener)
}
