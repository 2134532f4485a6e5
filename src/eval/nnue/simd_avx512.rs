//! AVX-512 (F and BW): 32 lanes, a whole block.

use std::arch::x86_64::*;

use super::kernel::UNIT;

kernels!("avx512f,avx512bw");

type Vector = __m512i;
type Sum = __m512i;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &Block, part: usize) -> Vector {
    debug_assert_eq!(part, 0);
    // SAFETY: a block is 64 bytes long and 64-byte aligned.
    unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(block: &mut Block, part: usize, values: Vector) {
    debug_assert_eq!(part, 0);
    // SAFETY: a block is 64 bytes long and 64-byte aligned.
    unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), values) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm512_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn zero() -> Vector {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn none() -> Sum {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn accumulate(sum: Sum, values: Vector, weights: Vector) -> Sum {
    let values = _mm512_min_epi16(_mm512_max_epi16(values, zero()), _mm512_set1_epi16(UNIT));
    let products = _mm512_mullo_epi16(values, weights);
    _mm512_add_epi32(sum, _mm512_madd_epi16(products, values))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn total([sum]: [Sum; 1]) -> i64 {
    // one lane may be near the limit of 32 bits: widen before adding
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}
