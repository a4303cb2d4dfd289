//! NEON: eight numbers at once.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

use bytemuck::{cast_slice, cast_slice_mut};

use super::super::vectors::{TILE, by_vectors};
use super::super::{UNIT, Work};

by_vectors!("neon", int16x8_t, 4, vaddq_s16, vsubq_s16);

#[target_feature(enable = "neon")]
fn weigh([mover, other]: [&[int16x8_t]; 2], [of_mover, of_other]: [&[int16x8_t]; 2]) -> i32 {
    let (zero, unit) = (vdupq_n_s16(0), vdupq_n_s16(UNIT));
    let more = |sum: int32x4_t, number: int16x8_t, weight: int16x8_t| {
        let clamped = vminq_s16(vmaxq_s16(number, zero), unit);
        let product = vmulq_s16(clamped, weight);
        let sum = vmlal_s16(sum, vget_low_s16(clamped), vget_low_s16(product));
        vmlal_high_s16(sum, clamped, product)
    };
    // Two sums, so that one need not wait for the other.
    let mut sums = [vdupq_n_s32(0); 2];
    for ((mover, of_mover), (other, of_other)) in mover.iter().zip(of_mover).zip(other.iter().zip(of_other)) {
        sums = [more(sums[0], *mover, *of_mover), more(sums[1], *other, *of_other)];
    }
    vaddvq_s32(vaddq_s32(sums[0], sums[1]))
}
