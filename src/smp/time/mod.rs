//! Time: how much of it a move may take, and a thread that says when it is gone.
//!
//! Of a search it knows the stop flag, which it raises when an alarm is due, and its progress, by which the limits are
//! revised; neither the game, nor the tree, nor who asked. The pure part ([`Budget`]) never asks what time it is.

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
pub use progress::{Found, Progress};
pub use timekeeper::{AlarmId, Timekeeper};
