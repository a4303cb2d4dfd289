//! A match runner for Xiangqi engines that speak UCCI or UCI.

pub mod game;
pub mod player;
pub mod process;
pub mod record;
