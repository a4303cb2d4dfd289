//! A match runner for Xiangqi engines that speak UCCI, UCI or the XBoard protocol.
//!
//! Highest first:
//!
//! * [`cli`] knows the words of the command line and makes [`settings`] of them, which know nothing.
//! * [`tournament`] knows who plays when and what is written when, not how a game goes; [`schedule`] knows the plan of a
//!   match, [`journal`] what of it is done, [`output`] how it is told.
//! * [`spsa`] tunes an engine's options by games that it sets up itself.
//! * [`report`], [`pgn`], [`stats`] and [`sprt`] know finished games, not engines; [`openings`] know where games begin.
//! * [`game`] knows one game, its clocks and its referee, not the match.
//! * [`player`] knows protocols, not the rules; [`process`] knows lines and pipes, no protocol.
//! * [`record`] is what is known of a game once it is over.
//! * [`compliance`] holds the dialogues of the engine's own tests with any engine; it shares nothing with matches.

pub mod cli;
pub mod compliance;
mod conformance;
pub mod game;
pub mod journal;
pub mod openings;
pub mod output;
pub mod pgn;
pub mod player;
pub mod process;
pub mod record;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod spsa;
pub mod stats;
pub mod tournament;
