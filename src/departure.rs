//! The end of the process: with all its threads if they come to it soon, otherwise without them. One of them may wait for
//! ever to write to somebody who does not read.

use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long an orderly end is waited for.
const PATIENCE: Duration = Duration::from_millis(900);
/// How often the output is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Ends the process unless it ends by itself in time.
pub(crate) fn end_soon() -> ! {
    thread::sleep(PATIENCE);
    end()
}

/// It is no failure: what was asked for is done.
fn end() -> ! {
    process::exit(0)
}

/// What others know of the output while one thread writes to it.
#[derive(Default)]
pub(crate) struct Outlet(Mutex<Situation>);

#[derive(Default)]
struct Situation {
    /// A reply is on its way.
    writing_since: Option<Instant>,
    /// The controller makes table and workers ready, and hears nothing else meanwhile.
    working_since: Option<Instant>,
    /// The user reads when he likes.
    has_time: bool,
}

impl Outlet {
    /// Writes a reply.
    pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        self.situation().writing_since = Some(Instant::now());
        let written = write();
        self.situation().writing_since = None;
        written
    }

    /// Work begins during which nothing is heard, or ends.
    pub(crate) fn at_work(&self, is_at_work: bool) {
        self.situation().working_since = is_at_work.then(Instant::now);
    }

    /// Whether the user may take all the time he wants to read.
    pub(crate) fn leave_time(&self, has_time: bool) {
        self.situation().has_time = has_time;
    }

    /// Waits for the end that the user has asked for, and ends the process if nobody reads what there is to say before, or work
    /// of which nothing is wanted any more takes too long.
    pub(crate) fn end_unless_read(&self) -> ! {
        let asked = Instant::now();
        loop {
            thread::sleep(GLANCE);
            if self.is_stuck(asked, Instant::now()) {
                end();
            }
        }
    }

    /// Whether one reply or one piece of work has been on its way for too long after the user has `asked` for the end.
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
            assert!(!outlet.is_stuck(asked, late), "the user may take his time");
            outlet.leave_time(false);
        });
        assert!(!outlet.is_stuck(asked, late), "it was read");
        outlet.at_work(true);
        assert!(outlet.is_stuck(asked, late), "it does not end");
        outlet.at_work(false);
        assert!(!outlet.is_stuck(asked, late), "it is done");
    }
}
