//! The range coder of `XGR2` and its adaptive bits; `docs/archives.md` describes both.
//!
//! Encoder and decoder share a trait whose methods take the value to write and return the value
//! written or read. So a model is written once, and both directions agree by construction. A decoder
//! ignores what it is given.

/// Shares of the range are counted in units of 1 / 2^15.
pub(super) const SHARE_BITS: u32 = 15;
/// The whole range.
pub(super) const WHOLE: u32 = 1 << SHARE_BITS;
/// The range is kept at or above this.
const LOWEST_RANGE: u32 = 1 << 24;
/// The least share of a bit.
const LEAST: u32 = 32;
/// A bit seen this often changes no slower any more.
const SLOWEST: u8 = 250;

/// Either direction.
pub(super) trait Coder {
    /// One of the symbols whose shares these are; their sum is [`WHOLE`], none is 0.
    fn symbol(&mut self, shares: &[u32], symbol: usize) -> usize;

    /// A bit that is 0 with probability `zero` / [`WHOLE`].
    fn bit(&mut self, zero: u32, bit: bool) -> bool;
}

/// A bit with a probability that follows what was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bit {
    /// Probability of 0 in units of 1 / 2^16.
    zero: u16,
    seen: u8,
}

impl Bit {
    pub(super) const NEW: Bit = Bit { zero: 1 << 15, seen: 0 };

    pub(super) fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        let bit = coder.bit((u32::from(self.zero) >> 1).clamp(LEAST, WHOLE - LEAST), bit);
        let target = if bit { 0 } else { 0xffff };
        let step = (target - i32::from(self.zero)) / (i32::from(self.seen) + 2);
        self.zero = (i32::from(self.zero) + step) as u16;
        self.seen = (self.seen + 1).min(SLOWEST);
        bit
    }
}

/// A number of `BITS` bits, the highest first; each has a [`Bit`] for every value of those above.
#[derive(Clone, Debug)]
pub(super) struct Tree<const BITS: u32>(Vec<Bit>);

impl<const BITS: u32> Tree<BITS> {
    pub(super) fn new() -> Tree<BITS> {
        Tree(vec![Bit::NEW; 1 << BITS])
    }

    pub(super) fn code(&mut self, coder: &mut impl Coder, value: usize) -> usize {
        tree(&mut self.0, BITS, coder, value)
    }
}

fn tree(bits: &mut [Bit], depth: u32, coder: &mut impl Coder, value: usize) -> usize {
    let mut node = 1;
    for i in (0..depth).rev() {
        node = 2 * node + bits[node].code(coder, value >> i & 1 == 1) as usize;
    }
    node - (1 << depth)
}

/// A number below 2^13 - 1: how many bits `value + 1` has, then those below the highest.
#[derive(Clone, Debug)]
pub(super) struct Number {
    lengths: Tree<4>,
    /// By length; bits below the fourth are taken as even.
    heads: Vec<Bit>,
}

/// Bits of a [`Number`] that are learned.
const LEARNED: u32 = 3;

impl Number {
    pub(super) fn new() -> Number {
        Number { lengths: Tree::new(), heads: vec![Bit::NEW; 16 << LEARNED] }
    }

    pub(super) fn code(&mut self, coder: &mut impl Coder, value: usize) -> usize {
        let value = value + 1;
        let length = self.lengths.code(coder, value.ilog2() as usize).min(12) as u32;
        let learned = length.min(LEARNED);
        let even = length - learned;
        let heads = &mut self.heads[(length as usize) << LEARNED..][..1 << LEARNED];
        let head = tree(heads, learned, coder, value >> even & ((1 << learned) - 1));
        let mut coded = 1 << learned | head;
        for i in (0..even).rev() {
            coded = 2 * coded + coder.bit(WHOLE / 2, value >> i & 1 == 1) as usize;
        }
        coded - 1
    }
}

