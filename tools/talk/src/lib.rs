//! Random conversations with the engine as a process, in both protocols and with everything a user can do; whatever the
//! engine says or fails to say against what is asked of both (`tests/data/requirements.tsv`) is a finding.
//!
//! * [`user`] decides by a seed what is said and when; [`act`] writes it down and reads it again.
//! * [`process`] runs the engine and reads the system's accounts of it; [`reply`] takes its lines apart.
//! * [`model`] knows the states of the dialogue, [`search`] what a search may say; both ask the library's board.
//! * [`audit`] holds what was said in games of the arena against the model.
//! * [`talk`] holds one conversation, [`shrink`] leaves out what a finding does not need.

pub mod act;
pub mod audit;
pub mod menu;
pub mod model;
pub mod process;
pub mod reply;
pub mod search;
pub mod shrink;
pub mod talk;
pub mod user;
