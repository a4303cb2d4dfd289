//! Layout of the parameters in one list.
//!
//! The feature weights are split into tiles of columns, stored tile by tile and input by input, so that a tile of all inputs
//! stays in the cache while many positions pass. The biases follow the last input of each tile.
//!
//! With several king buckets, most positions say nothing about most of them. So there is also a factoriser, a set of weights for
//! all buckets together: the weights of the network are the sums of both.

use std::borrow::Cow;
use std::ops::Range;

use chuhe::board::{Kind, Piece, Side, Square};
use chuhe::eval::nnue::{FEATURES, Perspective, Shape};
use chuhe::eval::placement_value;
use chuhe::splitmix::SplitMix64;

/// Columns of a tile, where they divide the width.
pub const WIDE_TILE: usize = 128;

/// Columns of a tile for other widths.
pub const NARROW_TILE: usize = 32;

/// Bound of feature and output weights, so that they fit when quantised.
const CLIP: f32 = 1.98;

/// Bound of output biases and of the PSQT.
const LOOSE_CLIP: f32 = 50.0;

/// Layout of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Shape of the network.
    pub shape: Shape,
}

/// Update rule for a range of parameters.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Range of the parameters.
    pub range: Range<usize>,
    /// Whether weight decay applies.
    pub decays: bool,
    /// Largest absolute value.
    pub clip: f32,
}

impl Layout {
    /// Returns the columns of a tile.
    pub fn tile(self) -> usize {
        if self.shape.width.is_multiple_of(WIDE_TILE) { WIDE_TILE } else { NARROW_TILE }
    }

    /// Returns the number of parameters of the network.
    pub fn count(self) -> usize {
        self.psqt().end
    }

    /// Returns the number of trained parameters: those of the network and of the factoriser.
    pub fn trained(self) -> usize {
        self.shared_psqt().end
    }

    /// Returns the rows of a tile: the inputs, then the biases.
    pub fn tile_rows(self) -> usize {
        self.biases() + 1
    }

    /// Returns the row of the biases.
    pub fn biases(self) -> usize {
        self.shape.features()
    }

    /// Range of the feature weights and the biases.
    pub fn feature_weights(self) -> Range<usize> {
        0..self.tile_rows() * self.shape.width
    }

    /// Range of the output weights: for each output the side to move's perspective, then the other.
    pub fn outputs(self) -> Range<usize> {
        let begin = self.feature_weights().end;
        begin..begin + self.shape.output_buckets.count() * 2 * self.shape.width
    }

    /// Range of the weights of one output.
    pub fn output(self, output: usize) -> Range<usize> {
        let begin = self.outputs().start + output * 2 * self.shape.width;
        begin..begin + 2 * self.shape.width
    }

    /// Range of the output biases.
    pub fn output_biases(self) -> Range<usize> {
        let begin = self.outputs().end;
        begin..begin + self.shape.output_buckets.count()
    }

    /// Range of the PSQT.
    pub fn psqt(self) -> Range<usize> {
        let begin = self.output_biases().end;
        begin..begin + self.shape.features()
    }

    /// Range of the factoriser's feature weights, also in tiles; empty with a single king bucket.
    pub fn shared_feature_weights(self) -> Range<usize> {
        let begin = self.count();
        begin..begin + self.shared_inputs() * self.shape.width
    }

    /// Range of the factoriser's PSQT.
    pub fn shared_psqt(self) -> Range<usize> {
        let begin = self.shared_feature_weights().end;
        begin..begin + self.shared_inputs()
    }

    fn shared_inputs(self) -> usize {
        if self.shape.king_buckets == 1 { 0 } else { FEATURES }
    }

    /// Returns the position of the weight of an input for a column of the accumulator; biases have input [`Layout::biases`].
    pub fn weight(self, input: usize, column: usize) -> usize {
        let tile = self.tile();
        (column / tile * self.tile_rows() + input) * tile + column % tile
    }

    /// Returns the position of the factoriser's weight for an input within its king bucket and a column of the accumulator.
    pub fn shared_weight(self, input: usize, column: usize) -> usize {
        let tile = self.tile();
        self.shared_feature_weights().start + (column / tile * self.shared_inputs() + input) * tile + column % tile
    }

    /// Returns pairs of ranges, as the start in the factoriser, the start in a king bucket, and the length.
    fn shares(self) -> impl Iterator<Item = (usize, usize, usize)> {
        let (tile, count) = (self.tile(), self.shared_inputs());
        let sets = move || (0..self.shape.king_buckets).map(move |set| set * count);
        let rows = (0..self.shape.width / tile).flat_map(move |number| {
            let shared = self.shared_feature_weights().start + number * count * tile;
            sets().map(move |set| (shared, (number * self.tile_rows() + set) * tile, count * tile))
        });
        let pieces = sets().map(move |set| (self.shared_psqt().start, self.psqt().start + set, count));
        rows.chain(pieces)
    }

