//! Perft: counts the nodes of the move tree, to test the move generator and to measure its speed.

use super::position::Position;

/// Counts the leaf nodes of the move tree `depth` plies deep. The last ply is counted without being played (bulk counting).
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

/// Maximum perft depth, in plies: far deeper than can be counted, and safe for the stack.
pub const DEEPEST_PERFT: u32 = 64;

/// Depth up to which a tree is counted without calling `goes_on`, in plies: some thousand nodes.
const UNASKED: u32 = 3;

/// Runs [`perft`] while `goes_on`, called every few thousand nodes, returns true; `None` once it returns false.
///
/// ```
/// use chuhe::board::{Position, perft_while};
/// assert_eq!(perft_while(&Position::start(), 4, &|| true), Some(3_290_240));
/// assert_eq!(perft_while(&Position::start(), 60, &|| false), None);
/// ```
pub fn perft_while(position: &Position, depth: u32, goes_on: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= UNASKED {
        return Some(perft(position, depth));
    }
    if !goes_on() {
        return None;
    }
    position.legal_moves().into_iter().map(|mv| perft_while(&position.play(mv), depth - 1, goes_on)).sum()
}
