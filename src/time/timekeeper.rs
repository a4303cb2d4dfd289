//! What the controller asks of time: the hour, and one alarm. A test may answer with a clock that it turns itself.

use std::time::Instant;

use super::alarm::AlarmId;
use crate::search::StopFlag;

/// A clock with one alarm. How it rings is settled when it is made.
pub trait Timekeeper {
    /// What time it is.
    fn now(&self) -> Instant;

    /// Raises `stop` and rings for `alarm` at that instant, and for nothing set before, unless it is ringing already:
    /// whoever hears it compares the numbers.
    fn arm(&self, alarm: AlarmId, stop: &StopFlag, at: Instant);

    /// Does not ring for what was set before, unless it is ringing already.
    fn disarm(&self);
}
