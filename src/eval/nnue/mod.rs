//! The network: what its inputs are, what its file holds, what it says of a position by plain arithmetic, and how a search has
//! the same faster.
//!
//! Each side has a view of the board, of which every piece lights one input ([`View`]); which set of inputs, may depend on where
//! the side's king stands. The weights of the inputs that are lit
//! are added up to an accumulator for each view; its numbers, clamped and squared, the mover's view first, are weighed by one of
//! several outputs, chosen by the number of pieces ([`bucket`]). What the pieces are worth by themselves is added in a
//! column of its own, which knows no clamp.
//!
//! [`Network::value`] is the definition of a network's value: whatever computes it faster must agree to the bit.

mod accumulators;
mod bounds;
mod embedded;
mod features;
mod kernel;
mod network;
mod renewal;
mod scalar;

pub(super) use accumulators::Accumulators;
pub use bounds::Bounds;
pub use features::{FEATURES, KING_SETS, View, bucket};
pub use kernel::{Kernel, KernelError};
pub use network::{Network, NetworkError, Shape, Weights};
pub use scalar::Accumulator;
#[cfg(test)]
pub(crate) use scalar::tests::random_network;

/// What 1 is in an accumulator: the clamp lies between 0 and this.
pub const ACCUMULATOR_UNIT: i32 = 255;
/// What 1 is among the weights of the outputs.
pub const OUTPUT_UNIT: i32 = 64;
/// What 1 is in the sum of an output, in its bias and in the pieces' column; [`Network::scale`] makes centipawns of it.
pub const VALUE_UNIT: i32 = ACCUMULATOR_UNIT * OUTPUT_UNIT;
