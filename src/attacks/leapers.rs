//! Men that move by steps and leaps: king, advisor, elephant, knight, pawn.
//!
//! A knight is blocked by a man on its *leg*, an elephant by a man on its *eye*. Both tables are
//! indexed by four occupancy bits around the point, gathered by one multiplication.

use crate::types::{Bitboard, Color, Square};

const fn offset(sq: usize, file_step: i32, rank_step: i32) -> Option<usize> {
    let (file, rank) = ((sq % 9) as i32 + file_step, (sq / 9) as i32 + rank_step);
    if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
        Some((rank * 9 + file) as usize)
    } else {
        None
    }
}

/// Adds the point at an offset if it is on the board and in `zone`.
const fn add(set: u128, sq: usize, step: (i32, i32), zone: u128) -> u128 {
    match offset(sq, step.0, step.1) {
        Some(to) => set | (1 << to & zone),
        None => set,
    }
}

const PALACES: u128 = Bitboard::palace(Color::Red).bits() | Bitboard::palace(Color::Black).bits();
const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Steps of one within the palaces; empty outside them.
const fn palace_steps(steps: [(i32, i32); 4]) -> [Bitboard; 90] {
    let mut table = [Bitboard::EMPTY; 90];
    let mut sq = 0;
    while sq < 90 {
        if PALACES >> sq & 1 != 0 {
            let mut set = 0;
            let mut i = 0;
            while i < 4 {
                set = add(set, sq, steps[i], PALACES);
                i += 1;
            }
            table[sq] = Bitboard::from_bits(set);
        }
        sq += 1;
    }
    table
}

static KING: [Bitboard; 90] = palace_steps(ORTHOGONAL);
static ADVISOR: [Bitboard; 90] = palace_steps(DIAGONAL);

/// Points a king reaches: one orthogonal step inside the palace.
#[inline]
pub fn king(sq: Square) -> Bitboard {
    KING[sq.index()]
}

/// Points an advisor reaches: one diagonal step inside the palace.
#[inline]
pub fn advisor(sq: Square) -> Bitboard {
    ADVISOR[sq.index()]
}

static PAWN: [[Bitboard; 90]; 2] = {
    let mut table = [[Bitboard::EMPTY; 90]; 2];
    let mut sq = 0;
    while sq < 90 {
        let sides = add(add(0, sq, (-1, 0), u128::MAX), sq, (1, 0), u128::MAX);
        let red = add(if sq >= 45 { sides } else { 0 }, sq, (0, 1), u128::MAX);
        let black = add(if sq < 45 { sides } else { 0 }, sq, (0, -1), u128::MAX);
        table[0][sq] = Bitboard::from_bits(red);
        table[1][sq] = Bitboard::from_bits(black);
        sq += 1;
    }
    table
};

static PAWN_ATTACKERS: [[Bitboard; 90]; 2] = {
    let mut table = [[Bitboard::EMPTY; 90]; 2];
    let mut color = 0;
    while color < 2 {
        let mut target = 0;
        while target < 90 {
            let mut set = 0;
            let mut from = 0;
            while from < 90 {
                if PAWN[color][from].bits() >> target & 1 != 0 {
                    set |= 1 << from;
                }
                from += 1;
            }
            table[color][target] = Bitboard::from_bits(set);
            target += 1;
        }
        color += 1;
    }
    table
};

/// Points a pawn of `side` reaches: forward, and sideways once it has crossed the river.
#[inline]
pub fn pawn(side: Color, sq: Square) -> Bitboard {
    PAWN[side.index()][sq.index()]
}

/// Points from which a pawn of `side` reaches `sq`.
#[inline]
pub fn pawn_attackers(side: Color, sq: Square) -> Bitboard {
    PAWN_ATTACKERS[side.index()][sq.index()]
}

/// The four occupancy bits below, left, right and above `sq`, as 0..16. The board is moved up by
/// nine first so that the point below never has a negative index; bits that wrap round an edge
/// belong to directions the tables know to be off the board.
#[inline]
fn orthogonal_index(occupied: Bitboard, sq: Square) -> usize {
    let near = ((occupied.bits() << 9) >> sq as u8) as u32 & 0x0004_0501;
    (near.wrapping_mul(ORTHOGONAL_MAGIC) >> 28) as usize
}

/// The same for the diagonal neighbours: below left, below right, above left, above right.
#[inline]
fn diagonal_index(occupied: Bitboard, sq: Square) -> usize {
    let near = ((occupied.bits() << 10) >> sq as u8) as u32 & 0x0014_0005;
    (near.wrapping_mul(DIAGONAL_MAGIC) >> 28) as usize
}

/// Found by search: moves the four mask bits to bits 28..32 without carries, in the order below.
const ORTHOGONAL_MAGIC: u32 = 0x1020_1000;
const DIAGONAL_MAGIC: u32 = 0x1000_0800;
/// Index bit of each direction of [`ORTHOGONAL`].
const ORTHOGONAL_BITS: [u32; 4] = [0, 1, 3, 2];
/// Index bit of each direction of [`DIAGONAL`].
const DIAGONAL_BITS: [u32; 4] = [0, 2, 1, 3];

