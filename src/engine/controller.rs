//! The controller: one queue of events in, replies out. It alone starts and stops searches.
//!
//! `machine.rs` is the complete state machine: what each event does in each phase (`phase.rs`). The other files implement the
//! steps.

mod alone;
mod answering;
mod backlog;
mod counting;
mod echo;
mod ending;
mod going;
mod hurry;
mod machine;
mod musing;
mod opening;
// More than eighty thousand interleavings are too many for an interpreter, and they share nothing between threads.
#[cfg(all(test, not(miri)))]
mod orders;
mod person;
mod phase;
mod playing;
mod probing;
mod queue;
mod reports;
mod settings;
mod state;

pub use state::{Controller, Scene, StartError, Surroundings};
