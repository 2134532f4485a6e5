//! AVX2: 16 lanes.

use std::arch::x86_64::*;

use super::kernel::UNIT;

kernels!("avx2");

type Vector = __m256i;
type Sum = __m256i;

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block, part: usize) -> Vector {
    let lanes: &[i16; 16] = &block.0.as_chunks().0[part];
    // SAFETY: the lanes are 32 bytes long; blocks are 64-byte aligned.
    unsafe { _mm256_load_si256(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(block: &mut Block, part: usize, values: Vector) {
    let lanes: &mut [i16; 16] = &mut block.0.as_chunks_mut().0[part];
    // SAFETY: the lanes are 32 bytes long; blocks are 64-byte aligned.
    unsafe { _mm256_store_si256(lanes.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm256_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm256_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero() -> Vector {
    _mm256_setzero_si256()
}

#[inline]
#[target_feature(enable = "avx2")]
fn none() -> Sum {
    _mm256_setzero_si256()
}

#[inline]
#[target_feature(enable = "avx2")]
fn accumulate(sum: Sum, values: Vector, weights: Vector) -> Sum {
    let values = _mm256_min_epi16(_mm256_max_epi16(values, zero()), _mm256_set1_epi16(UNIT));
    let products = _mm256_mullo_epi16(values, weights);
    _mm256_add_epi32(sum, _mm256_madd_epi16(products, values))
}

#[inline]
#[target_feature(enable = "avx2")]
fn total(sums: [Sum; 2]) -> i64 {
    // one lane may be near the limit of 32 bits: widen before adding
    let wide = |v| {
        let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(v));
        let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(v));
        _mm256_add_epi64(low, high)
    };
    let sum = _mm256_add_epi64(wide(sums[0]), wide(sums[1]));
    let half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    _mm_extract_epi64::<0>(half) + _mm_extract_epi64::<1>(half)
}