/// Builds a `[square][blocked directions]` table: direction `d` is blocked when bit `bit[d]` of the
/// index is set, otherwise it contributes `targets[d]`.
const fn blockable(
    targets: [[(i32, i32); 2]; 4],
    bit: [u32; 4],
    same_half: bool,
) -> [[Bitboard; 16]; 90] {
    let mut table = [[Bitboard::EMPTY; 16]; 90];
    let mut sq = 0;
    while sq < 90 {
        let zone = match (same_half, sq < 45) {
            (false, _) => u128::MAX,
            (true, true) => Bitboard::home(Color::Red).bits(),
            (true, false) => Bitboard::home(Color::Black).bits(),
        };
        let mut index = 0;
        while index < 16 {
            let mut set = 0;
            let mut d = 0;
            while d < 4 {
                if index >> bit[d] & 1 == 0 {
                    set = add(set, sq, targets[d][0], zone);
                    set = add(set, sq, targets[d][1], zone);
                }
                d += 1;
            }
            table[sq][index] = Bitboard::from_bits(set);
            index += 1;
        }
        sq += 1;
    }
    table
}

// Directions in the order of ORTHOGONAL and DIAGONAL.
static KNIGHT: [[Bitboard; 16]; 90] = blockable(
    [[(-1, -2), (1, -2)], [(-2, -1), (-2, 1)], [(2, -1), (2, 1)], [(-1, 2), (1, 2)]],
    ORTHOGONAL_BITS,
    false,
);
static KNIGHT_ATTACKERS: [[Bitboard; 16]; 90] = blockable(
    [[(-1, -2), (-2, -1)], [(1, -2), (2, -1)], [(-1, 2), (-2, 1)], [(1, 2), (2, 1)]],
    DIAGONAL_BITS,
    false,
);
static ELEPHANT: [[Bitboard; 16]; 90] = blockable(
    [[(-2, -2), (-2, -2)], [(2, -2), (2, -2)], [(-2, 2), (-2, 2)], [(2, 2), (2, 2)]],
    DIAGONAL_BITS,
    true,
);

/// Points a knight reaches past its free legs.
#[inline]
pub fn knight(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT[sq.index()][orthogonal_index(occupied, sq)]
}

/// Points from which a knight reaches `sq`. Not the same as [`knight`]: the leg stands beside the
/// knight, so seen from the target it is a diagonal neighbour.
#[inline]
pub fn knight_attackers(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_ATTACKERS[sq.index()][diagonal_index(occupied, sq)]
}

/// The leg of a knight on `from` on its way to `to`, which must be a knight's leap away.
#[inline]
pub fn knight_leg(from: Square, to: Square) -> Square {
    let (file, rank) = (from.file() as i32, from.rank() as i32);
    let (file_step, rank_step) = (to.file() as i32 - file, to.rank() as i32 - rank);
    // integer division keeps only the long half of the leap
    let leg = (rank + rank_step / 2) * 9 + file + file_step / 2;
    Square::ALL[leg as usize]
}

/// Points an elephant reaches past its free eyes, never across the river.
#[inline]
pub fn elephant(sq: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT[sq.index()][diagonal_index(occupied, sq)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knight_legs_block_and_reverse() {
        let leg_above = Bitboard::single(Square::E5);
        assert_eq!(knight(Square::E4, Bitboard::EMPTY).count(), 8);
        assert_eq!(knight(Square::E4, leg_above).count(), 6);
        assert!(!knight(Square::E4, leg_above).has(Square::D6));
        assert_eq!(knight(Square::A0, Bitboard::EMPTY).count(), 2);
        for from in Square::ALL {
            for to in knight(from, Bitboard::EMPTY) {
                assert!(knight_attackers(to, Bitboard::EMPTY).has(from));
                let leg = Bitboard::single(knight_leg(from, to));
                assert!(!knight(from, leg).has(to), "{from}{to}");
                assert!(!knight_attackers(to, leg).has(from), "{from}{to}");
                for other in Square::ALL {
                    let occ = Bitboard::single(other);
                    assert_eq!(knight(from, occ).has(to), knight_attackers(to, occ).has(from));
                }
            }
        }
    }

    #[test]
    fn reachable_points() {
        let homes = |f: fn(Square) -> Bitboard, start: Square| {
            let mut seen = Bitboard::single(start);
            loop {
                let next = seen.into_iter().fold(seen, |acc, sq| acc | f(sq));
                if next == seen {
                    return seen.count();
                }
                seen = next;
            }
        };
        assert_eq!(homes(advisor, Square::D0), 5);
        assert_eq!(homes(|sq| elephant(sq, Bitboard::EMPTY), Square::C0), 7);
        assert_eq!(homes(|sq| elephant(sq, Bitboard::EMPTY), Square::G9), 7);
        assert_eq!(homes(king, Square::E9), 9);
        assert!(elephant(Square::C4, Bitboard::single(Square::D3)).has(Square::A2));
        assert!(!elephant(Square::C4, Bitboard::single(Square::D3)).has(Square::E2));
    }

    #[test]
    fn pawns() {
        assert_eq!(pawn(Color::Red, Square::E3), Bitboard::single(Square::E4));
        assert_eq!(pawn(Color::Red, Square::E5).count(), 3);
        assert_eq!(pawn(Color::Red, Square::A9), Bitboard::single(Square::B9));
        assert_eq!(pawn(Color::Black, Square::E4).count(), 3);
        assert_eq!(pawn(Color::Black, Square::I0), Bitboard::single(Square::H0));
        assert!(pawn_attackers(Color::Red, Square::E9).has(Square::D9));
        assert!(!pawn_attackers(Color::Red, Square::E4).has(Square::D4));
    }
}
