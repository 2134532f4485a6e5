//! Search values: one unit, named ranges, and the only conversions between them.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The deepest line a search follows, in plies from the root.
pub const MAX_PLY: usize = 250;

/// A value from the side to move, in centipawns of the evaluation.
///
/// ```text
///  32400  won by a verdict of the rules         VERDICT
///  32000  mated on the spot                     MATE
///  31000  a loop that will end in that verdict  RULE_WIN
///  30000  highest static evaluation             EVAL_MAX
/// ```
/// and the same below zero; each of the upper three is the top of a band of [`MAX_PLY`] values, less
/// by one for each ply from the root. Rule verdicts depend on the path, so they are never shown as
/// mates. The loser of a loop has a choice as long as no verdict has fallen, hence a loop is better
/// for it than any mate; it would rather be mated, or have its opponent miss the mate, than break
/// the rules, hence a verdict is worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const PLIES: i32 = MAX_PLY as i32;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// The side to move wins on the spot.
    pub const MATE: Score = Score(32_000);
    /// The side to move has won by a repetition rule.
    pub const VERDICT: Score = Score(32_400);
    /// The side to move will win by a repetition rule if the opponent goes round again.
    pub const RULE_WIN: Score = Score(31_000);
    /// The largest value a static evaluation may have.
    pub const EVAL_MAX: Score = Score(30_000);
    /// Above every value.
    pub const INFINITE: Score = Score(32_600);
    /// Stands for "no value" in tables; outside every range.
    pub const NONE: Score = Score(32_767);

    /// A value of `centipawns`, unchecked.
    #[inline]
    pub const fn new(centipawns: i32) -> Score {
        Score(centipawns)
    }

    /// A static evaluation, clamped to its range.
    #[inline]
    pub fn eval(centipawns: i32) -> Score {
        Score(centipawns.clamp(-Self::EVAL_MAX.0, Self::EVAL_MAX.0))
    }

    /// The number in centipawns.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The side to move mates `plies` from the root.
    #[inline]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Self::MATE.0 - plies as i32)
    }

    /// The side to move is mated `plies` from the root.
    #[inline]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Self::MATE.0)
    }

    /// A verdict for the side to move falls `plies` from the root.
    #[inline]
    pub const fn verdict_in(plies: usize) -> Score {
        Score(Self::VERDICT.0 - plies as i32)
    }

    /// A verdict against the side to move falls `plies` from the root.
    #[inline]
    pub const fn verdict_against_in(plies: usize) -> Score {
        Score(plies as i32 - Self::VERDICT.0)
    }

    /// The opponent has gone into a loop that loses by rule, `plies` from the root.
    #[inline]
    pub const fn rule_win_in(plies: usize) -> Score {
        Score(Self::RULE_WIN.0 - plies as i32)
    }

    /// The side to move has gone into such a loop.
    #[inline]
    pub const fn rule_loss_in(plies: usize) -> Score {
        Score(plies as i32 - Self::RULE_WIN.0)
    }

    /// Whether a forced mate is proven, for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE.0 - PLIES && self.0.abs() <= Self::MATE.0
    }

    /// Whether a repetition rule decides, for either side, now or in the end.
    #[inline]
    pub const fn is_rule(self) -> bool {
        let value = self.0.abs();
        (value >= Self::RULE_WIN.0 - PLIES && value <= Self::RULE_WIN.0)
            || (value >= Self::VERDICT.0 - PLIES && value <= Self::VERDICT.0)
    }

    /// The value with all wins by rule in one band, the one below the mates: what clients and
    /// archives get.
    #[inline]
    pub const fn shown(self) -> i32 {
        let above = if self.is_rule() && self.0.abs() > Self::MATE.0 {
            Self::VERDICT.0 - Self::RULE_WIN.0
        } else {
            0
        };
        self.0 - above * self.0.signum()
    }

    /// Whether the game is decided, by mate or by rule.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > Self::EVAL_MAX.0
    }

    /// Won for the side to move, by mate or by rule.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Self::EVAL_MAX.0
    }

    /// Lost for the side to move, by mate or by rule.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::EVAL_MAX.0
    }

    /// Plies to the mate of a mate score, positive for either sign; `None` for other values.
    pub const fn mate_plies(self) -> Option<i32> {
        if self.is_mate() { Some(Self::MATE.0 - self.0.abs()) } else { None }
    }

    /// The form kept in the hash table, where distances count from the node and not from the root.
    #[inline]
    pub fn to_table(self, ply: usize) -> i16 {
        let shifted = match self.0 {
            v if v > Self::EVAL_MAX.0 => v + ply as i32,
            v if v < -Self::EVAL_MAX.0 => v - ply as i32,
            v => v,
        };
        shifted.clamp(i16::MIN as i32, i16::MAX as i32) as i16
    }

    /// The reverse of [`Score::to_table`]. Values that `to_table` cannot have produced (a torn
    /// table entry) come out clamped to a legal range.
    #[inline]
    pub fn from_table(stored: i16, ply: usize) -> Score {
        let v = stored as i32;
        let shifted = match v {
            v if v > Self::EVAL_MAX.0 => v - ply as i32,
            v if v < -Self::EVAL_MAX.0 => v + ply as i32,
            v => v,
        };
        Score(shifted.clamp(-Self::MATE.0, Self::MATE.0))
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, rhs: i32) -> Score {
        Score(self.0 + rhs)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, rhs: i32) -> Score {
        Score(self.0 - rhs)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, rhs: Score) -> i32 {
        self.0 - rhs.0
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, rhs: i32) -> Score {
        Score(self.0 * rhs)
    }
}

