//! Which instruction set does the arithmetic: found out once, at run time.
//!
//! Updating compiles well from plain code, so the variants only compile it again for more
//! instructions; the output is written by hand, because `vpmaddwd` halves its cost. On ARM the plain
//! code already uses NEON, which every 64-bit ARM processor has.

use super::kernel::{self, Block};

/// An instruction set to compute with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backend(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Backend {
    /// The fastest this processor has.
    pub fn best() -> Backend {
        // AVX-512 was measured to gain nothing up to a width of 256, so there is no third kind.
        Backend::available().first().copied().unwrap_or(Backend::PLAIN)
    }

    /// What every processor has.
    pub const PLAIN: Backend = Backend(Set::Plain);

    /// All this processor has, the fastest first.
    pub fn available() -> Vec<Backend> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            all.push(Backend(Set::Avx2));
        }
        all.push(Backend::PLAIN);
        all
    }

    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
        }
    }

    /// See [`kernel::update`].
    #[inline]
    pub(super) fn update(
        self,
        out: &mut [Block],
        from: &[Block],
        add: &[Block],
        sub: &[Block],
        taken: Option<&[Block]>,
    ) {
        match self.0 {
            Set::Plain => kernel::update(out, from, add, sub, taken),
            // SAFETY: this variant is only made after the processor was seen to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::update_avx2(out, from, add, sub, taken) },
        }
    }

    /// See [`kernel::refresh`].
    #[inline]
    pub(super) fn refresh(self, values: &mut [Block], rows: &[Block], add: &[u16], sub: &[u16]) {
        match self.0 {
            Set::Plain => kernel::refresh(values, rows, add, sub),
            // SAFETY: this variant is only made after the processor was seen to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::refresh_avx2(values, rows, add, sub) },
        }
    }

    /// See [`kernel::forward`].
    #[inline]
    pub(super) fn forward(self, own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
        match self.0 {
            Set::Plain => kernel::forward(own, other, weights),
            // SAFETY: this variant is only made after the processor was seen to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::forward_avx2(own, other, weights) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::kernel::{self, Block, UNIT};

    #[target_feature(enable = "avx2")]
    pub(super) fn update_avx2(
        out: &mut [Block],
        from: &[Block],
        add: &[Block],
        sub: &[Block],
        taken: Option<&[Block]>,
    ) {
        kernel::update(out, from, add, sub, taken);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn refresh_avx2(values: &mut [Block], rows: &[Block], add: &[u16], sub: &[u16]) {
        kernel::refresh(values, rows, add, sub);
    }

    /// Both halves of a block.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(block: &Block) -> [__m256i; 2] {
        let start = block.0.as_ptr().cast::<__m256i>();
        // SAFETY: a block is 64 bytes long and 64-byte aligned.
        unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn forward_avx2(own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
        let (zero, unit) = (_mm256_setzero_si256(), _mm256_set1_epi16(UNIT));
        let mut sums = [zero; 2];
        let (mine, theirs) = weights.split_at(own.len().min(weights.len()));
        for (values, weights) in [(own, mine), (other, theirs)] {
            for (block, weights) in values.iter().zip(weights) {
                let (block, weights) = (halves(block), halves(weights));
                for i in 0..2 {
                    let active = _mm256_min_epi16(_mm256_max_epi16(block[i], zero), unit);
                    let product = _mm256_mullo_epi16(active, weights[i]);
                    sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(product, active));
                }
            }
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn blocks(len: usize, state: &mut u64, mut value: impl FnMut(u64) -> i16) -> Vec<Block> {
        let mut block = || Block(std::array::from_fn(|_| value(next(state))));
        (0..len).map(|_| block()).collect()
    }

    /// Sums in the widest type, straight from the definition.
    fn definition(own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
        let values = own.iter().chain(other).flat_map(|block| block.0);
        let weights = weights.iter().flat_map(|block| block.0);
        values
            .zip(weights)
            .map(|(value, weight)| {
                let active = i64::from(value).clamp(0, 255);
                active * active * i64::from(weight)
            })
            .sum()
    }

    #[test]
    fn all_instruction_sets_agree() {
        let mut state = 5;
        let within = |limit: i16| {
            move |random: u64| ((random % (2 * limit as u64 + 1)) as i64 - i64::from(limit)) as i16
        };
        let extreme = |limit: i16| move |random: u64| if random & 64 == 0 { limit } else { -limit };
        let full = |limit: i16| move |_| limit;
        for len in [1, 2, 3, 4, 5, 8, 16, 64] {
            for round in 0..30 {
                let (values, weights) = match round % 3 {
                    0 => (blocks(4 * len, &mut state, within(700)), within(127)),
                    _ => (blocks(4 * len, &mut state, within(32_767)), within(127)),
                };
                let weights = match round {
                    0 => blocks(2 * len, &mut state, full(127)),
                    1 => blocks(2 * len, &mut state, full(-127)),
                    n if n < 10 => blocks(2 * len, &mut state, extreme(127)),
                    _ => blocks(2 * len, &mut state, weights),
                };
                let saturated = blocks(len, &mut state, full(300));
                let (own, other) = match round {
                    0 | 1 => (&saturated[..], &saturated[..]),
                    _ => (&values[..len], &values[len..2 * len]),
                };
                let rows = match round % 2 {
                    0 => blocks(9 * len, &mut state, within(505)),
                    _ => blocks(9 * len, &mut state, extreme(505)),
                };
                let expected = definition(own, other, &weights);
                let row = |n: usize| &rows[n * len..(n + 1) * len];
                let taken = (round % 2 == 0).then(|| row(2));
                let mut updates = Vec::new();
                for backend in Backend::available() {
                    assert_eq!(backend.forward(own, other, &weights), expected, "{backend:?}");
                    let mut out = vec![Block::ZERO; len];
                    backend.update(&mut out, own, row(0), row(1), taken);
                    let mut fresh = own.to_vec();
                    backend.refresh(&mut fresh, &rows, &[3, 4, 5, 6, 0], &[7, 8]);
                    updates.push((out, fresh));
                }
                assert!(updates.windows(2).all(|pair| pair[0] == pair[1]), "length {len}");
                let (out, fresh) = &updates[0];
                for i in 0..32 * len {
                    let at = |blocks: &[Block]| blocks[i / 32].0[i % 32];
                    let taken = taken.map_or(0, at);
                    let sum = i32::from(at(own)) + i32::from(at(row(0))) - i32::from(at(row(1)));
                    assert_eq!(at(out), (sum - i32::from(taken)) as i16);
                    let gained: i32 = [3, 4, 5, 6, 0].iter().map(|&n| i32::from(at(row(n)))).sum();
                    let lost: i32 = [7, 8].iter().map(|&n| i32::from(at(row(n)))).sum();
                    assert_eq!(at(fresh), (i32::from(at(own)) + gained - lost) as i16);
                }
            }
        }
    }
}
