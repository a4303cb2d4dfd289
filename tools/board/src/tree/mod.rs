//! Games with variations and comments.

mod convert;
mod game;
mod pgn;
mod write;

pub(crate) use convert::{from_message, from_moves};
pub(crate) use game::Tree;
pub(crate) use pgn::read as read_pgn;
pub(crate) use write::write;
