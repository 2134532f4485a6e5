//! Which instruction set does the arithmetic: found out once, at run time.
//!
//! One text, [`kernels`], is compiled for every instruction set; what differs is the type of a vector
//! and a handful of operations on it. All give the same numbers as the plain code in [`kernel`].

use std::sync::OnceLock;

use super::kernel::{self, Block, Rows};

/// The environment variable that names the instruction set to use (`plain`, `avx2`, `avx512`,
/// `neon`), to compare them; what the processor lacks is not used.
pub const BACKEND_VARIABLE: &str = "CHUHE_SIMD";

/// An instruction set to compute with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backend(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// Runs a kernel of the chosen set.
macro_rules! dispatch {
    ($set:expr, $kernel:ident($($argument:expr),*)) => {
        match $set {
            Set::Plain => kernel::$kernel($($argument),*),
            // SAFETY: this variant is only made after the processor was seen to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { simd_avx2::$kernel($($argument),*) },
            // SAFETY: this variant is only made after the processor was seen to have AVX-512 F, BW.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { simd_avx512::$kernel($($argument),*) },
            // SAFETY: this variant is only made after the processor was seen to have NEON.
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { simd_neon::$kernel($($argument),*) },
        }
    };
}

impl Backend {
    /// What every processor has.
    pub const PLAIN: Backend = Backend(Set::Plain);

    /// The fastest this processor has, or the one that [`BACKEND_VARIABLE`] names.
    pub fn best() -> Backend {
        static BEST: OnceLock<Backend> = OnceLock::new();
        *BEST.get_or_init(|| {
            let all = Backend::available();
            let fastest = all.first().copied().unwrap_or(Backend::PLAIN);
            let Ok(name) = std::env::var(BACKEND_VARIABLE) else { return fastest };
            let named = all.into_iter().find(|backend| backend.name() == name);
            if named.is_none() {
                log::warn!("{BACKEND_VARIABLE}: this processor has no {name:?}");
            }
            named.unwrap_or(fastest)
        })
    }

