//! Counting the positions of the move tree: the generator's test and its speed figure.

use super::moves::Move;
use super::position::Position;

/// Leaf nodes of the move tree `depth` plies deep; the last ply is counted without being played.
///
/// ```
/// use chuhe::board::{Position, perft};
/// assert_eq!(perft(&Position::start(), 2), 1_920);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum(),
    }
}

/// The leaf nodes below each legal move; empty for depth 0.
pub fn perft_by_move(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position.legal_moves().into_iter().map(|mv| (mv, perft(&position.play(mv), rest))).collect()
}
