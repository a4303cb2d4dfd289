//! Random conversations with the engine as a process, in both protocols and with everything a user can do.
//!
//! Output that violates the requirements (`tests/data/requirements.tsv`), or is missing, is a finding.
//!
//! * [`user`] generates acts and their timing from a seed; [`act`] writes and reads them.
//! * [`process`] runs the engine and reads the system's accounts of it; [`parser`] turns its lines into [`reply`].
//! * [`model`] holds the states of the dialogue, [`search`] those of a search; both use the library's board.
//! * [`audit`] checks logs of the arena against the model.
//! * [`talk`] holds one conversation, [`shrink`] shortens that of a finding.

pub mod act;
pub mod audit;
pub mod menu;
pub mod model;
pub mod parser;
pub mod process;
pub mod reply;
pub mod search;
pub mod shrink;
pub mod talk;
pub mod user;
