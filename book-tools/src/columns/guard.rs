//! Guard against panics of the Parquet crate, which occur on some damaged files: negative lengths, levels of no width,
//! impossible numbers of bits. They become ordinary errors; panics of other code are unaffected.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use anyhow::{Context, Result, anyhow};

thread_local! {
    /// Whether this thread is inside the crate: the message of its panic is replaced by a better one.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that uses the crate; adds the file name to errors.
pub(super) fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !READING.get() {
                usual(info);
            }
        }));
    });
    READING.set(true);
    // The reader is not used after an error.
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    read.unwrap_or_else(|_| Err(anyhow!(DAMAGED))).with_context(|| path.display().to_string())
}

const DAMAGED: &str = "it is damaged";
