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
mod units;

pub(super) use accumulators::Accumulators;
pub use bounds::Bounds;
pub use features::{FEATURES, KING_SETS, View, bucket};
pub use kernel::{Kernel, KernelError};
pub use network::{Network, NetworkError, Shape, Weights};
pub use scalar::Accumulator;
#[cfg(test)]
pub(crate) use scalar::tests::random_network;
pub use units::{ACCUMULATOR_UNIT, OUTPUT_UNIT, VALUE_UNIT};