    /// All this processor has, the fastest for networks of the usual widths first.
    pub fn available() -> Vec<Backend> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            // Up to width 256 AVX2 measured 3 to 7 % faster, at 512 AVX-512 6 %.
            if is_x86_feature_detected!("avx2") {
                all.push(Backend(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                all.push(Backend(Set::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            all.push(Backend(Set::Neon));
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
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "neon",
        }
    }

    /// See [`kernel::update`].
    #[inline]
    pub(super) fn update(self, out: &mut [Block], from: &[Block], rows: Rows<'_>) {
        dispatch!(self.0, update(out, from, rows))
    }

    /// See [`kernel::refresh`].
    #[inline]
    pub(super) fn refresh(self, values: &mut [Block], rows: &[Block], add: &[u16], sub: &[u16]) {
        dispatch!(self.0, refresh(values, rows, add, sub))
    }

    /// See [`kernel::forward`].
    #[inline]
    pub(super) fn forward(self, own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
        dispatch!(self.0, forward(own, other, weights))
    }

    /// See [`kernel::step`].
    #[inline]
    pub(super) fn step(
        self,
        out: [&mut [Block]; 2],
        from: [&[Block]; 2],
        rows: [Rows<'_>; 2],
        weights: [&[Block]; 2],
    ) -> i64 {
        dispatch!(self.0, step(out, from, rows, weights))
    }
}

/// The kernels for one instruction set. The module that uses it has a type `Vector` of 16-bit
/// lanes, a type `Sum` of 32-bit lanes, and functions compiled for the same features:
///
/// - `load`, `store`: part `i` of a block;
/// - `add`, `sub`: lane by lane, wrapping;
/// - `zero`, `none`: a `Vector` and a `Sum` of zeros; `accumulate`: adds clamp(x, 0, 1)² · w to a `Sum`;
/// - `total`: the sum of all lanes of all parts.
macro_rules! kernels {
    ($features:literal) => {
        use super::kernel::{Block, Rows};

        /// Vectors of a block.
        const PARTS: usize = size_of::<Block>() / size_of::<Vector>();

        #[inline]
        #[target_feature(enable = $features)]
        fn changed<const TAKEN: bool>(from: Vector, [add_, sub_, taken]: [Vector; 3]) -> Vector {
            let sum = sub(add(from, add_), sub_);
            if TAKEN { sub(sum, taken) } else { sum }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn update_as<const TAKEN: bool>(out: &mut [Block], from: &[Block], rows: Rows<'_>) {
            let len = out.len();
            let (from, add, sub) = (&from[..len], &rows.add[..len], &rows.sub[..len]);
            let taken = &rows.taken.unwrap_or(sub)[..len];
            for n in 0..len {
                for i in 0..PARTS {
                    let rows = [load(&add[n], i), load(&sub[n], i), load(&taken[n], i)];
                    store(&mut out[n], i, changed::<TAKEN>(load(&from[n], i), rows));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn update(out: &mut [Block], from: &[Block], rows: Rows<'_>) {
            match rows.taken {
                Some(_) => update_as::<true>(out, from, rows),
                None => update_as::<false>(out, from, rows),
            }
        }

        /// `TILE` blocks of all rows, in registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn refresh_tile<const TILE: usize>(
            values: &mut [Block; TILE],
            rows: &[Block],
            len: usize,
            [plus, minus]: [&[u16]; 2],
        ) {
            let mut sums = [[zero(); PARTS]; TILE];
            for n in 0..TILE {
                for i in 0..PARTS {
                    sums[n][i] = load(&values[n], i);
                }
            }
            let row = |feature: u16| rows.get(feature as usize * len..)?.first_chunk::<TILE>();
            for &feature in plus {
                let Some(row) = row(feature) else { continue };
                for n in 0..TILE {
                    for i in 0..PARTS {
                        sums[n][i] = add(sums[n][i], load(&row[n], i));
                    }
                }
            }
            for &feature in minus {
                let Some(row) = row(feature) else { continue };
                for n in 0..TILE {
                    for i in 0..PARTS {
                        sums[n][i] = sub(sums[n][i], load(&row[n], i));
                    }
                }
            }
            for n in 0..TILE {
                for i in 0..PARTS {
                    store(&mut values[n], i, sums[n][i]);
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn refresh(values: &mut [Block], rows: &[Block], add: &[u16], sub: &[u16]) {
            let len = values.len();
            let changes = [add, sub];
            let mut at = 0;
            while let Some(values) = values[at..].first_chunk_mut::<4>() {
                refresh_tile(values, &rows[at..], len, changes);
                at += 4;
            }
            while let Some(values) = values[at..].first_chunk_mut::<1>() {
                refresh_tile(values, &rows[at..], len, changes);
                at += 1;
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn forward(own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
            let mut sums = [none(); PARTS];
            let len = own.len();
            let (mine, theirs) = weights.split_at(len);
            let (other, theirs) = (&other[..len], &theirs[..len]);
            for n in 0..len {
                for i in 0..PARTS {
                    sums[i] = accumulate(sums[i], load(&own[n], i), load(&mine[n], i));
                    sums[i] = accumulate(sums[i], load(&other[n], i), load(&theirs[n], i));
                }
            }
            total(sums)
        }

        /// One perspective of [`step`].
        #[inline]
        #[target_feature(enable = $features)]
        fn step_as<const TAKEN: bool>(
            out: &mut [Block],
            from: &[Block],
            rows: Rows<'_>,
            weights: &[Block],
            mut sums: [Sum; PARTS],
        ) -> [Sum; PARTS] {
            let len = out.len();
            let (from, weights) = (&from[..len], &weights[..len]);
            let (add, sub) = (&rows.add[..len], &rows.sub[..len]);
            let taken = &rows.taken.unwrap_or(sub)[..len];
            for n in 0..len {
                for i in 0..PARTS {
                    let rows = [load(&add[n], i), load(&sub[n], i), load(&taken[n], i)];
                    let values = changed::<TAKEN>(load(&from[n], i), rows);
                    store(&mut out[n], i, values);
                    sums[i] = accumulate(sums[i], values, load(&weights[n], i));
                }
            }
            sums
        }

        #[target_feature(enable = $features)]
        pub(super) fn step(
            [out, out_2]: [&mut [Block]; 2],
            [from, from_2]: [&[Block]; 2],
            [rows, rows_2]: [Rows<'_>; 2],
            [weights, weights_2]: [&[Block]; 2],
        ) -> i64 {
            let sums = [none(); PARTS];
            if rows.taken.is_some() {
                let sums = step_as::<true>(out, from, rows, weights, sums);
                total(step_as::<true>(out_2, from_2, rows_2, weights_2, sums))
            } else {
                let sums = step_as::<false>(out, from, rows, weights, sums);
                total(step_as::<false>(out_2, from_2, rows_2, weights_2, sums))
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
#[path = "simd_avx2.rs"]
mod simd_avx2;
#[cfg(target_arch = "x86_64")]
#[path = "simd_avx512.rs"]
mod simd_avx512;
#[cfg(target_arch = "aarch64")]
#[path = "simd_neon.rs"]
mod simd_neon;

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
                    backend.update(&mut out, own, Rows { add: row(0), sub: row(1), taken });
                    let mut fresh = own.to_vec();
                    backend.refresh(&mut fresh, &rows, &[3, 4, 5, 6, 0], &[7, 8]);
                    let change = |add, sub, with: bool| {
                        let taken = with.then(|| row(8));
                        Rows { add: row(add), sub: row(sub), taken }
                    };
                    let changes = [change(0, 1, true), change(4, 5, true)];
                    let changes = if taken.is_none() {
                        changes.map(|rows| Rows { taken, ..rows })
                    } else {
                        changes
                    };
                    let mut stepped = [vec![Block::ZERO; len], vec![Block::ZERO; len]];
                    let [first, second] = &mut stepped;
                    let halves = weights.split_at(len);
                    let sum =
                        backend.step([first, second], [own, other], changes, [halves.1, halves.0]);
                    let mut apart = stepped.clone();
                    for ((out, from), rows) in apart.iter_mut().zip([own, other]).zip(changes) {
                        kernel::update(out, from, rows);
                    }
                    assert_eq!(stepped, apart, "{backend:?}");
                    assert_eq!(sum, definition(&apart[1], &apart[0], &weights), "{backend:?}");
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
