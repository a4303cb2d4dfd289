//! Time: how much of it a move may take, and a thread that says when it is gone.
//!
//! Knows searches by their id alone; the pure part ([`Budget`]) never asks what time it is.

mod budget;
mod manager;
mod timekeeper;

pub use budget::{Budget, Circumstances, Clock, Horizon};
pub use manager::TimeManager;
pub use timekeeper::Timekeeper;
