//! The numbers that are learnt, in one row, and where which of them lies.
//!
//! The weights of inputs are cut into tiles of columns: tile by tile, input by input, so that a tile of all inputs stays in
//! the cache while many positions pass. Behind the last input of a tile lie the biases.
//!
//! Where a network has several sets of inputs, most positions say nothing about most of them. So what all sets have in common is
//! learnt once more, for one set (a factoriser): the network's numbers are the sums of both.

use std::borrow::Cow;
use std::ops::Range;

use chuhe::board::{Kind, Piece, Side, Square};
use chuhe::eval::nnue::{FEATURES, Shape, View};
use chuhe::eval::placement_value;
use chuhe::splitmix::SplitMix64;

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

    /// How many numbers the network has.
    pub fn count(self) -> usize {
        self.pieces().end
    }

    /// How many numbers are learnt: those of the network, and what its sets of inputs have in common.
    pub fn learnt(self) -> usize {
        self.shared_pieces().end
    }

    /// Rows of a tile: the inputs, and as the last one the biases.
    pub fn tile_rows(self) -> usize {
        self.biases() + 1
    }

    /// The row of the biases.
    pub fn biases(self) -> usize {
        self.shape.inputs()
    }

    /// Weights of inputs with the biases.
    pub fn rows(self) -> Range<usize> {
        0..self.tile_rows() * self.shape.width
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
        begin..begin + self.shape.inputs()
    }

    /// The weights that all sets of inputs have in common, in tiles too; none where there is one set.
    pub fn shared_rows(self) -> Range<usize> {
        let begin = self.count();
        begin..begin + self.shared_inputs() * self.shape.width
    }

    /// What the pieces' columns of all sets have in common.
    pub fn shared_pieces(self) -> Range<usize> {
        let begin = self.shared_rows().end;
        begin..begin + self.shared_inputs()
    }

    fn shared_inputs(self) -> usize {
        if self.shape.kings == 1 { 0 } else { FEATURES }
    }

    /// Where the weight of an input for a column of the accumulator lies; that of the biases is input [`Layout::biases`].
    pub fn weight(self, input: usize, column: usize) -> usize {
        let tile = self.tile();
        (column / tile * self.tile_rows() + input) * tile + column % tile
    }

    /// Where the weight that all sets of inputs have in common lies for an input of a set and a column of the accumulator.
    pub fn shared_weight(self, input: usize, column: usize) -> usize {
        let tile = self.tile();
        self.shared_rows().start + (column / tile * self.shared_inputs() + input) * tile + column % tile
    }

    /// Where stretches of what is shared begin, where they begin in one of the sets, and how long they are.
    fn shares(self) -> impl Iterator<Item = (usize, usize, usize)> {
        let (tile, count) = (self.tile(), self.shared_inputs());
        let sets = move || (0..self.shape.kings).map(move |set| set * count);
        let rows = (0..self.shape.width / tile).flat_map(move |number| {
            let shared = self.shared_rows().start + number * count * tile;
            sets().map(move |set| (shared, (number * self.tile_rows() + set) * tile, count * tile))
        });
        let pieces = sets().map(move |set| (self.shared_pieces().start, self.pieces().start + set, count));
        rows.chain(pieces)
    }

    /// The numbers of the network: of what is learnt, each set and what all have in common added up.
    pub fn network(self, learnt: &[f32]) -> Cow<'_, [f32]> {
        if self.shape.kings == 1 {
            return Cow::Borrowed(learnt);
        }
        let mut network = learnt[..self.count()].to_vec();
        for (shared, own, count) in self.shares() {
            for (number, more) in network[own..][..count].iter_mut().zip(&learnt[shared..][..count]) {
                *number += more;
            }
        }
        Cow::Owned(network)
    }

    /// The gradient of what all sets have in common, out of that of the network's numbers.
    pub fn shared_gradient(self, gradient: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.learnt() - self.count()];
        for (shared, own, count) in self.shares() {
            for (sum, number) in sums[shared - self.count()..][..count].iter_mut().zip(&gradient[own..][..count]) {
                *sum += number;
            }
        }
        sums
    }

    /// All numbers by how they may change.
    pub fn rules(self) -> [Rule; 5] {
        let (rows, outputs) = (self.rows(), self.outputs());
        [
            Rule { range: rows, decays: true, clip: CLIP },
            Rule { range: outputs.clone(), decays: true, clip: CLIP },
            Rule { range: outputs.end..self.count(), decays: false, clip: LOOSE_CLIP },
            Rule { range: self.shared_rows(), decays: true, clip: CLIP },
            Rule { range: self.shared_pieces(), decays: false, clip: LOOSE_CLIP },
        ]
    }

    /// What learning begins with: chance, and in the pieces' column the classical tables, in units of `scale` centipawns. All
    /// sets of inputs begin alike.
    pub fn beginning(self, scale: i32, seed: u64) -> Vec<f32> {
        const ROW_SPREAD: f32 = 0.09;
        const OUTPUT_SPREAD: f32 = 0.05;
        const PAWN_RANK: usize = 3;
        let mut random = SplitMix64::new(seed);
        // 24 bits, as many as a number holds.
        let mut number = |spread: f32| ((random.word() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut parameters = vec![0.0; self.learnt()];
        let (rows, pieces) = match self.shape.kings {
            1 => (self.rows(), self.pieces()),
            _ => (self.shared_rows(), self.shared_pieces()),
        };
        parameters[rows].fill_with(|| number(ROW_SPREAD));
        parameters[self.outputs()].fill_with(|| number(OUTPUT_SPREAD));
        let pieces = &mut parameters[pieces];
        // Not in a mirror, red sees all there is.
        let view = View::new(Side::Red, Square::new(4, 0), 1);
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
    fn a_set_is_its_own_numbers_and_the_shared_ones() {
        let layout = Layout { shape: Shape { width: 64, outputs: 2, kings: 3 } };
        let learnt: Vec<f32> = (0..layout.learnt()).map(|number| (number % 8191) as f32).collect();
        let network = layout.network(&learnt);
        let shared = layout.shared_rows().start;
        for input in (0..layout.shape.inputs()).step_by(7) {
            for column in 0..64 {
                let at = layout.weight(input, column);
                let more = learnt[shared + (column / 32 * FEATURES + input % FEATURES) * 32 + column % 32];
                assert_eq!(network[at], learnt[at] + more);
            }
            let at = layout.pieces().start + input;
            assert_eq!(network[at], learnt[at] + learnt[layout.shared_pieces().start + input % FEATURES]);
        }
        let biases = layout.weight(layout.biases(), 40);
        assert_eq!(network[biases], learnt[biases]);
        assert_eq!(network[layout.outputs()], learnt[layout.outputs()]);
    }

    #[test]
    fn every_weight_has_a_place_of_its_own() {
        for (width, kings) in [(32, 1), (96, 3), (256, 1), (128, 6)] {
            let layout = Layout { shape: Shape { width, outputs: 3, kings } };
            let mut times = vec![0; layout.rows().end];
            for input in 0..layout.tile_rows() {
                for column in 0..width {
                    times[layout.weight(input, column)] += 1;
                }
            }
            assert!(times.iter().all(|&times| times == 1));
            let rules = layout.rules();
            assert!(rules[0].range.start == 0 && rules[4].range.end == layout.learnt());
            assert!(rules.windows(2).all(|pair| pair[0].range.end == pair[1].range.start));
        }
    }
}
