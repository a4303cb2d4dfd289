//! Calculations of the kernels.

use crate::eval::nnue::units::ACCUMULATOR_UNIT;

/// Upper limit of an activation (QA).
pub(super) const UNIT: i16 = ACCUMULATOR_UNIT as i16;
const _: () = assert!(UNIT as i32 == ACCUMULATOR_UNIT);

/// A calculation. Rows are equally long, by a multiple of 32 numbers, and begin at multiples of 64 bytes.
///
/// Intermediate sums wrap: a row may be added before another is subtracted. Results fit, as
/// [`crate::eval::nnue::Bounds`] proves.
pub(super) enum Work<'a> {
    /// Incremental update: sets `to` to `from` plus one row and minus one.
    Shift { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 1] },
    /// Incremental update of a capture: sets `to` to `from` plus one row and minus two.
    ShiftCapture { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 2] },
    /// Refresh: adds and subtracts rows in the cached accumulator `kept`, and copies it to `to`.
    Renew { kept: &'a mut [i16], to: &'a mut [i16], plus: &'a [&'a [i16]], minus: &'a [&'a [i16]] },
    /// Forward pass: returns the weighted SCReLU sum of both perspectives. No weight is larger than 128.
    Weigh { views: [&'a [i16]; 2], weights: [&'a [i16]; 2] },
}
