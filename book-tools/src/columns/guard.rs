//! The crate that reads Parquet panics on some damaged files: negative lengths, levels of no width, numbers of bits that no
//! number has. A panic of its is an error like others here; nothing else is guarded.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use anyhow::{Context, Result, anyhow};

thread_local! {
    /// This thread lets the crate read just now: what it says of its panic is said again, in better words.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Does what the crate is needed for, and says of which file it is if that fails.
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
    // Whoever gets an error lets go of the reader.
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    read.unwrap_or_else(|_| Err(anyhow!(DAMAGED))).with_context(|| path.display().to_string())
}

const DAMAGED: &str = "it is damaged";
