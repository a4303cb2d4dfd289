//! In which whole numbers a network keeps its fractions.

/// What 1 is in an accumulator: the clamp lies between 0 and this.
pub const ACCUMULATOR_UNIT: i32 = 255;
/// What 1 is among the weights of the outputs.
pub const OUTPUT_UNIT: i32 = 64;
/// What 1 is in the sum of an output, in its bias and in the pieces' column; [`super::Network::scale`] makes centipawns of it.
pub const VALUE_UNIT: i32 = ACCUMULATOR_UNIT * OUTPUT_UNIT;
