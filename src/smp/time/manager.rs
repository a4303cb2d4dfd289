//! Time-manager thread: sleeps until an alarm is due, raises the search's stop flag and rings. Knows numbers,
//! instants and the flag, but no game clocks.
//!
//! It raises the flag itself, because the controller may have to wait for the processor behind the very threads that
//! the flag stops: with 128 of them on two processors that took seconds.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::timekeeper::{AlarmId, Timekeeper};
use crate::smp::stop::StopFlag;
use crate::smp::time_slice;
use crate::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use crate::sync::thread::{self, JoinHandle};

/// Real clock, with its alarm on a thread of its own. Dropping it joins the thread.
#[derive(Debug)]
pub struct TimeManager {
    /// Sender of orders; present until the manager is dropped, like `thread`.
    orders: Option<Sender<Option<Alarm>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Alarm {
    id: AlarmId,
    stop: StopFlag,
    at: Instant,
}

impl TimeManager {
    /// Starts the thread, which raises the flag of an alarm when it is due and then calls `ring`.
    ///
    /// If `ring` panics, nothing is lost but the ring.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn spawn(ring: impl Fn(AlarmId) + Send + 'static) -> io::Result<Self> {
        let (orders, inbox) = channel();
        let thread = thread::Builder::new().name("time".to_owned()).spawn(move || watch(&inbox, ring))?;
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

    fn arm(&self, id: AlarmId, stop: &StopFlag, at: Instant) {
        self.order(Some(Alarm { id, stop: stop.clone(), at }));
    }

    fn disarm(&self) {
        self.order(None);
    }

    fn wait<M>(&self, queue: &Receiver<M>, alarm: Option<Instant>) -> Result<M, RecvTimeoutError> {
        receive(queue, alarm)
    }
}

impl Drop for TimeManager {
    fn drop(&mut self) {
        // The thread ends when all senders of orders are gone.
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            // It survives every panic that could be reported here.
            let _ = thread.join();
        }
    }
}

/// Returns the next message, if it comes in time.
fn receive<M>(queue: &Receiver<M>, until: Option<Instant>) -> Result<M, RecvTimeoutError> {
    match until {
        Some(at) => queue.recv_timeout(at.saturating_duration_since(Instant::now())),
        None => Ok(queue.recv()?),
    }
}

/// Keeps time until all senders of orders are gone.
///
/// A search whose alarm never rings would never be answered, so a panic does not end the watch, and an alarm that has
/// not rung stays armed.
fn watch(inbox: &Receiver<Option<Alarm>>, ring: impl Fn(AlarmId)) {
    time_slice::request_short();
    let mut armed = None;
    while catch_unwind(AssertUnwindSafe(|| keep_time(inbox, &mut armed, &ring))).is_err() {}
}

fn keep_time(inbox: &Receiver<Option<Alarm>>, armed: &mut Option<Alarm>, ring: impl Fn(AlarmId)) {
    loop {
        match receive(inbox, armed.as_ref().map(|alarm| alarm.at)) {
            Ok(alarm) => *armed = alarm,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(alarm) = armed.take() {
                    alarm.stop.raise();
                    ring(alarm.id);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(600);
    const PATIENCE: Duration = Duration::from_secs(60);

    fn manager() -> (TimeManager, Receiver<AlarmId>) {
        let (sender, alarms) = channel();
        let ring = move |alarm| sender.send(alarm).expect("the test listens");
        (TimeManager::spawn(ring).unwrap(), alarms)
    }

    #[test]
    fn it_rings_once_and_not_before_the_deadline() {
        let (manager, alarms) = manager();
        let deadline = Instant::now() + SHORT;
        let stop = StopFlag::default();
        manager.arm(AlarmId(7), &stop, deadline);
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(AlarmId(7)));
        assert!(Instant::now() >= deadline);
        assert!(stop.is_raised(), "before it rings");
        assert!(alarms.recv_timeout(2 * SHORT).is_err());
    }

    #[test]
    fn a_deadline_in_the_past_rings_now() {
        let (manager, alarms) = manager();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now());
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(AlarmId(1)));
    }

    #[test]
    fn the_last_order_counts() {
        let (manager, alarms) = manager();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now() + LONG);
        manager.arm(AlarmId(2), &StopFlag::default(), Instant::now() + SHORT);
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(AlarmId(2)));
        manager.arm(AlarmId(3), &StopFlag::default(), Instant::now() + LONG);
        manager.disarm();
        assert!(alarms.recv_timeout(2 * SHORT).is_err());
    }

    #[test]
    fn a_ring_that_panics_does_not_end_the_watch() {
        let (sender, alarms) = channel();
        let ring = move |alarm| {
            sender.send(alarm).expect("the test listens");
            assert_ne!(alarm, AlarmId(1), "the test wants it");
        };
        let manager = TimeManager::spawn(ring).unwrap();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now());
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(AlarmId(1)));
        manager.arm(AlarmId(2), &StopFlag::default(), Instant::now());
        assert_eq!(alarms.recv_timeout(PATIENCE), Ok(AlarmId(2)));
        drop(manager);
        assert!(alarms.recv().is_err(), "it ends like any other");
    }

    #[test]
    fn dropping_it_ends_the_thread() {
        let (manager, alarms) = manager();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now() + LONG);
        drop(manager);
        assert!(alarms.recv().is_err(), "the thread is gone and took its sender along");
    }
}