/// Writes.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    fn narrow(&mut self, start: u32, size: u32) {
        let unit = self.range >> SHARE_BITS;
        self.low += u64::from(unit) * u64::from(start);
        // the last symbol gets what the division leaves over
        self.range = if start + size == WHOLE { self.range - unit * start } else { unit * size };
        while self.range < LOWEST_RANGE {
            self.shift();
            self.range <<= 8;
        }
    }

    /// Moves the highest byte out.
    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            let carried = self.bytes.iter_mut().rev().find_map(|byte| {
                *byte = byte.wrapping_add(1);
                (*byte != 0).then_some(())
            });
            debug_assert!(carried.is_some(), "the sum of all shares is below 1");
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// Information written so far.
    pub(super) fn bits(&self) -> f64 {
        8.0 * (self.bytes.len() as f64 + 4.0) - f64::from(self.range).log2()
    }

    /// The bytes: the shortest that decode to what was written, when zeros follow them.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let last = self.low + u64::from(self.range) - 1;
        let rounded = (0..=32).rev().step_by(8).map(|bits| last >> bits << bits);
        self.low = rounded.into_iter().find(|&end| end >= self.low).unwrap_or(self.low);
        for _ in 0..4 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn symbol(&mut self, shares: &[u32], symbol: usize) -> usize {
        self.narrow(shares[..symbol].iter().sum(), shares[symbol]);
        symbol
    }

    fn bit(&mut self, zero: u32, bit: bool) -> bool {
        if bit {
            self.narrow(zero, WHOLE - zero)
        } else {
            self.narrow(0, zero)
        }
        bit
    }
}

/// Reads. Behind the last byte it finds zeros.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }

    /// Whether bytes are left that no symbol needed.
    pub(super) fn has_more(&self) -> bool {
        !self.bytes.as_slice().is_empty()
    }

    fn narrow(&mut self, start: u32, size: u32) {
        let unit = self.range >> SHARE_BITS;
        self.code -= unit * start;
        self.range = if start + size == WHOLE { self.range - unit * start } else { unit * size };
        while self.range < LOWEST_RANGE {
            self.shift();
            self.range <<= 8;
        }
    }
}

impl Coder for Decoder<'_> {
    fn symbol(&mut self, shares: &[u32], _: usize) -> usize {
        let point = self.code / (self.range >> SHARE_BITS);
        let (mut symbol, mut start) = (0, 0);
        while symbol + 1 < shares.len() && start + shares[symbol] <= point {
            start += shares[symbol];
            symbol += 1;
        }
        self.narrow(start, shares[symbol]);
        symbol
    }

    fn bit(&mut self, zero: u32, _: bool) -> bool {
        let bit = self.code / (self.range >> SHARE_BITS) >= zero;
        if bit {
            self.narrow(zero, WHOLE - zero)
        } else {
            self.narrow(0, zero)
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of three symbols and probabilities at both ends.
    const SHARES: [u32; 3] = [1, WHOLE - 2, 1];

    /// Tells a fixed mixture of everything; the values told.
    fn tell(coder: &mut impl Coder, mut seed: u64, count: usize) -> Vec<usize> {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        let (mut bit, mut tree, mut number) = (Bit::NEW, Tree::<5>::new(), Number::new());
        let values = (0..count).map(|_| match next() % 6 {
            0 => coder.symbol(&SHARES, next() % 3),
            1 => coder.bit(LEAST, next() % 2 == 0) as usize,
            2 => coder.bit(WHOLE - LEAST, next() % 50 == 0) as usize,
            3 => bit.code(coder, next() % 9 == 0) as usize,
            4 => tree.code(coder, next() % 32),
            _ => number.code(coder, next() % ((1 << 13) - 1)),
        });
        values.collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 2, 3, 10, 100, 20_000] {
            for seed in 0..40 {
                let mut encoder = Encoder::new();
                let told = tell(&mut encoder, seed, count);
                let bits = encoder.bits();
                let bytes = encoder.finish();
                assert!((8 * bytes.len()) as f64 <= bits + 9.0, "{} bytes", bytes.len());
                assert_ne!(bytes.last(), Some(&0));
                let mut decoder = Decoder::new(&bytes);
                // the decoder is told nothing: only its random numbers advance alike
                let read = tell(&mut Blind(&mut decoder), seed, count);
                assert!(read == told && !decoder.has_more(), "{count} values of seed {seed}");
            }
        }
    }

    /// Hides what is to be told.
    struct Blind<'a, C>(&'a mut C);

    impl<C: Coder> Coder for Blind<'_, C> {
        fn symbol(&mut self, shares: &[u32], _: usize) -> usize {
            self.0.symbol(shares, 0)
        }

        fn bit(&mut self, zero: u32, _: bool) -> bool {
            self.0.bit(zero, false)
        }
    }

    #[test]
    fn any_bytes_can_be_read() {
        for byte in [0, 1, 127, 128, 255] {
            for length in 0..40 {
                let bytes = vec![byte; length];
                tell(&mut Blind(&mut Decoder::new(&bytes)), 1, 500);
            }
        }
    }
}
