//! Reading and writing of PGN: the tags of Xiangqi files, moves in any notation, variations, engine output as comments.

mod convert;
pub mod read;
pub(crate) mod scanner;
mod write;

pub use write::{Field, PgnFormat, comment_text, is_worth_writing, tag_value, write};