    /// Returns the parameters of the network from the trained ones: adds the factoriser to each king bucket.
    pub fn network(self, trained: &[f32]) -> Cow<'_, [f32]> {
        if self.shape.king_buckets == 1 {
            return Cow::Borrowed(trained);
        }
        let mut network = trained[..self.count()].to_vec();
        for (shared, own, count) in self.shares() {
            for (number, more) in network[own..][..count].iter_mut().zip(&trained[shared..][..count]) {
                *number += more;
            }
        }
        Cow::Owned(network)
    }

    /// Returns the gradient of the factoriser from that of the network's parameters.
    pub fn shared_gradient(self, gradient: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.trained() - self.count()];
        for (shared, own, count) in self.shares() {
            for (sum, number) in sums[shared - self.count()..][..count].iter_mut().zip(&gradient[own..][..count]) {
                *sum += number;
            }
        }
        sums
    }

    /// Returns the update rules, which cover all parameters.
    pub fn rules(self) -> [Rule; 5] {
        let (rows, outputs) = (self.feature_weights(), self.outputs());
        [
            Rule { range: rows, decays: true, clip: CLIP },
            Rule { range: outputs.clone(), decays: true, clip: CLIP },
            Rule { range: outputs.end..self.count(), decays: false, clip: LOOSE_CLIP },
            Rule { range: self.shared_feature_weights(), decays: true, clip: CLIP },
            Rule { range: self.shared_psqt(), decays: false, clip: LOOSE_CLIP },
        ]
    }

    /// Returns the initial parameters: random, with the hand-crafted piece-square tables in the PSQT, in units of `scale`
    /// centipawns. All king buckets begin alike.
    pub fn initial(self, scale: i32, seed: u64) -> Vec<f32> {
        const ROW_SPREAD: f32 = 0.09;
        const OUTPUT_SPREAD: f32 = 0.05;
        const PAWN_RANK: usize = 3;
        let mut random = SplitMix64::new(seed);
        // 24 bits, which a float represents exactly.
        let mut number = |spread: f32| ((random.word() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut parameters = vec![0.0; self.trained()];
        let (rows, pieces) = match self.shape.king_buckets {
            1 => (self.feature_weights(), self.psqt()),
            _ => (self.shared_feature_weights(), self.shared_psqt()),
        };
        parameters[rows].fill_with(|| number(ROW_SPREAD));
        parameters[self.outputs()].fill_with(|| number(OUTPUT_SPREAD));
        let pieces = &mut parameters[pieces];
        // Without mirroring, Red's perspective has every piece and square.
        let perspective = Perspective::new(Side::Red, Square::new(4, 0), 1);
        for piece in Piece::ALL {
            for square in Square::all() {
                let starts_behind = piece.kind() == Kind::Pawn && square.seen_by(piece.side()).rank() < PAWN_RANK;
                if let Some(input) = perspective.feature(piece, square).filter(|_| !starts_behind) {
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
    use chuhe::eval::nnue::OutputBuckets;

    #[test]
    fn a_set_is_its_own_numbers_and_the_shared_ones() {
        let layout = Layout { shape: Shape { width: 64, output_buckets: OutputBuckets::ByPieces(2), king_buckets: 3 } };
        let trained: Vec<f32> = (0..layout.trained()).map(|number| (number % 8191) as f32).collect();
        let network = layout.network(&trained);
        let shared = layout.shared_feature_weights().start;
        for input in (0..layout.shape.features()).step_by(7) {
            for column in 0..64 {
                let at = layout.weight(input, column);
                let more = trained[shared + (column / 32 * FEATURES + input % FEATURES) * 32 + column % 32];
                assert_eq!(network[at], trained[at] + more);
            }
            let at = layout.psqt().start + input;
            assert_eq!(network[at], trained[at] + trained[layout.shared_psqt().start + input % FEATURES]);
        }
        let biases = layout.weight(layout.biases(), 40);
        assert_eq!(network[biases], trained[biases]);
        assert_eq!(network[layout.outputs()], trained[layout.outputs()]);
    }

    #[test]
    fn every_weight_has_a_place_of_its_own() {
        for (width, king_buckets) in [(32, 1), (96, 3), (256, 1), (128, 6)] {
            let layout = Layout { shape: Shape { width, output_buckets: OutputBuckets::ByPieces(3), king_buckets } };
            let mut times = vec![0; layout.feature_weights().end];
            for input in 0..layout.tile_rows() {
                for column in 0..width {
                    times[layout.weight(input, column)] += 1;
                }
            }
            assert!(times.iter().all(|&times| times == 1));
            let rules = layout.rules();
            assert!(rules[0].range.start == 0 && rules[4].range.end == layout.trained());
            assert!(rules.windows(2).all(|pair| pair[0].range.end == pair[1].range.start));
        }
    }
}
