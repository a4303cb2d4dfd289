//! Opening books of Chinese interfaces: a SQLite database with a row for each move, as Binghe (`.obk`) and public-Xiangqi
//! (`.pfBook`) keep them.
//!
//! | column | what |
//! |---|---|
//! | `vkey` | key of the position from a fixed table of random numbers, see [`Keys`]; nothing leads back to the position |
//! | `vmove` | origin times 256 plus destination, squares as in a `BOOK.DAT` |
//! | `vscore` | for the mover; we take it for centipawns, and 0 for none |
//! | `vwin`, `vdraw`, `vlost` | games, for the mover |
//! | `vvalid` | 0 for a move that is not to be played |
//! | `vmemo` | a remark; ours is `depth N`, the plies that the score was searched for |
//! | `id`, `vindex` | nothing that a reader asks for |
//!
//! SQLite has no unsigned numbers. In a `.pfBook` a key from 2^63 on is the negative number with the same bits; in a
//! `.obk` it is the floating-point number with the same bits, and some files hold only its first fifteen digits.
//!
//! The weight of a move is 2 for a win and 1 for a draw, scaled where that does not fit. Where no move of a position
//! has any game it is made of the scores, and where there are none all moves weigh the same. What is written has as many
//! wins and draws as give the weight.

mod keys;
mod read;
mod write;

pub use keys::Keys;
pub use read::Database;
pub use write::{Enter, write};

use crate::file::in_one_line;

/// Whether a file that begins so is a SQLite database.
pub fn is_database(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0")
}

/// Which interface a database is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `.obk`, of Binghe.
    Obk,
    /// `.pfBook`, of public-Xiangqi.
    PfBook,
}

impl Dialect {
    /// Both.
    const ALL: [Self; 2] = [Self::Obk, Self::PfBook];

    /// What the ending of a file's name asks for; upper and lower case are the same.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| ending.eq_ignore_ascii_case(dialect.ending()))
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Obk => "obk",
            Self::PfBook => "pfBook",
        }
    }

    fn table(self) -> &'static str {
        match self {
            Self::Obk => "bhobk",
            Self::PfBook => "pfBook",
        }
    }
}

/// An error of SQLite in one line and without its causes, which say the same again; any other error as it is.
pub(crate) fn without_causes(error: anyhow::Error) -> anyhow::Error {
    error
        .downcast::<rusqlite::Error>()
        .map_or_else(|other| other, |error| anyhow::anyhow!(in_one_line(&error.to_string())))
}

/// The remark on a score that was searched so many plies deep.
const DEPTH_MEMO: &str = "depth ";

#[cfg(test)]
mod tests;
