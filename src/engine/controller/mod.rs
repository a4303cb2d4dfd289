//! The controller: one queue of events in, replies out. It alone starts and stops searches.
//!
//! | file | subject |
//! |---|---|
//! | `machine.rs` | the state machine: what each event does in each phase |
//! | `inbox.rs`, `turn.rs`, `backlog.rs` | when input is due, and the input that waits |
//! | `start.rs` | from `go` to an active search, a book move or an instant move |
//! | `answer.rs` | reports, the end of a search, and its answer |
//! | `session.rs`, `settings.rs`, `terminal.rs` | all that is known between searches |

mod answer;
mod backlog;
mod echo;
mod inbox;
mod machine;
// More than eighty thousand interleavings are too many for an interpreter, and no threads share anything in them.
mod phase;
mod session;
mod settings;
mod start;
mod state;
mod terminal;
#[cfg(all(test, not(miri)))]
mod tests;
mod turn;

pub use session::{FrontEnd, ViewContext};
pub use state::{Controller, StartError};
