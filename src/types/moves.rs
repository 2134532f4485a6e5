//! Moves and move lists.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::{ParseSquareError, Score, Square};

/// A move as two points: bits 0..7 the origin, bits 7..14 the target.
///
/// Origin and target differ, so zero is free and `Option<Move>` is two bytes. There is no capture
/// flag; the board knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Number of distinct values of [`Move::index`].
    pub const INDEX_COUNT: usize = 1 << 14;

    /// The move from one point to another.
    ///
    /// # Panics
    /// When both points are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        match NonZeroU16::new(from as u16 | (to as u16) << 7) {
            // from == to is caught here only for a0a0; `from_bits` and the parser catch the rest,
            // and a generator never produces one.
            Some(bits) => Move(bits),
            None => panic!("a move needs two different points"),
        }
    }

    /// Decodes any 16-bit value; `None` unless it is `origin | target << 7` of two different points.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >= 1 << 14 {
            return None;
        }
        match (Square::new((bits & 127) as usize), Square::new((bits >> 7) as usize)) {
            (Some(from), Some(to)) if from as u8 != to as u8 => Some(Move::new(from, to)),
            _ => None,
        }
    }

    /// The 16-bit form, never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// A dense index below [`Move::INDEX_COUNT`] for statistics tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize & (Move::INDEX_COUNT - 1)
    }

    /// Where the man stands.
    #[inline]
    pub const fn from(self) -> Square {
        match Square::new((self.0.get() & 127) as usize) {
            Some(sq) => sq,
            None => unreachable!(),
        }
    }

    /// Where the man goes.
    #[inline]
    pub const fn to(self) -> Square {
        match Square::new((self.0.get() >> 7) as usize) {
            Some(sq) => sq,
            None => unreachable!(),
        }
    }

    /// The mirror image left to right.
    pub const fn mirror(self) -> Move {
        Move::new(self.from().mirror(), self.to().mirror())
    }

    /// The same move seen from the other side of the board.
    pub const fn flip(self) -> Move {
        Move::new(self.from().flip(), self.to().flip())
    }
}

impl fmt::Display for Move {
    /// The wire form, `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseSquareError;

    /// Reads `h2e2` or `H2-E2`, either case.
    fn from_str(text: &str) -> Result<Move, ParseSquareError> {
        let (from, to) = match (text.len(), text.is_ascii()) {
            (4, true) => (&text[..2], &text[2..]),
            (5, true) if text.as_bytes()[2] == b'-' => (&text[..2], &text[3..]),
            _ => return Err(ParseSquareError),
        };
        let (from, to) = (from.parse::<Square>()?, to.parse::<Square>()?);
        if from == to { Err(ParseSquareError) } else { Ok(Move::new(from, to)) }
    }
}

/// A move with the number that orders it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Higher comes first.
    pub score: i32,
}

/// A list on the stack. A position has at most 116 pseudo-legal moves by counting, so 128 suffices.
pub type MoveList = ArrayVec<Move, 128>;

const _: () = assert!(size_of::<Option<Move>>() == 2);
const _: () = assert!(size_of::<Option<Score>>() <= 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip_and_reject_the_rest() {
        let mut valid = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(Move::new(mv.from(), mv.to()), mv);
                valid += 1;
            }
        }
        assert_eq!(valid, 90 * 89);
    }

    #[test]
    fn text_forms() {
        let mv: Move = "h2e2".parse().unwrap();
        assert_eq!(mv.to_string(), "h2e2");
        assert_eq!("H2-E2".parse(), Ok(mv));
        assert_eq!("H2E2".parse(), Ok(mv));
        for bad in ["", "h2e", "h2e2x", "h2h2", "h2_e2", "0000", "h2e\u{e9}", "(none)", "d9d9"] {
            assert!(bad.parse::<Move>().is_err(), "{bad:?}");
        }
    }
}
