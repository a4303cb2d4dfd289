//! Time management: how much time a move may take, and a thread that signals its end.
//!
//! Of a search it knows the stop flag, which it raises when an alarm is due, and its progress, by which the limits
//! are revised; neither the game, nor the tree, nor the caller. The pure part ([`Budget`]) never reads a clock.

mod alarm;
mod budget;
mod clock;
mod lateness;
mod manager;
mod progress;
mod timekeeper;
mod trend;

pub(crate) use alarm::AlarmClock;
pub use budget::Budget;
pub use clock::{Circumstances, Clock, Horizon};
pub use lateness::Lateness;
pub use manager::TimeManager;
pub use progress::Progress;
pub use timekeeper::{AlarmId, Timekeeper};
