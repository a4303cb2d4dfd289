//! The numbers that are learnt, in one row, and where which of them lies.
//!
//! The weights of inputs are cut into tiles of columns: tile by tile, input by input, so that a tile of all inputs stays in
//! the cache while many positions pass. Behind the last input of a tile lie the biases.

use std::ops::Range;

use chuhe::board::{Kind, Piece, Side, Square};
use chuhe::eval::nnue::{FEATURES, Shape, View};
use chuhe::eval::placement_value;
use chuhe::splitmix::SplitMix64;

/// Rows of a tile: the inputs and the biases.
pub const ROWS: usize = FEATURES + 1;

/// Columns of a tile where the width can be divided by it.
pub const WIDE_TILE: usize = 128;

/// Columns of a tile elsewhere.
pub const NARROW_TILE: usize = 32;

/// Weights of inputs and outputs stay within this, so that their integers fit.
const CLIP: f32 = 1.98;

/// Biases of outputs and the pieces' column stay within this.
const LOOSE_CLIP: f32 = 50.0;

/// Where which number lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// How large the network is.
    pub shape: Shape,
}

/// How a stretch of the numbers may change.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Which numbers.
    pub range: Range<usize>,
    /// Whether they decay.
    pub decays: bool,
    /// The largest they may become, either sign.
    pub clip: f32,
}

impl Layout {
    /// Columns of a tile.
    pub fn tile(self) -> usize {
        if self.shape.width.is_multiple_of(WIDE_TILE) { WIDE_TILE } else { NARROW_TILE }
    }

    /// How many numbers there are.
    pub fn count(self) -> usize {
        self.pieces().end
    }

    /// Weights of inputs with the biases.
    pub fn rows(self) -> Range<usize> {
        0..ROWS * self.shape.width
    }

    /// Weights of outputs: for each the mover's view, then the other.
    pub fn outputs(self) -> Range<usize> {
        let begin = self.rows().end;
        begin..begin + self.shape.outputs * 2 * self.shape.width
    }

    /// The weights of one output.
    pub fn output(self, output: usize) -> Range<usize> {
        let begin = self.outputs().start + output * 2 * self.shape.width;
        begin..begin + 2 * self.shape.width
    }

    /// Biases of outputs.
    pub fn output_biases(self) -> Range<usize> {
        let begin = self.outputs().end;
        begin..begin + self.shape.outputs
    }

    /// The pieces' column.
    pub fn pieces(self) -> Range<usize> {
        let begin = self.output_biases().end;
        begin..begin + FEATURES
    }

    /// Where the weight of an input for a column of the accumulator lies; that of the biases is input [`FEATURES`].
    pub fn weight(self, input: usize, column: usize) -> usize {
        let tile = self.tile();
        (column / tile * ROWS + input) * tile + column % tile
    }

    /// All numbers by how they may change.
    pub fn rules(self) -> [Rule; 3] {
        let (rows, outputs) = (self.rows(), self.outputs());
        [
            Rule { range: rows, decays: true, clip: CLIP },
            Rule { range: outputs.clone(), decays: true, clip: CLIP },
            Rule { range: outputs.end..self.count(), decays: false, clip: LOOSE_CLIP },
        ]
    }

    /// What learning begins with: chance, and in the pieces' column the classical tables, in units of `scale` centipawns.
    pub fn beginning(self, scale: i32, seed: u64) -> Vec<f32> {
        const ROW_SPREAD: f32 = 0.09;
        const OUTPUT_SPREAD: f32 = 0.05;
        const PAWN_RANK: usize = 3;
        let mut random = SplitMix64::new(seed);
        // 24 bits, as many as a number holds.
        let mut number = |spread: f32| ((random.word() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut parameters = vec![0.0; self.count()];
        parameters[self.rows()].fill_with(|| number(ROW_SPREAD));
        parameters[self.outputs()].fill_with(|| number(OUTPUT_SPREAD));
        let pieces = &mut parameters[self.pieces()];
        // Not in a mirror, red sees all there is.
        let view = View::new(Side::Red, Square::new(4, 0));
        for piece in Piece::ALL {
            for square in Square::all() {
                let starts_behind = piece.kind() == Kind::Pawn && square.seen_by(piece.side()).rank() < PAWN_RANK;
                if let Some(input) = view.feature(piece, square).filter(|_| !starts_behind) {
                    pieces[input] = placement_value(piece, square) as f32 / scale as f32;
                }
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place_of_its_own() {
        for width in [32, 96, 256] {
            let layout = Layout { shape: Shape { width, outputs: 3 } };
            let mut times = vec![0; layout.rows().end];
            for input in 0..ROWS {
                for column in 0..width {
                    times[layout.weight(input, column)] += 1;
                }
            }
            assert!(times.iter().all(|&times| times == 1));
            let rules = layout.rules();
            assert!(rules[0].range.start == 0 && rules[2].range.end == layout.count());
            assert!(rules.windows(2).all(|pair| pair[0].range.end == pair[1].range.start));
        }
    }
}
