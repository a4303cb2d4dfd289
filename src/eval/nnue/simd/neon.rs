//! NEON kernel: eight numbers at once.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

use bytemuck::{cast_slice, cast_slice_mut};

use super::kernel::{Step, UNIT, Work};
use super::vectors::{LANES, TILE, by_vectors};

by_vectors! { "neon", int16x8_t, int32x4_t, 4, vaddq_s16, vsubq_s16, vdupq_n_s32(0), add_products, total }

#[target_feature(enable = "neon")]
fn add_products(sum: int32x4_t, number: int16x8_t, weight: int16x8_t) -> int32x4_t {
    let clamped = vminq_s16(vmaxq_s16(number, vdupq_n_s16(0)), vdupq_n_s16(UNIT));
    let product = vmulq_s16(clamped, weight);
    let sum = vmlal_s16(sum, vget_low_s16(clamped), vget_low_s16(product));
    vmlal_high_s16(sum, clamped, product)
}

#[target_feature(enable = "neon")]
fn total([a, b, c, d]: [int32x4_t; LANES]) -> i32 {
    vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)))
}
