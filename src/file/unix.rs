//! What opening a file takes under Unix: a pipe would wait for somebody at its other end, and too large a file would end
//! the process.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Arc, Once};

/// The same options; whatever is opened does not make us wait and does not become our terminal. A regular file is none the
/// different for it.
pub(super) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

/// From now on a file that is not allowed to grow is an error like a full disk, not a signal that ends the process.
pub(super) fn outlive_limits() {
    static ONCE: Once = Once::new();
    // The flag says nothing that the error does not say. Without a handler files have all they need, or the process ends.
    ONCE.call_once(|| drop(signal_hook::flag::register(libc::SIGXFSZ, Arc::default())));
}
