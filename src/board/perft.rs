//! Counting the positions of the move tree: the generator's test and its speed figure.

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

/// The deepest tree that anybody is asked to count, in plies: nobody lives to see the end of it, and no stack overflows.
pub const DEEPEST_PERFT: u32 = 64;

/// Trees of so many plies are counted without asking whether to go on: some thousand nodes.
const UNASKED: u32 = 3;

/// [`perft`] as long as `goes_on` agrees, which is asked every few thousand nodes; none once it does not.
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
