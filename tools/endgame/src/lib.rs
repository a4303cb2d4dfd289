//! Solves endgames and writes the tables that Chuhe reads.
//!
//! Highest first:
//!
//! * [`cli`] knows the words of the command line; [`generate`], [`verify`], [`stats`], [`pack`], [`duel`] and [`probe`] do what they ask for, and
//!   [`progress`] tells how far they are.
//! * [`mates`] counts to the very end what the tables count to the next capture.
//! * [`folder`] knows which tables lie where and writes them whole or not at all.
//! * [`solver`] solves one material in memory, on [`parallel`] threads, and [`certificate`] looks which of its draws are draws
//!   under all rules of repetition; [`stage`] says which of their work is done, `plies` keeps what is found; [`board`]
//!   moves its men forwards and backwards. It knows no file, and shares no move with the engine's generator, by which [`verify`] checks what it has found.
#![forbid(unsafe_code)]

pub mod board;
pub mod certificate;
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
pub mod verify;
