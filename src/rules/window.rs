//! A stretch of a game without captures, from one occurrence of a position to another, with its pieces followed.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Move, Position, Side, Square};

/// Longest loop whose pieces are followed; a longer one is judged by its checks alone.
const MAX_PLIES: usize = 128;

/// The positions of a loop, first and last alike, and the moves between them.
pub(super) struct Window<'a> {
    positions: &'a [Position],
    moves: ArrayVec<Move, MAX_PLIES>,
}

impl<'a> Window<'a> {
    /// `None` if the loop is too long to follow.
    pub(super) fn new(positions: &'a [Position]) -> Option<Self> {
        let moves = positions.windows(2).map(|pair| move_between(&pair[0], &pair[1]));
        (positions.len() <= MAX_PLIES).then(|| Self { positions, moves: moves.collect() })
    }

    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn position(&self, index: usize) -> &Position {
        &self.positions[index]
    }

    /// The move played in position `index`.
    pub(super) fn played(&self, index: usize) -> Move {
        self.moves[index]
    }

    /// The indices of the positions in which `side` moved.
    pub(super) fn moves_of(&self, side: Side) -> impl Iterator<Item = usize> {
        let first = usize::from(self.positions[0].side() != side);
        (first..self.moves.len()).step_by(2)
    }

    /// Where the pieces on `squares` of position `index` stood when the window began.
    pub(super) fn origins(&self, index: usize, squares: Bitboard) -> Bitboard {
        self.moves[..index].iter().rev().fold(squares, |squares, mv| moved(squares, mv.to(), mv.from()))
    }

    /// Where the pieces that began on `origins` stand in position `index`.
    pub(super) fn tracked(&self, index: usize, origins: Bitboard) -> Bitboard {
        self.moves[..index].iter().fold(origins, |squares, mv| moved(squares, mv.from(), mv.to()))
    }
}

fn moved(squares: Bitboard, from: Square, to: Square) -> Bitboard {
    if squares.has(from) { squares.without(from).with(to) } else { squares.without(to) }
}

/// The quiet move that leads from one position to the next.
pub(super) fn move_between(before: &Position, after: &Position) -> Move {
    let (was, is) = (before.of_side(before.side()), after.of_side(before.side()));
    let end = |squares: Bitboard| squares.first().expect("a quiet move leaves one square for another");
    Move::new(end(was & !is), end(is & !was))
}
