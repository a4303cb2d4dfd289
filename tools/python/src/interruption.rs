//! Long work without the interpreter's lock, which Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Time between two looks at Python's signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` on another thread until it ends or a signal arrives. `work` stops early once the flag is set.
///
/// # Errors
/// The exception that the signal raises, `KeyboardInterrupt` as a rule.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    py.detach(|| {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let (done, result) = channel();
            let stop = &stop;
            scope.spawn(move || {
                // The other end waits below.
                let _ = done.send(work(stop));
            });
            let mut raised = None;
            loop {
                match result.recv_timeout(PATIENCE) {
                    Ok(value) => return raised.map_or(Ok(value), Err),
                    Err(RecvTimeoutError::Disconnected) => panic!("the work has panicked"),
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(|py| py.check_signals()).err();
                        stop.store(raised.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })
}
