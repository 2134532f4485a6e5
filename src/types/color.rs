//! The two sides.

use std::ops::Not;

/// A side. Red moves first and sits on ranks 0..=4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Red, upper case in a FEN, `w` as side to move.
    Red,
    /// Black, lower case in a FEN, `b` as side to move.
    Black,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter of the side to move: `w` or `b`.
    pub const fn fen_char(self) -> char {
        match self {
            Color::Red => 'w',
            Color::Black => 'b',
        }
    }

    /// +1 for Red, -1 for Black: turns a Red-positive number into one for this side.
    #[inline]
    pub const fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }

    /// The other side (the `const` form of `!color`).
    #[inline]
    pub const fn flip(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.flip()
    }
}
