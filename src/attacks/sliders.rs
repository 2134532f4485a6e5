//! Rooks and cannons.
//!
//! Tables are indexed by file or rank and by the occupancy *inside* that line (the two end points
//! never matter), not by square and occupancy: 86 KB in all, so they stay in the cache beside a
//! network. One entry holds the rook set and the cannon set of a line, since a cannon needs both:
//! it moves like a rook and captures behind one screen.

use crate::types::{Bitboard, Square};

/// Both target sets of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Empty points up to the first man of each direction, that man included.
    pub rook: Bitboard,
    /// The second man of each direction: what a cannon captures over its screen.
    pub cannon: Bitboard,
}

/// Rook and cannon sets of place `at` on a line of `len` points with occupancy `occ`.
const fn sets(at: usize, len: usize, occ: u32) -> (u32, u32) {
    let (mut rook, mut cannon) = (0, 0);
    let mut direction = 0;
    while direction < 2 {
        let mut men = 0;
        let mut i = at;
        loop {
            if (direction == 0 && i == 0) || (direction == 1 && i + 1 == len) || men == 2 {
                break;
            }
            i = if direction == 0 { i - 1 } else { i + 1 };
            if men == 0 {
                rook |= 1 << i;
            }
            if occ >> i & 1 != 0 {
                men += 1;
                if men == 2 {
                    cannon |= 1 << i;
                }
            }
        }
        direction += 1;
    }
    (rook, cannon)
}

/// Both ways the end points count as occupied or not without changing what is *reached* up to
/// them, except that a cannon may only capture a man: callers intersect with real men.
static RANK: [[(u16, u16); 128]; 9] = {
    let mut table = [[(0, 0); 128]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < 128 {
            // end points occupied: a cannon set may name an empty end point, see `reach`
            let (rook, cannon) = sets(file, 9, (inner as u32) << 1 | 0x101);
            table[file][inner] = (rook as u16, cannon as u16);
            inner += 1;
        }
        file += 1;
    }
    table
};

const fn spread_to_file_a(line: u32) -> u128 {
    let mut set = 0;
    let mut rank = 0;
    while rank < 10 {
        if line >> rank & 1 != 0 {
            set |= 1 << (rank * 9);
        }
        rank += 1;
    }
    set
}

static FILE: [[(u128, u128); 256]; 10] = {
    let mut table = [[(0, 0); 256]; 10];
    let mut rank = 0;
    while rank < 10 {
        let mut inner = 0;
        while inner < 256 {
            let (rook, cannon) = sets(rank, 10, (inner as u32) << 1 | 0x201);
            table[rank][inner] = (spread_to_file_a(rook), spread_to_file_a(cannon));
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// Occupancy of ranks 1..=8 of a file as eight bits.
#[inline]
fn file_index(occupied: Bitboard, file: u8) -> usize {
    // Points of file a lie nine bits apart. Ranks 1..=7 fall into the low word; multiplying by
    // bits eight apart moves rank k to bit 56 + k and everything else out of the way.
    const FILE_A_1_TO_7: u64 = 0x8040_2010_0804_0200;
    const GATHER: u64 = 0x0001_0101_0101_0101;
    let line = occupied.bits() >> (file & 15);
    let low = (line as u64 & FILE_A_1_TO_7).wrapping_mul(GATHER) >> 57;
    let rank_8 = (line >> 65) as u64 & 0x80;
    (low | rank_8) as usize
}

/// Rook and cannon sets of a point in one look-up.
///
/// The cannon set takes the outermost point of a line for a man even when it is empty: intersect
/// it with the men you care about (callers always do, a cannon captures).
#[inline]
pub fn reach(sq: Square, occupied: Bitboard) -> Reach {
    let (file, rank) = (sq.file(), sq.rank());
    let shift = rank as u32 * 9;
    let inner = (occupied.bits() >> (shift + 1)) as usize & 127;
    let (rank_rook, rank_cannon) = RANK[file as usize][inner];
    let (file_rook, file_cannon) = FILE[rank as usize][file_index(occupied, file)];
    Reach {
        rook: Bitboard::from_bits((rank_rook as u128) << shift | file_rook << file),
        cannon: Bitboard::from_bits((rank_cannon as u128) << shift | file_cannon << file),
    }
}

/// Points a rook reaches: up to and including the first man of each direction.
#[inline]
pub fn rook(sq: Square, occupied: Bitboard) -> Bitboard {
    reach(sq, occupied).rook
}

/// Men a cannon captures: the second man of each direction.
#[inline]
pub fn cannon(sq: Square, occupied: Bitboard) -> Bitboard {
    reach(sq, occupied).cannon & occupied
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks each direction by coordinates.
    fn walk(sq: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (mut rook, mut cannon) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (mut file, mut rank, mut men) = (sq.file() as i8, sq.rank() as i8, 0);
            loop {
                (file, rank) = (file + df, rank + dr);
                let to = (file >= 0 && rank >= 0)
                    .then(|| Square::from_coords(file as u8, rank as u8))
                    .flatten();
                let Some(to) = to else { break };
                if men == 0 {
                    rook = rook.with(to);
                }
                if occupied.has(to) {
                    men += 1;
                    if men == 2 {
                        cannon = cannon.with(to);
                    }
                }
            }
        }
        (rook, cannon)
    }

    #[test]
    fn tables_agree_with_a_walk() {
        let mut state = 1u128;
        for density in 0..4 {
            for _ in 0..500 {
                let mut random = || {
                    state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645) + 1;
                    state >> 20
                };
                let mut bits = random();
                for _ in 0..density {
                    bits &= random();
                }
                let occupied = Bitboard::from_bits(bits);
                for sq in Square::ALL {
                    let (expected_rook, expected_cannon) = walk(sq, occupied);
                    assert_eq!(rook(sq, occupied), expected_rook, "{sq} {occupied:?}");
                    assert_eq!(cannon(sq, occupied), expected_cannon, "{sq} {occupied:?}");
                }
            }
        }
    }
}
