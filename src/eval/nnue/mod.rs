//! NNUE evaluation: input features, network file, reference inference, and the incremental updates that a search uses.
//!
//! Each side has a perspective on the board ([`Perspective`]), in which every piece activates one input feature; its
//! king bucket, a set of features of its own, may depend on the square of the side's own king. The weights of the active features add up to
//! an accumulator for each perspective. Its clamped and squared values (SCReLU), those of the side to move first, are
//! multiplied by the weights of one output bucket, which the pieces select ([`OutputBuckets`]). A separate
//! piece-square column (PSQT) is added without a clamp.
//!
//! [`Network::value`] defines the value of a network: every faster computation must agree to the bit.

mod accumulator;
mod features;
mod format;
mod network;
mod outputs;
mod overflow;
mod reference;
mod refresh;
mod simd;

pub(super) use accumulator::Accumulators;
pub use features::{FEATURES, KING_BUCKET_COUNTS, Perspective};
pub use format::{NetworkError, QA, QB, Shape, VALUE_UNIT};
pub use network::{Network, Weights};
pub use outputs::{Material, OutputBuckets};
pub use overflow::Bounds;
pub use reference::Accumulator;
#[cfg(test)]
pub(crate) use reference::tests::random_network;
pub use simd::{Kernel, KernelError};
