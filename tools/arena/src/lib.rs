//! A match runner for Xiangqi engines that speak UCCI or UCI.

pub mod openings;
pub mod pgn;
pub mod record;
pub mod report;
pub mod sprt;
pub mod stats;
