//! Alarm with numbered settings, so that the late ring of an earlier setting is not taken for the current one.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use super::timekeeper::{AlarmId, Timekeeper};
use crate::smp::stop::StopFlag;

/// A clock, and the one alarm that its owner waits for.
#[derive(Debug)]
pub(crate) struct AlarmClock<T> {
    clock: T,
    /// Number of times the alarm has been set.
    set: u64,
    awaited: Option<Awaited>,
}

/// Current setting of the alarm.
#[derive(Debug)]
struct Awaited {
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
        self.awaited = Some(Awaited { id, stop: stop.clone(), at });
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
    pub(crate) fn hear(&mut self, id: AlarmId) -> Option<Instant> {
        self.awaited.take_if(|awaited| awaited.id == id).map(|awaited| awaited.at)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::Duration;

    use super::*;

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
        assert!(clock.hear(AlarmId(4)).is_some());
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
        assert_eq!(clock.hear(first), None, "it was replaced while it rang");
        assert_eq!(clock.hear(second), Some(late));
        assert_eq!(clock.hear(second), None);
        clock.arm(&stop, soon);
        clock.disarm();
        clock.disarm();
        assert_eq!(orders.borrow()[2..], [Some(AlarmId(3)), None]);
        assert_eq!(clock.hear(AlarmId(3)), None, "nobody waits for it any more");
    }
}
