//! Generates the self-play games that Chuhe's network is trained on, and reads them back.
//!
//! Modules, from the highest layer down:
//!
//! * [`cli`] parses the command line; [`generate`], [`stats`], [`manifest`], [`merge`] and [`verify`] are its commands, [`batches`]
//!   has their threads,
//! * [`progress`] reports the progress of [`generate`],
//! * [`folder`] maps the games of a run to files, independently of how games are played,
//! * [`journal`] stores the games of an unfinished chunk, [`chunk`] those of a finished one in a [`sealed`] file, [`pack`] in half
//!   of its bytes,
//! * [`player`] plays one game, [`opening`] begins it at random and [`adjudication`] ends it early, without access to files,
//! * [`streams`] encodes games as bytes; [`tally`] counts them, with [`distinct`] for distinct positions,
//! * [`recipe`] is everything a game depends on, [`game`] is a finished game.
//!
//! A trainer reads the chunks of a folder one after the other:
//!
//! ```no_run
//! use chuhe_selfplay::chunk::Chunk;
//! use chuhe_selfplay::folder;
//!
//! for path in folder::chunks("data".as_ref())? {
//!     for game in Chunk::read(&path)?.games {
//!         println!("after {:?}: {:?}", game.opening, game.result);
//!         for turn in game.turns().filter(|turn| turn.is_usable()) {
//!             println!("{} {} {}", turn.position.to_fen(), turn.mv, turn.score);
//!         }
//!     }
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod adjudication;
pub mod batches;
mod chinese;
pub mod chunk;
pub mod cli;
pub mod distinct;
pub mod folder;
pub mod game;
pub mod generate;
pub mod journal;
pub mod manifest;
pub mod merge;
pub mod opening;
pub mod pack;
pub mod player;
pub mod progress;
pub mod recipe;
pub mod sealed;
pub mod stats;
pub mod streams;
pub mod tally;
pub mod verify;
