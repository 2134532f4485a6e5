//! Zobrist keys: a fixed random number for each man on each point, joined by exclusive-or.
//!
//! The numbers come from SplitMix64 (Steele, Lea, Flood 2014) with a fixed seed, so keys are the
//! same in every build and may be written to files.

use super::{Piece, Square};

const fn splitmix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const SEED: u64 = 0x4368_7568_6520_3131;

const fn nth(n: u64) -> u64 {
    splitmix(SEED.wrapping_add(GOLDEN.wrapping_mul(n + 1)))
}

static PIECES: [[u64; 90]; 14] = {
    let mut table = [[0; 90]; 14];
    let mut i = 0;
    while i < 14 * 90 {
        table[i / 90][i % 90] = nth(i as u64);
        i += 1;
    }
    table
};

/// Added when Black is to move.
pub const SIDE: u64 = nth(14 * 90);

/// Added to the key of a position that has occurred before on the way to it, so that values which
/// depend on the path do not mix with those which do not.
pub const REPEATED: u64 = nth(14 * 90 + 1);

/// The number of one man on one point.
#[inline]
pub fn piece(piece: Piece, sq: Square) -> u64 {
    PIECES[piece.index()][sq.index()]
}

/// A number for small counters that are mixed into a key (the no-capture clock's bucket, say).
#[inline]
pub const fn counter(n: u64) -> u64 {
    nth(14 * 90 + 2 + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut all: Vec<u64> = PIECES.iter().flatten().copied().collect();
        all.extend([SIDE, REPEATED, counter(0), counter(1)]);
        let len = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), len);
    }
}
