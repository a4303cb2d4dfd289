//! Jobs that can be ended from outside, and the number of processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use crate::refusal::Refusal;
use crate::settings::MOST_PROCESSES;

/// A job of an engine or a watch, with the request to end it.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) number: u64,
    wish: Arc<AtomicU8>,
}

/// The page's wish about a job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Wish {
    /// The job goes on.
    Continue,
    /// The job ends and answers.
    Stop,
    /// The job ends for another one in its place.
    Replace,
    /// The answer is not wanted any more, but the engine is.
    Drop,
    /// The page has gone: the engine ends.
    Abandon,
}

const WISHES: [Wish; 5] = [Wish::Continue, Wish::Stop, Wish::Replace, Wish::Drop, Wish::Abandon];

impl Job {
    pub(crate) fn new(number: u64) -> Self {
        Self { number, wish: Arc::default() }
    }

    /// Raises the request; a stronger one stays.
    pub(crate) fn wish(&self, wish: Wish) {
        self.wish.fetch_max(wish as u8, Ordering::Relaxed);
    }

    pub(crate) fn wished(&self) -> Wish {
        WISHES[usize::from(self.wish.load(Ordering::Relaxed))]
    }

    pub(crate) fn stop(&self) {
        self.wish(Wish::Stop);
    }

    pub(crate) fn replace(&self) {
        self.wish(Wish::Replace);
    }

    pub(crate) fn cancel(&self) {
        self.wish(Wish::Drop);
    }

    pub(crate) fn abandon(&self) {
        self.wish(Wish::Abandon);
    }

    /// Whether somebody else still holds the job: the worker that performs it, or that will.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.wish) > 1
    }

    /// Whether the job should end, one way or another.
    pub(crate) fn is_over(&self) -> bool {
        self.wished() != Wish::Continue
    }
}

/// Number of engine processes of all pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processes(Arc<AtomicUsize>);

/// Right to run a process, given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit(Arc<AtomicUsize>);

impl Processes {
    /// Counts a process.
    pub(crate) fn permit(&self) -> Result<Permit, Refusal> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= MOST_PROCESSES {
            self.0.fetch_sub(1, Ordering::Relaxed);
            return Err(Refusal::new("too_many", format!("{MOST_PROCESSES} engines are running")));
        }
        Ok(Permit(Arc::clone(&self.0)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stronger_wish_stays() {
        let job = Job::new(1);
        assert!(!job.is_over());
        for (raise, wished) in
            [(Wish::Replace, Wish::Replace), (Wish::Stop, Wish::Replace), (Wish::Abandon, Wish::Abandon)]
        {
            job.wish(raise);
            assert_eq!(job.wished(), wished);
        }
        assert!(WISHES.is_sorted());
    }

    #[test]
    fn processes_are_counted_while_they_run() {
        let processes = Processes::default();
        let permits: Vec<_> = (0..MOST_PROCESSES).map(|_| processes.permit().unwrap()).collect();
        assert_eq!(processes.permit().unwrap_err().code, "too_many");
        drop(permits);
        assert!(processes.permit().is_ok());
    }
}
