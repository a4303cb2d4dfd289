//! A match runner for Xiangqi engines that speak UCCI or UCI.

mod cli;
pub mod openings;
pub mod record;
pub mod schedule;
