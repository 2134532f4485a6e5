//! A pair of values, for the middlegame and for the endgame, added as one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middlegame value in the low half, endgame value in the high half, both in centipawns. A negative
/// low half borrows from the high one, which [`Weight::eg`] gives back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Weight(i32);

impl Weight {
    pub(super) const ZERO: Weight = Weight(0);

    /// Both halves must stay within 16 bits, sums included.
    pub(super) const fn new(mg: i32, eg: i32) -> Weight {
        Weight((eg << 16) + mg)
    }

    pub(super) const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(super) const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000)) >> 16
    }

    pub(super) const fn plus(self, rhs: Weight) -> Weight {
        Weight(self.0 + rhs.0)
    }
}

/// `w(mg, eg)`: the short form for tables.
pub(super) const fn w(mg: i32, eg: i32) -> Weight {
    Weight::new(mg, eg)
}

impl Add for Weight {
    type Output = Weight;
    #[inline]
    fn add(self, rhs: Weight) -> Weight {
        Weight(self.0 + rhs.0)
    }
}

impl AddAssign for Weight {
    #[inline]
    fn add_assign(&mut self, rhs: Weight) {
        self.0 += rhs.0;
    }
}

impl Sub for Weight {
    type Output = Weight;
    #[inline]
    fn sub(self, rhs: Weight) -> Weight {
        Weight(self.0 - rhs.0)
    }
}

impl SubAssign for Weight {
    #[inline]
    fn sub_assign(&mut self, rhs: Weight) {
        self.0 -= rhs.0;
    }
}

impl Mul<i32> for Weight {
    type Output = Weight;
    #[inline]
    fn mul(self, rhs: i32) -> Weight {
        Weight(self.0 * rhs)
    }
}

impl Neg for Weight {
    type Output = Weight;
    #[inline]
    fn neg(self) -> Weight {
        Weight(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak() {
        for a in [-3_000, -1, 0, 1, 77, 5_000] {
            for b in [-5_000, -5, 0, 3, 4_000] {
                let weight = w(a, b);
                assert_eq!((weight.mg(), weight.eg()), (a, b));
                let sum = weight * 3 - w(b, a) + w(1, -1);
                assert_eq!((sum.mg(), sum.eg()), (3 * a - b + 1, 3 * b - a - 1));
                assert_eq!(((-weight).mg(), (-weight).eg()), (-a, -b));
            }
        }
    }
}
