//! The file of `src/smp/time` that the models play.

#[path = "../../../../src/smp/time/alarm.rs"]
mod alarm;

pub use alarm::{AlarmId, TimeManager, Timekeeper};
