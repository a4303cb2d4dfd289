//! Board representation and move generation; independent of repetition rules, evaluation and search.

pub mod attacks;
mod bitboard;
mod checks;
mod fen;
mod guard;
mod legality;
mod mirror;
mod movegen;
mod moves;
#[cfg(test)]
mod naive;
mod perft;
mod piece;
mod placement;
mod position;
mod promotion;
#[cfg(test)]
pub(crate) mod random_games;
mod see;
mod spelling;
mod square;
mod threats;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub(crate) use checks::Checks;
pub use fen::{FenError, START_FEN};
pub use moves::{MAX_MOVES, Move, MoveError, MoveList};
pub use perft::{DEEPEST_PERFT, perft, perft_while};
pub use piece::{Kind, Piece, Side};
pub use position::{Delta, Position, Variant};
pub use see::exchange_value;
pub use spelling::{MoveText, RankBase, Spelled};
pub use square::{FILES, RANKS, SQUARES, Square, SquareError};
pub use zobrist::Key;
