//! The static value in its parts, for people.

use super::classical::{material, placement_value};
use super::{Outlook, value};
use crate::board::{Position, Side};
use crate::score::Score;

/// What a part of the evaluation gives to each side, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// What it is.
    pub name: &'static str,
    /// Red's share.
    pub red: i32,
    /// Black's share.
    pub black: i32,
}

/// The static value and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// What each side has on its own.
    pub by_side: [Term; 2],
    /// What the sides have against each other, for red, in centipawns.
    pub rest: i32,
    /// The value for the side to move.
    pub value: Score,
}

/// The static value of `position` with its parts, which add up to it.
pub fn explain(position: &Position) -> Explained {
    let (mut by_kind, mut by_square) = ([0; 2], [0; 2]);
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        let side = piece.side().index();
        let sign = if piece.side() == Side::Red { 1 } else { -1 };
        by_kind[side] += material(piece.kind());
        // Black's values are negative.
        by_square[side] += sign * placement_value(piece, square) - material(piece.kind());
    }
    let term = |name, [red, black]: [i32; 2]| Term { name, red, black };
    let by_side = [term("material", by_kind), term("placement", by_square)];
    let value = value(position, Outlook::default(), None);
    let red = match position.side() {
        Side::Red => value.raw(),
        Side::Black => -value.raw(),
    };
    let rest = red - by_side.iter().map(|term| term.red - term.black).sum::<i32>();
    Explained { by_side, rest, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_have_the_same_at_the_start() {
        let Explained { by_side, rest, value } = explain(&Position::start());
        for Term { name, red, black } in by_side {
            assert!(red == black && (red != 0 || name == "placement"), "{name}");
        }
        assert_eq!(rest, value.raw());
    }

    #[test]
    fn a_missing_rook_is_missing_in_the_material() {
        let rook_up = Position::from_fen("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w").unwrap();
        let [term, _] = explain(&rook_up).by_side;
        assert_eq!(term.red - term.black, material(crate::board::Kind::Rook));
    }
}
