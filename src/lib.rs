//! Chuhe, a Xiangqi engine.
#![deny(unsafe_code)]

pub mod board;
pub mod eval;
pub mod rules;
pub mod score;
mod sync;
