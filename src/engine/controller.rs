//! The controller: one queue of events in, replies out. It alone starts and stops searches.
//!
//! `machine.rs` is the whole of what it does when, by what the engine is doing (`phase.rs`) and what it is told; the other files
//! tell how it is done.

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
// More than eighty thousand orders are too many for an interpreter, and nothing in them is shared between threads.
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
