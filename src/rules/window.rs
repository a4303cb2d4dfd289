//! A stretch of a game without captures, from one occurrence of a position to another, with its pieces followed.

use crate::board::{Bitboard, Move, Position, Side, Square};

/// The positions of a loop, first and last alike; of any length.
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

    /// Which of the other side's pieces have a property after every move of `side`, by where they stand in the last
    /// position. `start` are those to look at, by where they stand in the first; `having` is told after which move,
    /// and where those stand that are left, and leaves some of them.
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

    /// Where the pieces of `side` that stand on `squares` of the last position stood in the first.
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

/// Pieces on `squares` after one of them, or another, has gone from one square to an empty one.
fn moved(squares: Bitboard, from: Square, to: Square) -> Bitboard {
    if squares.has(from) { squares.without(from).with(to) } else { squares }
}

/// The quiet move that leads from one position to the next.
pub(super) fn move_between(before: &Position, after: &Position) -> Move {
    let (was, is) = (before.of_side(before.side()), after.of_side(before.side()));
    let end = |squares: Bitboard| squares.first().expect("a quiet move leaves one square for another");
    Move::new(end(was & !is), end(is & !was))
}
