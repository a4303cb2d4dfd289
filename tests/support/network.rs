//! Toy networks: quickly made and still meaningful, with sensible piece values and otherwise random weights.

use std::path::{Path, PathBuf};

use chuhe::board::{Piece, Position, Side, Square};
use chuhe::eval::nnue::{FEATURES, Network, OutputBuckets, Shape, VALUE_UNIT, Weights};
use chuhe::eval::{nnue::Perspective, placement_value};
use chuhe::splitmix::SplitMix64;

/// Scale at which one centipawn of the network's output is one centipawn.
const SCALE: i32 = 400;

/// Returns the network of this seed.
pub(crate) fn toy(seed: u64) -> Network {
    toy_with_king_buckets(seed, 1)
}

/// Returns the network of this seed with `king_buckets` king buckets. Material selects the output bucket if the seed is even,
/// the number of pieces otherwise.
pub(crate) fn toy_with_king_buckets(seed: u64, king_buckets: usize) -> Network {
    let output_buckets = if seed.is_multiple_of(2) { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(3) };
    let shape = Shape { width: 32, output_buckets, king_buckets };
    let mut random = SplitMix64::new(seed);
    let mut numbers = |count: usize, most: i16| -> Vec<i16> {
        let spread = 2 * usize::from(most.unsigned_abs()) + 1;
        (0..count).map(|_| i16::try_from(random.below(spread)).unwrap() - most).collect()
    };
    let weights = Weights {
        biases: numbers(shape.width, 100),
        feature_weights: numbers(shape.features() * shape.width, 40),
        output_weights: numbers(shape.output_buckets.count() * 2 * shape.width, 20),
        output_biases: numbers(shape.output_buckets.count(), 100).into_iter().map(i32::from).collect(),
        psqt: pieces().repeat(king_buckets),
    };
    Network::new(shape, SCALE, &weights).unwrap()
}

/// Returns the values of red's and black's pieces from red's view, in the network's units.
fn pieces() -> Vec<i32> {
    let mut pieces = vec![0; FEATURES];
    let view = Perspective::of(Side::Red, &Position::start(), 1);
    for (piece, square) in Piece::ALL.into_iter().flat_map(|piece| Square::all().map(move |square| (piece, square))) {
        if let Some(input) = view.feature(piece, square) {
            pieces[input] = placement_value(piece, square) * VALUE_UNIT / SCALE;
        }
    }
    pieces
}

/// Writes the network of this seed into a folder.
pub(crate) fn toy_file(folder: &Path, seed: u64) -> PathBuf {
    let path = folder.join(format!("{seed}.nnue"));
    std::fs::write(&path, toy(seed).bytes()).unwrap();
    path
}
