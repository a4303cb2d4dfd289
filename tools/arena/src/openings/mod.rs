//! Where games begin.

pub mod generate;
