//! Sets of points as 90 bits of a `u128`.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, File, Rank, Square};

/// A set of points; bit `i` is the square with index `i`. Bits 90..128 are always 0.
///
/// Red's palace lies wholly in the low 64 bits and Black's in the high ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(u128);

const ALL: u128 = (1 << 90) - 1;
const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < 10 {
        bits |= 1 << (rank * 9);
        rank += 1;
    }
    bits
};
/// One bit each, looked up because a 128-bit shift by a variable costs more than a load.
static SINGLE: [u128; 90] = {
    let mut table = [0; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = 1 << i;
        i += 1;
    }
    table
};

impl Bitboard {
    /// No point.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All ninety points.
    pub const ALL: Bitboard = Bitboard(ALL);

    /// The set with these bits; bits 90.. are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & ALL)
    }

    /// The raw bits.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// One point, usable in constants. [`Bitboard::from`] is the faster form at run time.
    #[inline]
    pub const fn single(sq: Square) -> Bitboard {
        Bitboard(1 << sq as u8)
    }

    /// All points of a file 0..=8.
    #[inline]
    pub const fn file(file: File) -> Bitboard {
        Bitboard((FILE_A << file) & ALL)
    }

    /// All points of a rank 0..=9.
    #[inline]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard((0x1ff << (rank as u32 * 9)) & ALL)
    }

    /// The five ranks of `side`'s own half.
    #[inline]
    pub const fn home(side: Color) -> Bitboard {
        match side {
            Color::Red => Bitboard((1 << 45) - 1),
            Color::Black => Bitboard(ALL ^ ((1 << 45) - 1)),
        }
    }

    /// The nine points of `side`'s palace.
    #[inline]
    pub const fn palace(side: Color) -> Bitboard {
        const RED: u128 = (0b111 << 3) | (0b111 << 12) | (0b111 << 21);
        match side {
            Color::Red => Bitboard(RED),
            Color::Black => Bitboard(RED << 63),
        }
    }

    /// Whether the set has no point.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a point.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two points or more.
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of points.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `sq` is in the set.
    #[inline]
    pub fn has(self, sq: Square) -> bool {
        self.0 & SINGLE[sq.index()] != 0
    }

    /// [`Bitboard::has`] for constants.
    #[inline]
    pub const fn contains(self, sq: Square) -> bool {
        self.0 >> sq as u8 & 1 != 0
    }

    /// The set with `sq` added.
    #[inline]
    pub const fn with(self, sq: Square) -> Bitboard {
        Bitboard(self.0 | 1 << sq as u8)
    }

    /// The point with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// The point with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Square::new(127 - self.0.leading_zeros() as usize) }
    }

    /// Removes and returns the point with the lowest index.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let sq = self.first();
        self.0 &= self.0.wrapping_sub(1);
        sq
    }

    /// The set mirrored left to right. Not fast; for tests and tables.
    pub fn mirror(self) -> Bitboard {
        self.into_iter().map(Square::mirror).collect()
    }

    /// The set with ranks reversed. Not fast; for tests and tables.
    pub fn flip(self) -> Bitboard {
        self.into_iter().map(Square::flip).collect()
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(sq: Square) -> Bitboard {
        Bitboard(SINGLE[sq.index()])
    }
}

macro_rules! binary {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $op for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, rhs: Bitboard) -> Bitboard {
                Bitboard(self.0.$method(rhs.0))
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, rhs: Bitboard) {
                *self = self.$method(rhs);
            }
        }
    )*};
}

binary! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Sub for Bitboard {
    type Output = Bitboard;

    /// Set difference.
    #[inline]
    fn sub(self, rhs: Bitboard) -> Bitboard {
        Bitboard(self.0 & !rhs.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ ALL)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// Iterator over the points of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for Bitboard {
    /// Ten rows, rank 9 on top, `X` for a member.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            f.write_str("\n")?;
            for file in 0..9 {
                let inside = Square::from_coords(file, rank).is_some_and(|sq| self.has(sq));
                f.write_str(if inside { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_as_sets() {
        let set = Bitboard::file(4) & Bitboard::home(Color::Red);
        assert_eq!(set.count(), 5);
        assert_eq!(set.into_iter().next(), Some(Square::E0));
        assert_eq!(set.last(), Some(Square::E4));
        assert_eq!((!Bitboard::EMPTY), Bitboard::ALL);
        assert_eq!((!set).count(), 85);
        assert_eq!(set.flip(), Bitboard::file(4) & Bitboard::home(Color::Black));
        assert_eq!(Bitboard::palace(Color::Red).flip(), Bitboard::palace(Color::Black));
        assert!(Bitboard::palace(Color::Red).bits() >> 64 == 0);
        assert!(Bitboard::palace(Color::Black).bits() as u64 == 0);
        assert_eq!(Bitboard::from(Square::I9).first(), Some(Square::I9));
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.last(), None);
        assert_eq!(Bitboard::from_bits(u128::MAX), Bitboard::ALL);
        assert_eq!(Square::ALL.into_iter().collect::<Bitboard>(), Bitboard::ALL);
    }
}
