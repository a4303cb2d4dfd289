//! Shutdown watchdog: the process ends with all its threads if they end soon, otherwise without them. A thread may be blocked
//! for ever while it writes to a client that does not read.

use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Grace period for an orderly end.
const PATIENCE: Duration = Duration::from_millis(900);
/// Interval between two checks of the output.
const GLANCE: Duration = Duration::from_millis(50);

/// Ends the process unless it ends by itself within the grace period.
pub(crate) fn end_soon() -> ! {
    thread::sleep(PATIENCE);
    end()
}

/// Exits with success: the end was requested.
fn end() -> ! {
    process::exit(0)
}

/// State of the output, which others may read while one thread writes to it.
#[derive(Default)]
pub(crate) struct Outlet(Mutex<Situation>);

#[derive(Default)]
struct Situation {
    /// Time since when a reply is being written.
    writing_since: Option<Instant>,
    /// Time since when the controller has been preparing table and workers, without handling any event.
    working_since: Option<Instant>,
    /// Whether the user may read later.
    has_time: bool,
}

impl Outlet {
    /// Writes a reply, and records that it is being written.
    pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        self.situation().writing_since = Some(Instant::now());
        let written = write();
        self.situation().writing_since = None;
        written
    }

    /// Records the start or the end of work during which no event is handled.
    pub(crate) fn at_work(&self, is_at_work: bool) {
        self.situation().working_since = is_at_work.then(Instant::now);
    }

    /// Sets whether the user may take time to read.
    pub(crate) fn leave_time(&self, has_time: bool) {
        self.situation().has_time = has_time;
    }

    /// Waits for the end that the user has requested. Ends the process if earlier replies are not read, or if work that is not
    /// needed any more takes too long.
    pub(crate) fn end_unless_read(&self) -> ! {
        let asked = Instant::now();
        loop {
            thread::sleep(GLANCE);
            if self.is_stuck(asked, Instant::now()) {
                end();
            }
        }
    }

    /// Whether a reply or a piece of work has been under way for too long since the user `asked` for the end.
    fn is_stuck(&self, asked: Instant, now: Instant) -> bool {
        let Situation { writing_since, working_since, has_time } = *self.situation();
        let takes_long = |since: Instant| now.saturating_duration_since(since.max(asked)) >= PATIENCE;
        !has_time && [writing_since, working_since].into_iter().flatten().any(takes_long)
    }

    fn situation(&self) -> MutexGuard<'_, Situation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_is_not_read_in_time_is_stuck() {
        let outlet = Outlet::default();
        let asked = Instant::now();
        let late = asked + Duration::from_secs(1000);
        assert!(!outlet.is_stuck(asked, late), "there is nothing to say");
        outlet.write(|| {
            assert!(outlet.is_stuck(asked, late));
            assert!(!outlet.is_stuck(late, late), "the end was not asked for until now");
            assert!(!outlet.is_stuck(asked, Instant::now()), "it has just begun");
            outlet.leave_time(true);
            assert!(!outlet.is_stuck(asked, late), "the user may take their time");
            outlet.leave_time(false);
        });
        assert!(!outlet.is_stuck(asked, late), "it was read");
        outlet.at_work(true);
        assert!(outlet.is_stuck(asked, late), "it does not end");
        outlet.at_work(false);
        assert!(!outlet.is_stuck(asked, late), "it is done");
    }
}
