//! Chuhe (楚河), a Xiangqi engine: a library, and a thin binary that speaks UCCI and UCI around it.
//!
//! Layers, highest first; a module names only modules of lower lines (`tests/architecture.rs`):
//!
//! * `dialogue` connects stdin, a protocol, the engine and stdout; `terminal` writes the output for users at a terminal,
//!   `commands` that of the sub-commands, `logging` the log file. All of these need the feature `cli`.
//! * [`protocol`] converts the text of UCCI and UCI to the engine's events and back, without the search.
//! * [`engine`] is the controller with its queue of events, its workers and its options. It contains no protocol text.
//! * [mod@bench] searches fixed positions and counts nodes, [`referee`] judges games and cases, [`genfens`] makes random
//!   openings that a search finds even.
//! * [`search`] is the search of one worker: positions, scores and its memory; no clock, no input, no text.
//! * [`eval`] evaluates positions, [`rules`] decides who has lost, [`notation`] writes and reads moves, [`book`] holds opening
//!   books, [`endgame`] endgame tablebases; none depends on the others.
//! * [`board`] moves the pieces; no repetition, no evaluation, no search.
//! * [`score`] defines centipawns, mates and bans.
//! * [`smp`] is what threads need to search together, in this game and in others: the transposition table, stop flags,
//!   counters, the pool of workers, clocks and budgets, the vote. It does not depend on any game.
//! * [`splitmix`] generates pseudorandom numbers; [`file`](mod@file) opens regular files only; [`io`] handles the standard
//!   streams and, with the feature `cli`, signals and the shutdown watchdog; `sync` chooses between real atomics and those of a
//!   model; `help` (feature `cli`) lays out the text of `--help`, in Chinese too.
//!
//! | features | modules | dependencies besides |
//! |---|---|---|
//! | none (`default-features = false`) | `board`, `book`, `endgame`, `file`, `notation`, `referee`, `rules`, `score`, `splitmix` | none |
//! | `engine` | also `bench`, `engine`, `eval`, `genfens`, `io`, `protocol`, `search`, `smp` | crossbeam, num_cpus, tracing |
//! | `cli` (default) | the program too: command line, signals, log | clap, signal-hook or ctrlc, tracing-subscriber |
//!
//! A search of the start position, six plies deep, and its principal variation:
//!
//! ```
//! # #[cfg(feature = "engine")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use chuhe::board::Position;
//! use chuhe::eval::nnue::Network;
//! use chuhe::search::{Limits, Plan, SearchContext, Searcher, Silent};
//! use chuhe::smp::table::Table;
//!
//! let context = SearchContext {
//!     limits: Limits { depth: Some(6), ..Limits::default() },
//!     plan: Plan { network: Network::embedded().cloned(), ..Plan::default() },
//!     ..SearchContext::new(Arc::new(Table::new(16)?), vec![Position::start()])
//! };
//! let outcome = Searcher::new(0).think(&context, &mut Silent);
//! println!("{:?}", outcome.score);
//! for mv in &outcome.pv {
//!     println!("{mv}");
//! }
//! assert!(context.root().is_legal(outcome.pv[0]));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "engine"))]
//! # fn main() {}
//! ```
//!
//! Four programs in `examples/` analyse a position, count and judge, probe book and tablebases, and play a game.
#![deny(unsafe_code)]
#![cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the search alone uses parts of the board")
)]

#[cfg(feature = "engine")]
pub mod bench;
pub mod board;
pub mod book;
#[cfg(feature = "cli")]
pub mod commands;
#[cfg(feature = "cli")]
pub mod dialogue;
pub mod endgame;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
pub mod eval;
pub mod file;
#[cfg(feature = "engine")]
pub mod genfens;
#[cfg(feature = "cli")]
pub mod help;
#[cfg(feature = "engine")]
pub mod io;
#[cfg(feature = "cli")]
pub mod logging;
pub mod notation;
mod pod;
#[cfg(feature = "engine")]
pub mod protocol;
pub mod referee;
pub mod rules;
pub mod score;
#[cfg(feature = "engine")]
pub mod search;
#[cfg(feature = "engine")]
pub mod smp;
pub mod splitmix;
#[cfg(feature = "engine")]
mod sync;
#[cfg(feature = "cli")]
mod terminal;
