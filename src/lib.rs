//! Chuhe (楚河), a Xiangqi engine: a library, and a thin binary that speaks UCCI and UCI around it.
//!
//! Layers, highest first; a module names only modules of lower lines (`tests/architecture.rs`):
//!
//! * [`dialogue`] joins stdin, a protocol, the engine and stdout; `terminal` shows people what they ask for,
//!   [`commands`] prints what the sub-commands find.
//! * [`protocol`] knows the text of UCCI and UCI and the engine's events, not the search; [`logging`] knows files, not
//!   meaning; [`aside`] says on stderr what has no other place, `departure` ends a process whose threads wait for ever.
//! * [`engine`] knows who asked for what: one queue, the controller, its workers. It knows no text.
//! * [mod@bench] knows fixed positions and a node count, [`referee`] cases with known verdicts, [`genfens`] random openings
//!   that a search finds even.
//! * [`search`] knows positions, scores and one worker's memory; no clock, no input, no text.
//! * [`eval`] values a position, [`rules`] says who has lost, [`notation`] writes and reads moves, [`book`] remembers
//!   openings, [`endgame`] knows the last moves; none knows the others.
//! * [`board`] knows how pieces move; no repetition, no evaluation, no search.
//! * [`score`] knows centipawns, mates and bans.
//! * [`smp`] is what threads need that search together, for this game and for others: the table of words under keys, stop
//!   flags, counters, the pool of workers, clocks and budgets, the vote. It knows no game.
//! * [`splitmix`] makes words out of numbers; `file` opens regular files and nothing else, [`stream`] waits for streams that
//!   do not wait; [`interruption`] hears that the system wants the process to end; `sync` knows whether the atomics are real
//!   or a model's.
//!
//! ```
//! use chuhe::board::Position;
//! let start = Position::start();
//! assert!(start.is_legal("h2e2".parse().unwrap()));
//! ```
#![deny(unsafe_code)]

pub mod aside;
pub mod bench;
pub mod board;
pub mod book;
pub mod commands;
mod departure;
pub mod dialogue;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod file;
pub mod genfens;
pub mod interruption;
pub mod logging;
pub mod notation;
pub mod protocol;
pub mod referee;
pub mod rules;
pub mod score;
pub mod search;
pub mod smp;
pub mod splitmix;
pub mod stream;
mod sync;
mod terminal;
