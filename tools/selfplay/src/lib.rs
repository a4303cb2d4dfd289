//! Makes the games from which Chuhe's network learns, and reads them back.
//!
//! Highest first:
//!
//! * [`cli`] knows the words of the command line; [`generate`], [`stats`], [`merge`] and [`verify`] do what they ask for, and
//!   [`progress`] tells how far the first one is.
//! * [`folder`] knows which games of a run lie where, [`journal`] those of a chunk that is not finished, [`chunk`] those of one
//!   that is; none knows how games come about.
//! * [`player`] plays one game, [`opening`] begins it at random and [`adjudication`] ends it; they know no file.
//! * [`streams`] makes bytes of games; [`tally`] counts them, with [`distinct`] for what is counted once.
//! * [`recipe`] is all that a game depends on, [`game`] what is known of one.
//!
//! A trainer reads the chunks of a folder one after the other:
//!
//! ```no_run
//! use chuhe_selfplay::chunk::Chunk;
//! use chuhe_selfplay::folder;
//!
//! for path in folder::chunks("data".as_ref())? {
//!     for game in Chunk::read(&path)?.games {
//!         for turn in game.turns().filter(|turn| turn.is_usable()) {
//!             println!("{} {} {:?}", turn.position.to_fen(), turn.score, game.result);
//!         }
//!     }
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod adjudication;
pub mod chunk;
pub mod cli;
pub mod distinct;
pub mod folder;
pub mod game;
pub mod generate;
pub mod journal;
pub mod merge;
pub mod opening;
pub mod player;
pub mod progress;
pub mod recipe;
pub mod stats;
pub mod streams;
pub mod tally;
pub mod verify;
