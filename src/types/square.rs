//! The ninety points of the board.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// A file, 0..=8 for `a`..=`i`, counted from Red's left.
pub type File = u8;
/// A rank, 0..=9, counted from Red's home.
pub type Rank = u8;

macro_rules! squares {
    ($($name:ident)*) => {
        /// A point of the board; `index = rank * 9 + file`, so `A0` is 0 and `I9` is 89.
        ///
        /// A fieldless enum of ninety values lets the compiler drop the bounds check when it
        /// indexes `[T; 90]`, and leaves a niche: `Option<Square>` is one byte.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)] // ninety names that are their own description
        pub enum Square { $($name),* }

        impl Square {
            /// All points in index order.
            pub const ALL: [Square; 90] = [$(Square::$name),*];

            /// The point with this index; `None` from 90 up.
            #[inline]
            pub const fn new(index: usize) -> Option<Square> {
                // The compiler sees that this is the identity and emits one comparison.
                $(if index == Square::$name as usize { return Some(Square::$name); })*
                None
            }
        }
    };
}

squares! {
    A0 B0 C0 D0 E0 F0 G0 H0 I0
    A1 B1 C1 D1 E1 F1 G1 H1 I1
    A2 B2 C2 D2 E2 F2 G2 H2 I2
    A3 B3 C3 D3 E3 F3 G3 H3 I3
    A4 B4 C4 D4 E4 F4 G4 H4 I4
    A5 B5 C5 D5 E5 F5 G5 H5 I5
    A6 B6 C6 D6 E6 F6 G6 H6 I6
    A7 B7 C7 D7 E7 F7 G7 H7 I7
    A8 B8 C8 D8 E8 F8 G8 H8 I8
    A9 B9 C9 D9 E9 F9 G9 H9 I9
}

impl Square {
    /// The point on `file` (0..=8) and `rank` (0..=9); `None` outside the board.
    #[inline]
    pub const fn from_coords(file: File, rank: Rank) -> Option<Square> {
        if file < 9 && rank < 10 { Square::new(rank as usize * 9 + file as usize) } else { None }
    }

    /// 0..90.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 0..=8 for files `a`..=`i`.
    #[inline]
    pub const fn file(self) -> File {
        self as u8 % 9
    }

    /// 0..=9.
    #[inline]
    pub const fn rank(self) -> Rank {
        self as u8 / 9
    }

    /// The mirror image left to right: file `f` becomes `8 - f`.
    #[inline]
    pub const fn mirror(self) -> Square {
        Square::ALL[self.index() + 8 - 2 * self.file() as usize]
    }

    /// The same point seen from the other side: rank `r` becomes `9 - r`, the file stays.
    #[inline]
    pub const fn flip(self) -> Square {
        Square::ALL[(9 - self.rank() as usize) * 9 + self.file() as usize]
    }

    /// The point as `side` sees it, its own home rank being rank 0.
    #[inline]
    pub const fn relative(self, side: Color) -> Square {
        match side {
            Color::Red => self,
            Color::Black => self.flip(),
        }
    }

    /// Whether the point lies on `side`'s half of the board.
    #[inline]
    pub const fn is_home(self, side: Color) -> bool {
        self.relative(side).rank() < 5
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

/// The text is not a point `a0`..`i9`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square of a0..i9")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `a0`..`i9` in either case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let &[file, rank @ b'0'..=b'9'] = text.as_bytes() else { return Err(ParseSquareError) };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        Square::from_coords(file, rank - b'0').ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_index_agree() {
        for (i, &sq) in Square::ALL.iter().enumerate() {
            assert_eq!(sq.index(), i);
            assert_eq!(Square::new(i), Some(sq));
            assert_eq!(sq.to_string().parse(), Ok(sq));
            assert_eq!(sq.to_string().to_uppercase().parse(), Ok(sq));
            assert_eq!(sq.mirror().mirror(), sq);
            assert_eq!(sq.flip().flip(), sq);
        }
        assert_eq!(Square::new(90), None);
        for bad in ["", "a", "j0", "a10", "a:", "`0", "\u{1F600}", "aa"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad:?}");
        }
        assert_eq!(std::mem::size_of::<Option<Square>>(), 1);
    }
}
