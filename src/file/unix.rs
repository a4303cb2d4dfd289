//! Precautions for opening files under Unix: a pipe would wait for its other end, and exceeding the file size limit
//! would end the process.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

/// Adds flags so that opening does not wait and does not make a terminal the controlling one. They do not affect regular files.
pub(super) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

/// Makes exceeding the file size limit an error like a full disk from now on, not a signal that ends the process.
#[cfg(feature = "cli")]
pub(super) fn outlive_limits() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // The flag is never read: the error says the same. If registering fails, exceeding the limit still ends the process.
    ONCE.call_once(|| drop(signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default())));
}
