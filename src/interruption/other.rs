//! Interruption on systems without signals.

use std::io;

/// Calls `listener` at Ctrl-C and similar events.
pub(super) fn listen(listener: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(listener).map_err(io::Error::other)
}
