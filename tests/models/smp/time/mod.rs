//! The files of `src/smp/time` that the models play.

#[path = "../../../../src/smp/time/manager.rs"]
mod manager;
#[path = "../../../../src/smp/time/timekeeper.rs"]
mod timekeeper;

pub use manager::TimeManager;
pub use timekeeper::{AlarmId, Timekeeper};
