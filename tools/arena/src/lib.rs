//! A match runner for Xiangqi engines that speak UCCI or UCI.

pub mod cli;
pub mod game;
pub mod journal;
pub mod openings;
pub mod output;
pub mod player;
pub mod record;
pub mod schedule;
pub mod settings;
pub mod tournament;
