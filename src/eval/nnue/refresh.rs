//! Refresh table ("Finny table"): keeps the last refreshed accumulator of every perspective and king bucket with its
//! board. A refresh adds and subtracts only the pieces that differ, so king moves back and forth are cheap.

use arrayvec::ArrayVec;
use bytemuck::cast_slice_mut;

use super::features::Perspective;
use super::format::Line;
use super::network::Network;
use super::simd::Kernel;
use crate::board::{Bitboard, Piece, Position};

/// Number of pieces on a full board.
const MOST_PIECES: usize = 32;

/// Number of perspectives for each king bucket: of both sides, mirrored or not.
const PERSPECTIVES: usize = 4;

/// Refresh table ("Finny table"): one board and its accumulator for every perspective and king bucket.
#[derive(Clone, Debug)]
pub(super) struct RefreshTable {
    boards: Vec<Board>,
    /// The accumulators of the boards.
    values: Vec<Line>,
}

/// A cached board.
#[derive(Clone, Copy, Debug)]
struct Board {
    /// The squares of each piece.
    pieces: [Bitboard; Piece::ALL.len()],
    /// Its sum of the PSQT column.
    psqt: i32,
}

impl RefreshTable {
    /// Creates a refresh table of empty boards.
    pub(super) fn new(network: &Network) -> Self {
        let board = Board { pieces: [Bitboard::EMPTY; Piece::ALL.len()], psqt: 0 };
        let boards = vec![board; PERSPECTIVES * network.shape().king_buckets];
        let mut values = vec![Line::ZERO; boards.len() * network.biases().len() * size_of::<i16>() / size_of::<Line>()];
        for accumulator in cast_slice_mut::<Line, i16>(&mut values).chunks_exact_mut(network.biases().len()) {
            accumulator.copy_from_slice(network.biases());
        }
        Self { boards, values }
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
        let number = perspective.number(network.shape().king_buckets);
        let board = &mut self.boards[number];
        let features = network.features();
        let (mut plus, mut minus) = (ArrayVec::<&[i16], MOST_PIECES>::new(), ArrayVec::<&[i16], MOST_PIECES>::new());
        for piece in Piece::ALL {
            let now = position.of_side(piece.side()) & position.of_kind(piece.kind());
            let before = std::mem::replace(&mut board.pieces[piece.index()], now);
            for added in (now & !before).into_iter().map(|square| features.of(perspective, piece, square)) {
                plus.push(added.row);
                board.psqt += added.psqt;
            }
            for removed in (before & !now).into_iter().map(|square| features.of(perspective, piece, square)) {
                minus.push(removed.row);
                board.psqt -= removed.psqt;
            }
        }
        let width = to.len();
        let cached = &mut cast_slice_mut::<Line, i16>(&mut self.values)[number * width..][..width];
        kernel.refresh(cached, to, &plus, &minus);
        board.psqt
    }
}
