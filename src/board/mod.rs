//! The board and how pieces move. Knows no repetition, no evaluation and no search.

mod bitboard;
mod moves;
mod piece;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use moves::{MAX_MOVES, Move, MoveError, MoveList};
pub use piece::{Kind, Piece, Side};
pub use square::{FILES, RANKS, SQUARES, Square, SquareError};
pub use zobrist::Key;
