//! Calculations of the kernels.

use crate::eval::nnue::units::QA;

/// Upper limit of an activation (QA).
pub(super) const UNIT: i16 = QA as i16;
const _: () = assert!(UNIT as i32 == QA);

/// A calculation. Rows are equally long, by a multiple of 32 numbers, and begin at multiples of 64 bytes.
///
/// Intermediate sums wrap: a row may be added before another is subtracted. Results fit, as
/// [`crate::eval::nnue::Bounds`] proves.
pub(super) enum Work<'a> {
    /// Incremental update: sets `to` to `from` plus one row and minus one.
    AddSub { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 1] },
    /// Incremental update of a capture: sets `to` to `from` plus one row and minus two.
    AddSubSub { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 2] },
    /// Refresh: adds and subtracts rows in the cached accumulator `kept`, and copies it to `to`.
    Refresh { kept: &'a mut [i16], to: &'a mut [i16], plus: &'a [&'a [i16]], minus: &'a [&'a [i16]] },
    /// Forward pass: returns the weighted SCReLU sum of both perspectives. No weight is larger than 128.
    Forward { perspectives: [&'a [i16]; 2], weights: [&'a [i16]; 2] },
}
