//! AVX-512 with VNNI: thirty-two numbers at once, multiplied and added up by one instruction.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_sub_epi16,
};

use bytemuck::{cast_slice, cast_slice_mut};

use super::super::vectors::{TILE, by_vectors};
use super::super::{UNIT, Work};

by_vectors!("avx512f,avx512bw,avx512vnni", __m512i, 1, _mm512_add_epi16, _mm512_sub_epi16);

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn weigh([mover, other]: [&[__m512i]; 2], [of_mover, of_other]: [&[__m512i]; 2]) -> i32 {
    let (zero, unit) = (_mm512_setzero_si512(), _mm512_set1_epi16(UNIT));
    let more = |sum: __m512i, number: __m512i, weight: __m512i| {
        let clamped = _mm512_min_epi16(_mm512_max_epi16(number, zero), unit);
        _mm512_dpwssd_epi32(sum, clamped, _mm512_mullo_epi16(clamped, weight))
    };
    // Two sums, so that one need not wait for the other.
    let mut sums = [zero; 2];
    for ((mover, of_mover), (other, of_other)) in mover.iter().zip(of_mover).zip(other.iter().zip(of_other)) {
        sums = [more(sums[0], *mover, *of_mover), more(sums[1], *other, *of_other)];
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}
