//! A match runner for Xiangqi engines that speak UCCI, UCI or the XBoard protocol.
//!
//! Highest first:
//!
//! * [`cli`] knows the words of the command line and makes [`settings`] of them, which know nothing.
//! * [`tournament`] knows who plays when and what is written when, not how a game goes; [`spsa`] tunes an engine's options by
//!   games that it sets up itself. `preparation` knows what both need before their first game, `judging` by which rules they
//!   are judged, `attempts` what is played again, [`outputs`] that nothing is destroyed by what they write, [`stop`] that they are to end before their time.
//! * [`viewing`] knows what a journal tells without its match, [`merging`] how those of its parts become one.
//! * [`schedule`] knows the plan of a match, [`journal`] what of it is done, [`output`] how it is told.
//! * [`report`], [`stats`] and [`sprt`] know finished games, not engines.
//! * [`game`] knows one game, its clocks and its referee, not the match.
//!
//! Engines are players of [`chuhe_engines`]; records, PGN and openings are those of [`chuhe_games`].

mod attempts;
pub mod cli;
mod epd_file;
mod fastchess;
pub mod game;
pub mod journal;
mod judging;
mod live;
#[cfg(test)]
mod made_up;
pub mod merging;
pub mod output;
pub mod outputs;
mod pgn_file;
mod preparation;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod spsa;
mod standing;
pub mod stats;
pub mod stop;
mod summary;
pub mod tournament;
pub mod viewing;
