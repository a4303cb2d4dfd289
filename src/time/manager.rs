//! The time-manager thread: sleeps until the deadline of a search, then says so. Knows ids and instants, no clocks.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::timekeeper::Timekeeper;
use crate::search::SearchId;

/// The real clock, with its alarm on a thread of its own. Dropping it joins the thread.
#[derive(Debug)]
pub struct TimeManager {
    /// Present until the manager is dropped, like `thread`.
    orders: Option<Sender<Option<Alarm>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone, Copy, Debug)]
struct Alarm {
    search: SearchId,
    at: Instant,
}

impl TimeManager {
    /// Starts the thread; it calls `ring` when a deadline has come.
    ///
    /// # Errors
    /// If the system has no thread for us.
    pub fn spawn(ring: impl Fn(SearchId) + Send + 'static) -> io::Result<Self> {
        let (orders, inbox) = unbounded();
        let thread = thread::Builder::new().name("time".to_owned()).spawn(move || keep_time(&inbox, ring))?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    fn order(&self, alarm: Option<Alarm>) {
        if let Some(orders) = &self.orders {
            orders.send(alarm).expect("the thread listens until the manager is dropped");
        }
    }
}

impl Timekeeper for TimeManager {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn arm(&self, search: SearchId, at: Instant) {
        self.order(Some(Alarm { search, at }));
    }

    fn disarm(&self) {
        self.order(None);
    }
}

impl Drop for TimeManager {
    fn drop(&mut self) {
        // The thread ends when nobody can give orders any more.
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the time manager does not panic");
        }
    }
}

fn keep_time(inbox: &Receiver<Option<Alarm>>, ring: impl Fn(SearchId)) {
    let mut armed: Option<Alarm> = None;
    loop {
        let order = match armed {
            Some(alarm) => inbox.recv_deadline(alarm.at),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match order {
            Ok(alarm) => armed = alarm,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(alarm) = armed.take() {
                    ring(alarm.search);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(600);
    const PATIENCE: Duration = Duration::from_secs(60);

    fn manager() -> (TimeManager, Receiver<SearchId>) {
        let (sender, alarms) = unbounded();
        let ring = move |search| sender.send(search).expect("the test listens");
        (TimeManager::spawn(ring).unwrap(), alarms)
    }

    #[test]
    fn it_rings_once_and_not_before_the_deadline() {
        let (manager, alarms) = manager();
        let deadline = Instant::now() + SHORT;
        manager.arm(SearchId(7), deadline);
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(SearchId(7)));
        assert!(Instant::now() >= deadline);
        assert!(alarms.recv_timeout(2 * SHORT).is_err());
    }

    #[test]
    fn a_deadline_in_the_past_rings_now() {
        let (manager, alarms) = manager();
        manager.arm(SearchId(1), Instant::now());
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(SearchId(1)));
    }

    #[test]
    fn the_last_order_counts() {
        let (manager, alarms) = manager();
        manager.arm(SearchId(1), Instant::now() + LONG);
        manager.arm(SearchId(2), Instant::now() + SHORT);
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(SearchId(2)));
        manager.arm(SearchId(3), Instant::now() + LONG);
        manager.disarm();
        assert!(alarms.recv_timeout(2 * SHORT).is_err());
    }

    #[test]
    fn dropping_it_ends_the_thread() {
        let (manager, alarms) = manager();
        manager.arm(SearchId(1), Instant::now() + LONG);
        drop(manager);
        assert!(alarms.recv().is_err(), "the thread is gone and took its sender along");
    }
}
