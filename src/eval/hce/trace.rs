//! The hand-crafted evaluation (HCE) as a sum of weights times counts, for tuning the weights on games.

use super::placement::{material, place, table};
use super::terms::Counts;
use super::weights::{
    ADVISOR_MISSING, ATTACKERS_NEAR, CANNON_MOBILITY, DOUBLE_SCREEN, ELEPHANT_MISSING, HALF, HOLLOW_CANNON,
    HORSE_MOBILITY, ROOK_MOBILITY, ROOK_ON_KING_LINE, TEMPO,
};
use crate::board::{Kind, Piece, Position, RANKS, Side, Square};

/// Values in a piece-square table: rank by rank, the owner's back rank first, files `a` to `e`.
pub const PLACES: usize = RANKS * HALF;

/// Names and values of the terms with a single weight, which follow the tables in this order.
pub const TERMS: [(&str, i32); 9] = [
    ("ROOK_MOBILITY", ROOK_MOBILITY),
    ("HORSE_MOBILITY", HORSE_MOBILITY),
    ("CANNON_MOBILITY", CANNON_MOBILITY),
    ("HOLLOW_CANNON", HOLLOW_CANNON),
    ("DOUBLE_SCREEN", DOUBLE_SCREEN),
    ("ROOK_ON_KING_LINE", ROOK_ON_KING_LINE),
    ("ADVISOR_MISSING", ADVISOR_MISSING),
    ("ELEPHANT_MISSING", ELEPHANT_MISSING),
    ("TEMPO", TEMPO),
];

const FIRST_TERM: usize = Kind::ALL.len() * PLACES;
const FIRST_NEAR: usize = FIRST_TERM + TERMS.len();

/// Number of weights: a table for each kind of piece, the terms, and the values of pieces near a palace.
pub const WEIGHTS: usize = FIRST_NEAR + ATTACKERS_NEAR.len();

/// The current weights, in centipawns; those of a table include the piece's material.
pub fn weights() -> Vec<i32> {
    let of_tables = Kind::ALL
        .iter()
        .flat_map(|&kind| table(kind).as_flattened().iter().map(move |placement| material(kind) + placement));
    of_tables.chain(TERMS.map(|(_, value)| value)).chain(ATTACKERS_NEAR).collect()
}

/// Calls `tell` with the index of each weight that counts in `position` and with its count for red.
///
/// The weights times their counts add up to red's static value. Returns false, without calls, if the position is a draw
/// whatever the weights.
pub fn counts(position: &Position, mut tell: impl FnMut(usize, i32)) -> bool {
    let sides = Side::ALL.map(|side| Counts::of(position, side));
    if sides.iter().all(|counts| counts.attackers == 0) {
        return false;
    }
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        tell(placement_weight(piece, square), piece.side().sign());
    }
    for (side, counts) in Side::ALL.into_iter().zip(&sides) {
        let of_terms = [
            counts.rook_mobility,
            counts.horse_mobility,
            counts.cannon_mobility,
            counts.hollow_cannons,
            counts.double_screens,
            counts.rooks_on_king_line,
            counts.advisors_missing,
            counts.elephants_missing,
            i32::from(position.side() == side),
        ];
        for (term, count) in of_terms.into_iter().enumerate() {
            tell(FIRST_TERM + term, side.sign() * count);
        }
        tell(FIRST_NEAR + counts.near, side.sign());
    }
    true
}

fn placement_weight(piece: Piece, square: Square) -> usize {
    let (rank, file) = place(piece, square);
    piece.kind().index() * PLACES + rank * HALF + file
}

#[cfg(test)]
mod tests {
    use super::super::{placement_values, terms};
    use super::*;
    use crate::board::random_games::random_games;
    use crate::eval::hce::EVEN;

    #[test]
    fn weights_times_counts_are_the_static_value() {
        let weights = weights();
        assert_eq!(weights.len(), WEIGHTS);
        random_games(12, if cfg!(miri) { 0 } else { 20 }, |position| {
            let mut sum = 0;
            counts(position, |weight, count| sum += weights[weight] * count);
            let value = placement_values(position) + terms(position, [EVEN; 2]);
            assert_eq!(sum, value, "{}", position.to_fen());
        });
    }
}
