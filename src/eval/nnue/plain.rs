//! The arithmetic of accumulators in plain loops, of which the compiler makes what every machine can do.

use super::ACCUMULATOR_UNIT;

/// `to` becomes `from` with one row more and one less.
///
/// Sums wrap on the way: a row may be added before another is taken off. What comes out fits, as [`super::Bounds`] proves.
pub(super) fn shift(from: &[i16], to: &mut [i16], plus: &[i16], minus: &[i16]) {
    for (((to, from), plus), minus) in to.iter_mut().zip(from).zip(plus).zip(minus) {
        *to = from.wrapping_add(*plus).wrapping_sub(*minus);
    }
}

/// `to` becomes `from` with one row more and two less.
pub(super) fn shift_capture(from: &[i16], to: &mut [i16], plus: &[i16], minus: &[i16], taken: &[i16]) {
    for ((((to, from), plus), minus), taken) in to.iter_mut().zip(from).zip(plus).zip(minus).zip(taken) {
        *to = from.wrapping_add(*plus).wrapping_sub(*minus).wrapping_sub(*taken);
    }
}

/// `to` becomes `from` with all `rows` added.
pub(super) fn sum(from: &[i16], rows: &[&[i16]], to: &mut [i16]) {
    to.copy_from_slice(from);
    for row in rows {
        for (to, row) in to.iter_mut().zip(*row) {
            *to = to.wrapping_add(*row);
        }
    }
}

/// The clamped squares of both views, weighed.
pub(super) fn weigh(views: [&[i16]; 2], weights: [&[i16]; 2]) -> i32 {
    let weighed = |(numbers, weights): (&[i16], &[i16])| -> i32 {
        let products = numbers.iter().zip(weights).map(|(&number, &weight)| {
            let clamped = number.clamp(0, ACCUMULATOR_UNIT as i16);
            // No weight is larger than 128, so this fits sixteen bits.
            i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped)
        });
        products.sum()
    };
    views.into_iter().zip(weights).map(weighed).sum()
}
