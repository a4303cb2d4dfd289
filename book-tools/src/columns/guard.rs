//! The crate that reads Parquet panics on some damaged files: negative lengths, levels of no width, numbers of bits that no
//! number has. A panic of its is an error like others here; nothing else is guarded.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::process;
use std::sync::Once;

use anyhow::{Context, Result, anyhow};

thread_local! {
    /// The file that this thread lets the crate read just now.
    static READING: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does what the crate is needed for, and says of which file it is if that fails. In a program whose panics do not unwind,
/// such as a release build of ours, a panic is said and ends the program.
pub(super) fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| READING.with_borrow(|place| told(place.as_deref(), info, &usual))));
    });
    READING.set(Some(path.display().to_string()));
    // Whoever gets an error lets go of the reader.
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(None);
    read.unwrap_or_else(|_| Err(anyhow!(DAMAGED))).with_context(|| path.display().to_string())
}

const DAMAGED: &str = "it is damaged";

fn told(place: Option<&str>, info: &PanicHookInfo<'_>, usual: &dyn Fn(&PanicHookInfo<'_>)) {
    match place {
        None => usual(info),
        Some(place) if cfg!(panic = "abort") => {
            eprintln!("book-tools: {place}: {DAMAGED}");
            process::exit(1);
        }
        // It will be caught.
        Some(_) => {}
    }
}
