//! Time management: how much time a move may take, and a thread that signals its end.
//!
//! Of a search it knows the stop flag, which it raises when an alarm is due, and its progress, by which the limits
//! are revised; neither the game, nor the tree, nor the caller. The pure part ([`Budget`]) never reads a clock.

mod alarm;
mod budget;
mod clock;
#[cfg(test)]
mod tests;

pub(crate) use alarm::AlarmClock;
pub use alarm::{AlarmId, TimeManager, Timekeeper};
pub use budget::{Budget, Progress};
pub use clock::{Circumstances, Clock, Horizon, Latency};
