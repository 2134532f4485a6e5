//! Reproducible random numbers.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The output function of SplitMix64.
pub fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// The stream number `stream` of a seed.
    pub fn new(seed: u64, stream: u64) -> Random {
        Random(mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ mix(stream ^ 0x5851_f42d_4c95_7f2d))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number between -limit and limit.
    pub fn within(&mut self, limit: f32) -> f32 {
        let unit = (self.bits() >> 40) as f32 / (1u64 << 23) as f32;
        (unit - 1.0) * limit
    }

    /// Brings a list into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
