//! Geometry around the kings: the points between a palace point and another point of its line.

use crate::types::{Bitboard, Square};

const PALACE_POINTS: usize = 18;
/// Slot for points outside the palaces: all its entries are empty.
const NOWHERE: u8 = PALACE_POINTS as u8;

static SLOT: [u8; 90] = {
    let mut table = [NOWHERE; 90];
    let mut slot = 0;
    let mut sq = 0;
    while sq < 90 {
        let (file, rank) = (sq % 9, sq / 9);
        if file >= 3 && file <= 5 && (rank <= 2 || rank >= 7) {
            table[sq] = slot;
            slot += 1;
        }
        sq += 1;
    }
    table
};

static BETWEEN: [[Bitboard; 90]; PALACE_POINTS + 1] = {
    let mut table = [[Bitboard::EMPTY; 90]; PALACE_POINTS + 1];
    let mut king = 0;
    while king < 90 {
        let mut other = 0;
        while other < 90 && SLOT[king] != NOWHERE {
            let step = if king / 9 == other / 9 {
                1
            } else if king % 9 == other % 9 {
                9
            } else {
                0
            };
            if step != 0 {
                let (low, high) = if king < other { (king, other) } else { (other, king) };
                let mut set = Bitboard::EMPTY;
                let mut sq = low + step;
                while sq < high {
                    set = set.with(Square::ALL[sq]);
                    sq += step;
                }
                table[SLOT[king] as usize][other] = set;
            }
            other += 1;
        }
        king += 1;
    }
    table
};

static LINE: [Bitboard; 90] = {
    let mut table = [Bitboard::EMPTY; 90];
    let mut i = 0;
    while i < 90 {
        let sq = Square::ALL[i];
        let cross = Bitboard::file(sq.file()).bits() | Bitboard::rank(sq.rank()).bits();
        table[i] = Bitboard::from_bits(cross ^ 1 << i);
        i += 1;
    }
    table
};

static NEIGHBOURHOOD: [Bitboard; 90] = {
    let mut table = LINE;
    let mut i = 0;
    while i < 90 {
        let (file, rank) = ((i % 9) as i32, (i / 9) as i32);
        let mut bits = LINE[i].bits();
        let mut d = 0;
        while d < 4 {
            let (f, r) = (file + [-1, 1, -1, 1][d], rank + [-1, -1, 1, 1][d]);
            if f >= 0 && f < 9 && r >= 0 && r < 10 {
                bits |= 1 << (r * 9 + f);
            }
            d += 1;
        }
        table[i] = Bitboard::from_bits(bits);
        i += 1;
    }
    table
};

/// Points strictly between a palace point and another point of its file or rank; empty when they
/// share no line or `king` is outside the palaces.
#[inline]
pub fn between(king: Square, other: Square) -> Bitboard {
    BETWEEN[SLOT[king.index()] as usize][other.index()]
}

/// File and rank of a point, without the point itself.
#[inline]
pub fn line(sq: Square) -> Bitboard {
    LINE[sq.index()]
}

/// Points whose occupancy can matter to an attack on a king: its file, its rank, and the four
/// diagonal neighbours, where the legs of attacking knights stand.
#[inline]
pub fn king_neighbourhood(sq: Square) -> Bitboard {
    NEIGHBOURHOOD[sq.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_strict() {
        assert_eq!(between(Square::E0, Square::E9).count(), 8);
        assert_eq!(between(Square::E0, Square::E1).count(), 0);
        assert_eq!(between(Square::D9, Square::A9).count(), 2);
        assert_eq!(between(Square::D9, Square::I8).count(), 0);
        assert_eq!(between(Square::A0, Square::A9).count(), 0);
        assert_eq!(line(Square::E4).count(), 17);
        assert_eq!(king_neighbourhood(Square::E1).count(), 21);
    }
}
