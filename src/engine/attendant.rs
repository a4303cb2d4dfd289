//! Observer of one search: forwards the workers' reports to the event queue, and throttles the workers for the option `idle`.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::event::{CurrentLine, Event, ProvenMoves, Refutation, RootMove, SearchId};
use crate::search::Observer;
use crate::smp::stop::StopFlag;

/// Minimum working time of a worker between two rests.
const WORK: Duration = Duration::from_millis(2);
/// Longest sleep between two checks of the stop flag.
const NAP: Duration = Duration::from_millis(5);
/// Maximum length of a rest, in naps: the time since the last rest may include time without the processor.
const NAPS: u32 = 4;

/// Whether there are more workers than processors, so that threads wait for their time slices.
pub(super) fn outnumber_processors(workers: usize) -> bool {
    workers > num_cpus::get()
}

/// The observer of one search.
#[derive(Debug)]
pub(super) struct EventObserver {
    search: SearchId,
    events: Sender<Event>,
    /// Share of the processor that stays free, in percent, below 100.
    idle_percent: u32,
    /// Whether there are more workers than processors: they then yield, so that a stop does not wait for all their time slices.
    crowded: bool,
    /// Time of each worker's last rest.
    awake_since: Box<[Mutex<Instant>]>,
}

impl EventObserver {
    /// Creates the observer of a search by this number of workers.
    pub(super) fn new(search: SearchId, events: Sender<Event>, workers: usize, idle_percent: u32) -> Self {
        let now = Instant::now();
        let crowded = outnumber_processors(workers);
        Self { search, events, idle_percent, crowded, awake_since: (0..workers).map(|_| Mutex::new(now)).collect() }
    }

    /// Sends an event, unless the controller is gone.
    fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }
}

impl Observer for EventObserver {
    fn root_move(&self, begun: RootMove) {
        self.tell(Event::RootMove(self.search, begun));
    }

    fn refutation(&self, refutation: Refutation) {
        self.tell(Event::Refutation(self.search, refutation));
    }

    fn current_line(&self, current: CurrentLine) {
        self.tell(Event::CurrentLine(self.search, current));
    }

    fn proven_moves(&self, proven: ProvenMoves) {
        self.tell(Event::ProvenMoves(self.search, proven));
    }

    fn rest(&self, worker: usize, stop: &StopFlag) {
        if self.crowded {
            thread::yield_now();
        }
        if self.idle_percent == 0 {
            return;
        }
        // Only the worker itself takes its lock, and an instant is never half written.
        let mut awake_since = self.awake_since[worker].lock().unwrap_or_else(PoisonError::into_inner);
        let worked = awake_since.elapsed();
        if worked < WORK {
            return;
        }
        let mut rest = rest_after(worked, self.idle_percent);
        while !rest.is_zero() && !stop.is_raised() {
            let nap = rest.min(NAP);
            thread::sleep(nap);
            rest -= nap;
        }
        *awake_since = Instant::now();
    }
}

/// Returns the rest due after this much work, so that `idle_percent` of the time is free.
fn rest_after(worked: Duration, idle_percent: u32) -> Duration {
    (worked * idle_percent / (100 - idle_percent)).min(NAP * NAPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn rest_and_work_are_in_proportion() {
        let work = Duration::from_millis(6);
        assert_eq!(rest_after(work, 25) * 3, work);
        assert_eq!(rest_after(work, 50), work);
        assert_eq!(rest_after(work, 75), work * 3);
        assert_eq!(rest_after(Duration::from_secs(60), 75), NAP * NAPS);
    }

    #[test]
    fn nobody_rests_once_the_search_shall_end() {
        let observer = EventObserver::new(SearchId(1), channel().0, 1, 75);
        let stop = StopFlag::default();
        thread::sleep(WORK);
        let before = Instant::now();
        observer.rest(0, &stop);
        assert!(before.elapsed() >= WORK * 3);
        stop.raise();
        let many = 1000;
        let before = Instant::now();
        (0..many).for_each(|_| observer.rest(0, &stop));
        assert!(before.elapsed() < NAP * many);
    }
}
