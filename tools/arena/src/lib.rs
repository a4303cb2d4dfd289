//! A match runner for Xiangqi engines that speak UCCI or UCI.

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
mod random;
pub mod record;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod stats;
pub mod tournament;
