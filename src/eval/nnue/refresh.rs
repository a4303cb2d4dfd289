//! Refresh table ("Finny table"): keeps the last refreshed accumulator of every perspective and king bucket with its
//! board. A refresh adds and subtracts only the pieces that differ, so king moves back and forth are cheap.

use arrayvec::ArrayVec;
use bytemuck::cast_slice_mut;

use super::features::Perspective;
use super::network::{Line, Network};
use super::simd::Kernel;
use crate::board::{Bitboard, Piece, Position};

/// Number of pieces on a full board.
const MOST_PIECES: usize = 32;

/// Perspectives of both sides, mirrored or not, for each king bucket.
const WAYS: usize = 4;

/// Refresh table ("Finny table"): one board and its accumulator for every perspective and king bucket.
#[derive(Clone, Debug)]
pub(super) struct RefreshTable {
    boards: Vec<Board>,
    /// The accumulators of the boards.
    numbers: Vec<Line>,
}

/// A cached board.
#[derive(Clone, Copy, Debug)]
struct Board {
    /// The squares of each piece.
    men: [Bitboard; Piece::ALL.len()],
    /// Its sum of the PSQT column.
    pieces: i32,
}

impl RefreshTable {
    /// Creates a refresh table of empty boards.
    pub(super) fn new(network: &Network) -> Self {
        let board = Board { men: [Bitboard::EMPTY; Piece::ALL.len()], pieces: 0 };
        let boards = vec![board; WAYS * network.shape().kings];
        let mut numbers =
            vec![Line::ZERO; boards.len() * network.biases().len() * size_of::<i16>() / size_of::<Line>()];
        for accumulator in cast_slice_mut::<Line, i16>(&mut numbers).chunks_exact_mut(network.biases().len()) {
            accumulator.copy_from_slice(network.biases());
        }
        Self { boards, numbers }
    }

    /// Refreshes `to`, the accumulator of `position` in the perspective `perspective`; returns its sum of the PSQT column.
    pub(super) fn refresh(
        &mut self,
        kernel: &Kernel,
        network: &Network,
        perspective: Perspective,
        position: &Position,
        to: &mut [i16],
    ) -> i32 {
        let number = perspective.number(network.shape().kings);
        let board = &mut self.boards[number];
        let inputs = network.inputs();
        let (mut plus, mut minus) = (ArrayVec::<&[i16], MOST_PIECES>::new(), ArrayVec::<&[i16], MOST_PIECES>::new());
        for piece in Piece::ALL {
            let now = position.of_side(piece.side()) & position.of_kind(piece.kind());
            let before = std::mem::replace(&mut board.men[piece.index()], now);
            for come in (now & !before).into_iter().map(|square| inputs.of(perspective, piece, square)) {
                plus.push(come.row);
                board.pieces += come.piece;
            }
            for gone in (before & !now).into_iter().map(|square| inputs.of(perspective, piece, square)) {
                minus.push(gone.row);
                board.pieces -= gone.piece;
            }
        }
        let width = to.len();
        let kept = &mut cast_slice_mut::<Line, i16>(&mut self.numbers)[number * width..][..width];
        kernel.refresh(kept, to, &plus, &minus);
        board.pieces
    }
}
