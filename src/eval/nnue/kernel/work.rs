//! What kernels calculate.

use crate::eval::nnue::units::ACCUMULATOR_UNIT;

/// Numbers are clamped to this.
pub(super) const UNIT: i16 = ACCUMULATOR_UNIT as i16;
const _: () = assert!(UNIT as i32 == ACCUMULATOR_UNIT);

/// What there is to calculate. Rows are equally long, by a multiple of 32 numbers, and begin at multiples of 64 bytes.
///
/// Sums wrap on the way: a row may be added before another is taken off. What comes out fits, as [`crate::eval::nnue::Bounds`] proves.
pub(super) enum Work<'a> {
    /// `to` becomes `from` with one row more and one less.
    Shift { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 1] },
    /// `to` becomes `from` with one row more and two less.
    ShiftCapture { from: &'a [i16], to: &'a mut [i16], plus: &'a [i16], minus: [&'a [i16]; 2] },
    /// `kept` changes by rows more and rows less, and `to` becomes what it is then.
    Renew { kept: &'a mut [i16], to: &'a mut [i16], plus: &'a [&'a [i16]], minus: &'a [&'a [i16]] },
    /// The clamped squares of both views, weighed, are the result. No weight is larger than 128.
    Weigh { views: [&'a [i16]; 2], weights: [&'a [i16]; 2] },
}
