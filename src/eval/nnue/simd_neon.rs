//! NEON of 64-bit ARM: 8 lanes.

use std::arch::aarch64::*;

use super::kernel::UNIT;

kernels!("neon");

type Vector = int16x8_t;
type Sum = int32x4_t;

#[inline]
#[target_feature(enable = "neon")]
fn load(block: &Block, part: usize) -> Vector {
    let lanes: &[i16; 8] = &block.0.as_chunks().0[part];
    // SAFETY: the lanes are 16 bytes long; no alignment is asked for.
    unsafe { vld1q_s16(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(block: &mut Block, part: usize, values: Vector) {
    let lanes: &mut [i16; 8] = &mut block.0.as_chunks_mut().0[part];
    // SAFETY: the lanes are 16 bytes long; no alignment is asked for.
    unsafe { vst1q_s16(lanes.as_mut_ptr(), values) }
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: Vector, b: Vector) -> Vector {
    vaddq_s16(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn sub(a: Vector, b: Vector) -> Vector {
    vsubq_s16(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> Vector {
    vdupq_n_s16(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn none() -> Sum {
    vdupq_n_s32(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn accumulate(sum: Sum, values: Vector, weights: Vector) -> Sum {
    let values = vminq_s16(vmaxq_s16(values, zero()), vdupq_n_s16(UNIT));
    let products = vmulq_s16(values, weights);
    let low = vmlal_s16(sum, vget_low_s16(products), vget_low_s16(values));
    vmlal_high_s16(low, products, values)
}

#[inline]
#[target_feature(enable = "neon")]
fn total(sums: [Sum; 4]) -> i64 {
    // one lane may be near the limit of 32 bits: widen while adding
    let wide = sums.map(|sum| vaddlvq_s32(sum));
    wide.iter().sum()
}
