//! The C interface: games with legal moves and verdicts, and endgame tablebases. `include/chuhe.h` is made from this crate.
//!
//! No panic crosses the border: it becomes an error like any other.

mod border;
mod game;
mod tables;

pub use border::chuhe_last_error;
pub use game::{
    Game, Move, Verdict, chuhe_game_fen, chuhe_game_free, chuhe_game_judge, chuhe_game_legal_moves, chuhe_game_new,
    chuhe_game_play, chuhe_game_red_to_move, chuhe_game_undo,
};
pub use tables::{
    Tables, chuhe_tables_best_moves, chuhe_tables_distance, chuhe_tables_embedded, chuhe_tables_free,
    chuhe_tables_open, chuhe_tables_outcome,
};

/// Returned by functions that fail; `chuhe_last_error` says why.
pub const CHUHE_ERROR: i32 = -1;
/// The game goes on, the position is in no table, or a move was played.
pub const CHUHE_NONE: i32 = 0;
/// A draw.
pub const CHUHE_DRAW: i32 = 1;
/// Tables: the side to move wins. Verdicts: Red has won.
pub const CHUHE_WIN: i32 = 2;
/// Tables: the side to move loses. Verdicts: Red has lost.
pub const CHUHE_LOSS: i32 = 3;
/// Tables: the outcome depends on the rules of repetition.
pub const CHUHE_OPEN: i32 = 4;
