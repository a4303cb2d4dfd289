//! Quantisation constants.

/// QA, the unit of an accumulator: activations are clamped to the range from 0 to this.
pub const QA: i32 = 255;
/// QB, the unit of the output weights.
pub const QB: i32 = 64;
/// QA times QB, the unit of output sums, output biases and the PSQT column; [`super::Network::scale`] converts it to
/// centipawns.
pub const VALUE_UNIT: i32 = QA * QB;
