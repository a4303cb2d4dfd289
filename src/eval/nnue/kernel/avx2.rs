//! AVX2: sixteen numbers at once.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sub_epi16,
};

use bytemuck::{cast, cast_slice, cast_slice_mut};

use super::super::vectors::{TILE, by_vectors};
use super::super::{UNIT, Work};

by_vectors!("avx2", __m256i, 2, _mm256_add_epi16, _mm256_sub_epi16);

#[target_feature(enable = "avx2")]
fn weigh([mover, other]: [&[__m256i]; 2], [of_mover, of_other]: [&[__m256i]; 2]) -> i32 {
    let (zero, unit) = (_mm256_setzero_si256(), _mm256_set1_epi16(UNIT));
    let more = |sum: __m256i, number: __m256i, weight: __m256i| {
        let clamped = _mm256_min_epi16(_mm256_max_epi16(number, zero), unit);
        _mm256_add_epi32(sum, _mm256_madd_epi16(clamped, _mm256_mullo_epi16(clamped, weight)))
    };
    let mut sums = [zero; 2];
    for ((mover, of_mover), (other, of_other)) in mover.iter().zip(of_mover).zip(other.iter().zip(of_other)) {
        sums = [more(sums[0], *mover, *of_mover), more(sums[1], *other, *of_other)];
    }
    let lanes: [i32; 8] = cast(_mm256_add_epi32(sums[0], sums[1]));
    lanes.into_iter().sum()
}
