//! Time: how much of it a move may take, and a thread that says when it is gone.
//!
//! Knows no searches, only alarms by their number; the pure part ([`Budget`]) never asks what time it is.

mod alarm;
mod budget;
mod clock;
mod lateness;
mod manager;
mod timekeeper;

pub(crate) use alarm::AlarmClock;
pub use alarm::AlarmId;
pub use budget::Budget;
pub use clock::{Circumstances, Clock, Horizon};
pub use lateness::Lateness;
pub use manager::TimeManager;
pub use timekeeper::Timekeeper;
