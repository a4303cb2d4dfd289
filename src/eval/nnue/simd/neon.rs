//! NEON kernel: eight numbers at once.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

use bytemuck::{cast_slice, cast_slice_mut};

use crate::eval::nnue::simd::vectors::{LANES, TILE, by_vectors};
use crate::eval::nnue::simd::work::{UNIT, Work};

by_vectors!("neon", int16x8_t, int32x4_t, 4);

#[target_feature(enable = "neon")]
fn add(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    vaddq_s16(a, b)
}

#[target_feature(enable = "neon")]
fn sub(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    vsubq_s16(a, b)
}

#[target_feature(enable = "neon")]
fn none() -> int32x4_t {
    vdupq_n_s32(0)
}

#[target_feature(enable = "neon")]
fn more(sum: int32x4_t, number: int16x8_t, weight: int16x8_t) -> int32x4_t {
    let clamped = vminq_s16(vmaxq_s16(number, vdupq_n_s16(0)), vdupq_n_s16(UNIT));
    let product = vmulq_s16(clamped, weight);
    let sum = vmlal_s16(sum, vget_low_s16(clamped), vget_low_s16(product));
    vmlal_high_s16(sum, clamped, product)
}

#[target_feature(enable = "neon")]
fn total([a, b, c, d]: [int32x4_t; LANES]) -> i32 {
    vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)))
}
