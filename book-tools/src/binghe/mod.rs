//! Opening books of Chinese interfaces: a SQLite database with one row per move, in the formats of Binghe (`.obk`) and
//! public-Xiangqi (`.pfBook`).
//!
//! | column | contents |
//! |---|---|
//! | `vkey` | key of the position from a fixed table of random numbers, see [`Keys`]; it cannot be inverted |
//! | `vmove` | origin times 256 plus destination, squares as in a `BOOK.DAT` |
//! | `vscore` | score for the mover; treated as centipawns, with 0 for none |
//! | `vwin`, `vdraw`, `vlost` | games, for the mover |
//! | `vvalid` | 0 for a move that must not be played |
//! | `vmemo` | a remark; this crate writes `depth N`, the search depth of the score in plies |
//! | `id`, `vindex` | not used by readers |
//!
//! SQLite has no unsigned numbers. In a `.pfBook` a key from 2^63 on is the negative number with the same bits; in a
//! `.obk` it is the floating-point number with the same bits, and some files hold only its first fifteen digits.
//!
//! The weight of a move is 2 per win and 1 per draw, scaled if it exceeds the range. If no move of a position
//! has any games, the weights are derived from the scores; without scores all moves have the same weight. Written
//! databases have the numbers of wins and draws that give the weight.

mod dialect;
mod keys;
mod read;
mod write;

pub use dialect::Dialect;
pub(crate) use dialect::without_causes;
pub use keys::Keys;
pub use read::Database;
pub use write::{Enter, write};

/// Whether a file that begins with `start` is a SQLite database.
pub fn is_database(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0")
}

#[cfg(test)]
mod tests;
