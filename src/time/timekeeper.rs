//! What the controller asks of time: the hour, and one alarm. A test may answer with a clock that it turns itself.

use std::time::Instant;

use crate::search::SearchId;

/// A clock with one alarm. How it rings is settled when it is made.
pub trait Timekeeper {
    /// What time it is.
    fn now(&self) -> Instant;

    /// Rings for `search` at that instant, and for nothing set before.
    fn arm(&self, search: SearchId, at: Instant);

    /// Does not ring for what was set before, unless it is ringing already: whoever hears it compares the ids.
    fn disarm(&self);
}
