//! Alarm of a search: the clock of the controller, one alarm with numbered settings, and the time-manager thread that
//! sleeps until the alarm is due, raises the search's stop flag and rings. Knows numbers, instants and the flag, but no
//! game clocks.
//!
//! The thread raises the flag itself, because the controller may have to wait for the processor behind the very threads
//! that the flag stops: with 128 of them on two processors that took seconds. A test can use a clock that it advances
//! itself.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::smp::shared::StopFlag;
use crate::smp::time_slice;
use crate::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use crate::sync::thread::{self, JoinHandle};

/// Number of one setting of the alarm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AlarmId(pub u64);

/// A clock with one alarm. The way it rings is set when it is created.
pub trait Timekeeper {
    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Sets the alarm: raises `stop` and rings for `alarm` at that instant.
    ///
    /// An earlier setting no longer rings, unless it is ringing already: so the receiver compares the numbers.
    fn arm(&self, alarm: AlarmId, stop: &StopFlag, at: Instant);

    /// Cancels the alarm, unless it is ringing already.
    fn disarm(&self);

    /// Waits for the next message, but no longer than until the alarm is due, if one is set.
    ///
    /// A clock that a test advances stands still while its owner waits.
    ///
    /// # Errors
    /// If the time is over, or all senders are gone.
    fn wait<M>(&self, queue: &Receiver<M>, _alarm: Option<Instant>) -> Result<M, RecvTimeoutError> {
        Ok(queue.recv()?)
    }
}

/// A clock, and the one alarm that its owner waits for: the late ring of an earlier setting is not taken for the current one.
#[derive(Debug)]
pub(crate) struct AlarmClock<T> {
    clock: T,
    /// Number of times the alarm has been set.
    set: u64,
    awaited: Option<Alarm>,
}

/// One setting of the alarm.
#[derive(Debug)]
struct Alarm {
    id: AlarmId,
    stop: StopFlag,
    at: Instant,
}

impl<T: Timekeeper> AlarmClock<T> {
    pub(crate) fn new(clock: T) -> Self {
        Self { clock, set: 0, awaited: None }
    }

    pub(crate) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Sets the alarm to that instant, at which `stop` is raised; earlier settings no longer count.
    ///
    /// Setting it again to the same instant for the same flag wakes no thread.
    pub(crate) fn arm(&mut self, stop: &StopFlag, at: Instant) {
        if self.awaited.as_ref().is_some_and(|awaited| awaited.at == at && awaited.stop.is(stop)) {
            return;
        }
        self.set += 1;
        let id = AlarmId(self.set);
        self.awaited = Some(Alarm { id, stop: stop.clone(), at });
        self.clock.arm(id, stop, at);
    }

    /// Cancels the alarm.
    pub(crate) fn disarm(&mut self) {
        if self.awaited.take().is_some() {
            self.clock.disarm();
        }
    }

    /// Waits for the next message, or until the alarm is due.
    ///
    /// The thread that rings may itself still wait for the processor. Then `ring` makes the message, and the late
    /// ring is ignored. Returns `None` if all senders are gone.
    pub(crate) fn wait<M>(&self, queue: &Receiver<M>, ring: impl FnOnce(AlarmId) -> M) -> Option<M> {
        match self.clock.wait(queue, self.awaited.as_ref().map(|awaited| awaited.at)) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => self.awaited.as_ref().map(|awaited| ring(awaited.id)),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Handles a ring: returns the instant it was set for, if it belongs to the current setting.
    pub(crate) fn accept(&mut self, id: AlarmId) -> Option<Instant> {
        self.awaited.take_if(|awaited| awaited.id == id).map(|awaited| awaited.at)
    }
}

/// Real clock, with its alarm on a thread of its own. Dropping it joins the thread.
#[derive(Debug)]
pub struct TimeManager {
    /// Sender of orders; present until the manager is dropped, like `thread`.
    orders: Option<Sender<Option<Alarm>>>,
    thread: Option<JoinHandle<()>>,
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
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::Duration;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(600);
    const TIMEOUT: Duration = Duration::from_secs(60);

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
        assert_eq!(alarms.recv_timeout(TIMEOUT), Ok(AlarmId(7)));
        assert!(Instant::now() >= deadline);
        assert!(stop.is_raised(), "before it rings");
        assert!(alarms.recv_timeout(2 * SHORT).is_err());
    }

    #[test]
    fn a_deadline_in_the_past_rings_now() {
        let (manager, alarms) = manager();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now());
        assert_eq!(alarms.recv_timeout(TIMEOUT), Ok(AlarmId(1)));
    }

    #[test]
    fn the_last_order_counts() {
        let (manager, alarms) = manager();
        manager.arm(AlarmId(1), &StopFlag::default(), Instant::now() + LONG);
        manager.arm(AlarmId(2), &StopFlag::default(), Instant::now() + SHORT);
        assert_eq!(alarms.recv_timeout(TIMEOUT), Ok(AlarmId(2)));
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
        assert_eq!(alarms.recv_timeout(TIMEOUT), Ok(AlarmId(1)));
        manager.arm(AlarmId(2), &StopFlag::default(), Instant::now());
        assert_eq!(alarms.recv_timeout(TIMEOUT), Ok(AlarmId(2)));
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

    /// Orders to the clock; `None` is a disarm.
    type Orders = Rc<RefCell<Vec<Option<AlarmId>>>>;

    struct Paper(Orders);

    impl Timekeeper for Paper {
        fn now(&self) -> Instant {
            Instant::now()
        }

        fn arm(&self, alarm: AlarmId, _: &StopFlag, _: Instant) {
            self.0.borrow_mut().push(Some(alarm));
        }

        fn disarm(&self) {
            self.0.borrow_mut().push(None);
        }
    }

    #[test]
    fn an_alarm_that_is_set_as_it_was_is_not_set_again() {
        let orders = Orders::default();
        let mut clock = AlarmClock::new(Paper(Rc::clone(&orders)));
        let (stop, soon) = (StopFlag::default(), clock.now());
        let armed = || orders.borrow().len();
        clock.arm(&stop, soon);
        clock.arm(&stop.clone(), soon);
        assert_eq!(armed(), 1);
        clock.arm(&StopFlag::default(), soon);
        assert_eq!(armed(), 2, "it is another search");
        clock.arm(&stop, soon);
        clock.arm(&stop, soon + Duration::from_secs(1));
        assert_eq!(armed(), 4);
        assert!(clock.accept(AlarmId(4)).is_some());
        clock.arm(&stop, soon + Duration::from_secs(1));
        assert_eq!(armed(), 5, "it has rung");
    }

    #[test]
    fn only_the_last_alarm_is_heard_and_only_once() {
        let orders = Orders::default();
        let mut clock = AlarmClock::new(Paper(Rc::clone(&orders)));
        let (stop, soon) = (StopFlag::default(), clock.now());
        let late = soon + Duration::from_secs(1);
        clock.arm(&stop, soon);
        clock.arm(&stop, late);
        let [Some(first), Some(second)] = orders.borrow()[..] else { panic!("it was armed twice") };
        assert_ne!(first, second);
        assert_eq!(clock.accept(first), None, "it was replaced while it rang");
        assert_eq!(clock.accept(second), Some(late));
        assert_eq!(clock.accept(second), None);
        clock.arm(&stop, soon);
        clock.disarm();
        clock.disarm();
        assert_eq!(orders.borrow()[2..], [Some(AlarmId(3)), None]);
        assert_eq!(clock.accept(AlarmId(3)), None, "it was cancelled");
    }
}
