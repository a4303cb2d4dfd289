//! AVX-512 kernel with VNNI: thirty-two numbers at once, multiplied and added up by one instruction.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_sub_epi16,
};

use bytemuck::{cast_slice, cast_slice_mut};

use super::kernel::{Step, UNIT, Work};
use super::vectors::{LANES, TILE, by_vectors};

by_vectors! {
    "avx512f,avx512bw,avx512vnni", __m512i, __m512i, 1,
    _mm512_add_epi16, _mm512_sub_epi16, _mm512_setzero_si512(), add_products, total
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_products(sum: __m512i, number: __m512i, weight: __m512i) -> __m512i {
    let clamped = _mm512_min_epi16(_mm512_max_epi16(number, _mm512_setzero_si512()), _mm512_set1_epi16(UNIT));
    _mm512_dpwssd_epi32(sum, clamped, _mm512_mullo_epi16(clamped, weight))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn total([a, b, c, d]: [__m512i; LANES]) -> i32 {
    _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)))
}
