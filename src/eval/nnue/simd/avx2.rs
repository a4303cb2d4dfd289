//! AVX2 kernel: sixteen numbers at once.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sub_epi16,
};

use bytemuck::{cast, cast_slice, cast_slice_mut};

use super::kernel::{Step, UNIT, Work};
use super::vectors::{LANES, TILE, by_vectors};

by_vectors! {
    "avx2", __m256i, __m256i, 2,
    _mm256_add_epi16, _mm256_sub_epi16, _mm256_setzero_si256(), add_products, total
}

#[target_feature(enable = "avx2")]
fn add_products(sum: __m256i, number: __m256i, weight: __m256i) -> __m256i {
    let clamped = _mm256_min_epi16(_mm256_max_epi16(number, _mm256_setzero_si256()), _mm256_set1_epi16(UNIT));
    _mm256_add_epi32(sum, _mm256_madd_epi16(clamped, _mm256_mullo_epi16(clamped, weight)))
}

#[target_feature(enable = "avx2")]
fn total([a, b, c, d]: [__m256i; LANES]) -> i32 {
    let sum = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d));
    let lanes: [i32; 8] = cast(sum);
    lanes.into_iter().sum()
}
