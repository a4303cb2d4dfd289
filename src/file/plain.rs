//! Opening files without precautions: replaces `unix.rs` outside of Unix and under miri.

use std::fs::OpenOptions;

/// Returns `options` unchanged.
pub(super) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Does nothing, as there is no such signal.
#[cfg(feature = "cli")]
pub(super) fn outlive_limits() {}
