//! Engines as processes. Knows what they are told and what they answer, on time or not; knows no game under way, no match
//! and no file of games.
//!
//! Highest first:
//!
//! * [`player`] is an engine that plays: UCCI, UCI and the XBoard protocol behind one type.
//! * [`process`] knows lines, pipes and death, no protocol.
//! * [`watchdog`] ends the engines of a program that was killed.
//! * [`compliance`] holds the dialogues of the engine's own tests with any engine; it shares nothing with players.
//!
//! [`zoo`] is an engine that misbehaves in every way that its arguments name: the tests of all who use this library build
//! it as an example of their own, and drive it.

pub mod compliance;
mod conformance;
pub mod player;
pub mod process;
pub mod watchdog;
pub mod zoo;