impl AddAssign<i32> for Score {
    #[inline]
    fn add_assign(&mut self, rhs: i32) {
        self.0 += rhs;
    }
}

impl SubAssign<i32> for Score {
    #[inline]
    fn sub_assign(&mut self, rhs: i32) {
        self.0 -= rhs;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(plies) if self.0 > 0 => write!(f, "mate in {plies} plies"),
            Some(plies) => write!(f, "mated in {plies} plies"),
            None if self.is_rule() => write!(f, "rule {:+}", self.0),
            None => write!(f, "{:+}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_do_not_overlap() {
        for ply in 0..=MAX_PLY {
            for (score, mate, rule) in [
                (Score::mate_in(ply), true, false),
                (Score::mated_in(ply), true, false),
                (Score::rule_win_in(ply), false, true),
                (Score::rule_loss_in(ply), false, true),
                (Score::verdict_in(ply), false, true),
                (Score::verdict_against_in(ply), false, true),
            ] {
                assert_eq!((score.is_mate(), score.is_rule()), (mate, rule), "{score:?}");
                assert!(score.is_decisive());
                assert_eq!(score.is_win(), score.value() > 0);
                assert_eq!(score.is_loss(), score.value() < 0);
            }
        }
        for (better, worse) in [
            (Score::verdict_in(MAX_PLY), Score::mate_in(0)),
            (Score::mate_in(MAX_PLY), Score::rule_win_in(0)),
            (Score::rule_win_in(MAX_PLY), Score::EVAL_MAX),
        ] {
            assert!(better > worse && -better < -worse, "{better:?} {worse:?}");
        }
        assert!(Score::INFINITE > Score::VERDICT);
        assert_eq!(Score::verdict_in(7).shown(), Score::rule_win_in(7).value());
        assert_eq!(Score::verdict_against_in(7).shown(), Score::rule_loss_in(7).value());
        assert_eq!(Score::mate_in(7).shown(), Score::mate_in(7).value());
        assert!(!Score::EVAL_MAX.is_decisive());
        assert!(!Score::NONE.is_mate());
    }

    #[test]
    fn table_form_counts_from_the_node() {
        for ply in 0..=MAX_PLY {
            for v in [-32_000 + ply as i32, 32_000 - ply as i32, -30_000, -1, 0, 77, 30_000] {
                let score = Score::new(v);
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
        }
        // mate found 7 plies below a node at ply 5, met again at ply 9
        let stored = Score::mate_in(12).to_table(5);
        assert_eq!(Score::from_table(stored, 9), Score::mate_in(16));
        for stored in [i16::MIN, i16::MAX] {
            assert!(Score::from_table(stored, 0).value().abs() <= Score::MATE.value());
        }
    }
}
