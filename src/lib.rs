//! Chuhe, a Xiangqi engine.
#![deny(unsafe_code)]

pub mod board;
pub mod rules;
pub mod score;
mod sync;
