//! Windows of a game without captures, from one occurrence of a position to another, with the pieces tracked.

use crate::board::{Bitboard, Move, Position, Side, Square};

/// The positions of a loop of any length; the first and the last are alike.
pub(super) struct Window<'a> {
    positions: &'a [Position],
}

impl<'a> Window<'a> {
    pub(super) fn new(positions: &'a [Position]) -> Self {
        Self { positions }
    }

    pub(super) fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    pub(super) fn position(&self, index: usize) -> &Position {
        &self.positions[index]
    }

    /// The move played in position `index`.
    pub(super) fn played(&self, index: usize) -> Move {
        move_between(&self.positions[index], &self.positions[index + 1])
    }

    /// The indices of the positions in which `side` moved.
    pub(super) fn moves_of(&self, side: Side) -> impl Iterator<Item = usize> {
        let first = usize::from(self.positions[0].side() != side);
        (first..self.plies()).step_by(2)
    }

    /// Returns the other side's pieces that have a property after every move of `side`, by their squares in the last position.
    ///
    /// `start` are the candidates, by their squares in the first position. `having` receives the index of the position
    /// in which `side` moved and the squares of the remaining candidates, and returns those that have the property.
    pub(super) fn always(&self, side: Side, start: Bitboard, having: impl Fn(usize, Bitboard) -> Bitboard) -> Bitboard {
        let mut left = start;
        for index in 0..self.plies() {
            if left.is_empty() {
                break;
            }
            if self.position(index).side() == side {
                left &= having(index, left);
            } else {
                let mv = self.played(index);
                left = moved(left, mv.from(), mv.to());
            }
        }
        left
    }

    /// Squares in the first position of the pieces of `side` that stand on `squares` in the last one.
    pub(super) fn origins(&self, side: Side, squares: Bitboard) -> Bitboard {
        if squares.is_empty() {
            return squares;
        }
        (0..self.plies()).rev().filter(|&index| self.position(index).side() == side).fold(squares, |squares, index| {
            let mv = self.played(index);
            moved(squares, mv.to(), mv.from())
        })
    }
}

/// Returns `squares` after a piece, on one of them or not, has moved to an empty square.
fn moved(squares: Bitboard, from: Square, to: Square) -> Bitboard {
    if squares.has(from) { squares.without(from).with(to) } else { squares }
}

/// The quiet move that leads from one position to the next.
pub(super) fn move_between(before: &Position, after: &Position) -> Move {
    let (was, is) = (before.of_side(before.side()), after.of_side(before.side()));
    let end = |squares: Bitboard| squares.first().expect("a quiet move leaves one square for another");
    Move::new(end(was & !is), end(is & !was))
}
