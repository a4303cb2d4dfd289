//! Clock of the controller: current time, one alarm, and waiting for it. A test can use a clock that it advances
//! itself.

use std::time::Instant;

use crate::smp::stop::StopFlag;
use crate::sync::mpsc::{Receiver, RecvTimeoutError};

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
