//! What the controller asks of time: the hour, one alarm, and to be woken for it. A test may answer with a clock that it
//! turns itself.

use std::time::Instant;

use crate::smp::stop::StopFlag;
use crate::sync::mpsc::{Receiver, RecvTimeoutError};

/// Names one setting of the alarm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AlarmId(pub u64);

/// A clock with one alarm. How it rings is settled when it is made.
pub trait Timekeeper {
    /// What time it is.
    fn now(&self) -> Instant;

    /// Raises `stop` and rings for `alarm` at that instant, and for nothing set before, unless it is ringing already:
    /// whoever hears it compares the numbers.
    fn arm(&self, alarm: AlarmId, stop: &StopFlag, at: Instant);

    /// Does not ring for what was set before, unless it is ringing already.
    fn disarm(&self);

    /// Waits for the next message, but no longer than until the alarm is due, if one is set for `alarm`. A clock that a test
    /// turns stands still while its owner waits.
    ///
    /// # Errors
    /// If the time is over, or nobody is left who could send a message.
    fn wait<M>(&self, queue: &Receiver<M>, _alarm: Option<Instant>) -> Result<M, RecvTimeoutError> {
        Ok(queue.recv()?)
    }
}
