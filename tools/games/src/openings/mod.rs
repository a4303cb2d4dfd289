//! Openings of games.

mod book;
mod opening;
mod pgn;
pub mod read;

pub use opening::Opening;
