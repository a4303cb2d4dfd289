//! Generator of endgame tablebases (EGTB) by retrograde analysis: writes the tables that Chuhe reads.
//!
//! Modules, from the highest level down:
//!
//! * [`cli`] parses the command line; [`generate`], [`verify`], [`stats`], [`checksums`], [`pack`], [`duel`] and [`probe`] are
//!   its commands, and [`progress`] reports their progress.
//! * [`mates`] computes the distance to mate (DTM), where the tables have the distance to the next capture (DTC).
//! * [`folder`] finds the tables of a folder, and replaces their files atomically.
//! * [`solver`] solves one material on [`parallel`] threads, and [`certificate`] finds the draws that hold under all rules of
//!   repetition. [`stage`] measures their progress, `plies` stores distances, and [`board`] generates moves and retrograde
//!   moves. [`storage`] has the entries, in memory or in pages of a scratch file. The solver does not use the engine's move
//!   generator, with which [`verify`] checks its results.
#![forbid(unsafe_code)]

pub mod board;
pub mod certificate;
pub mod checksums;
mod chinese;
pub mod cli;
pub mod duel;
pub mod folder;
pub mod generate;
pub mod mates;
pub mod pack;
pub mod parallel;
mod plies;
pub mod probe;
pub mod progress;
pub mod solver;
pub mod stage;
pub mod stats;
pub mod storage;
pub mod verify;
