//! Chuhe, a Xiangqi engine.
#![deny(unsafe_code)]

pub mod board;
pub mod score;
mod sync;
pub mod table;
