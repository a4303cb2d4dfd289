//! Engines as processes: commands, answers and their timing. Independent of games in progress, matches and
//! game files.
//!
//! From the highest layer down:
//!
//! * [`player`] is an engine that plays: UCCI, UCI and the XBoard protocol behind one type.
//! * [`process`] handles lines, pipes and the end of processes, but no protocol.
//! * [`watchdog`] ends the engines of a program that was killed.
//! * [`compliance`] runs the dialogues of the engine's own tests with any engine; it shares only the names of [`protocol`] with players.
//!
//! [`protocol`] names the protocols that players and dialogues have in common.
//!
//! [`zoo`] is an engine that misbehaves in the ways named by its arguments. The tests of the dependent crates build
//! it as an example and run it.

pub mod compliance;
mod conformance;
pub mod player;
pub mod process;
pub mod protocol;
pub mod watchdog;
pub mod zoo;
