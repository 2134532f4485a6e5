//! Scores of `XGR2`: levels of winning chance, told as a difference from what the last two promise.

use super::NO_SCORE;
use super::coder::{Bit, Coder, Number};
use crate::types::Color;

/// The score of each level from 0 up; levels below 0 are its mirror image. Up to 127 level `i` is
/// `300 ln((128 + i) / (128 - i))`, so that a level is worth 1/256 of winning chance where 300
/// centipawns are a chance of σ(1); those above are for decided positions, and none of them mixes
/// scores of up to 2,000 with others. A table, because it is part of the format.
#[rustfmt::skip]
pub(super) const LEVELS: [i16; 136] = [
    0, 5, 9, 14, 19, 23, 28, 33, 38, 42, 47, 52, 56, 61,
    66, 71, 75, 80, 85, 90, 95, 99, 104, 109, 114, 119, 124, 128,
    133, 138, 143, 148, 153, 158, 163, 168, 173, 179, 184, 189, 194, 199,
    204, 210, 215, 220, 226, 231, 237, 242, 248, 253, 259, 264, 270, 276,
    281, 287, 293, 299, 305, 311, 317, 323, 330, 336, 342, 349, 355, 362,
    368, 375, 382, 389, 396, 403, 410, 417, 425, 432, 440, 448, 456, 464,
    472, 480, 488, 497, 506, 515, 524, 533, 543, 553, 563, 573, 584, 595,
    606, 617, 629, 641, 654, 667, 681, 695, 709, 725, 740, 757, 775, 793,
    812, 833, 855, 878, 904, 931, 961, 994, 1030, 1071, 1119, 1175, 1243, 1330,
    1453, 1662, 1850, 2151, 2500, 3000, 4000, 6000, 10000, 20000,
];
const HIGHEST: i32 = LEVELS.len() as i32 - 1;
/// Scores beyond are exact: mates and wins by rule.
const HIGHEST_VALUE: i32 = 30_000;
const MATE: i32 = 32_000;

/// The level nearest to a score of at most 30,000 either way; of two the one nearer to 0.
fn level(score: i32) -> i32 {
    let size = score.abs();
    let above = LEVELS.partition_point(|&value| i32::from(value) < size);
    let level = match above {
        0 => 0,
        136 => HIGHEST as usize,
        i if i32::from(LEVELS[i]) - size < size - i32::from(LEVELS[i - 1]) => i,
        i => i - 1,
    };
    level as i32 * score.signum()
}

fn value(level: i32) -> i32 {
    i32::from(LEVELS[level.unsigned_abs() as usize]) * level.signum()
}

/// The score that stands for this one in `XGR2`: of 271 levels the nearest. Mates, wins by rule
/// and [`NO_SCORE`] stay as they are.
pub fn quantise(score: i16) -> i16 {
    let exact = score == NO_SCORE || i32::from(score).abs() > HIGHEST_VALUE;
    if exact { score } else { value(level(i32::from(score))) as i16 }
}

/// What is known beside earlier scores when a score is told.
#[derive(Clone, Copy)]
pub(super) struct Circumstances {
    /// The side to move.
    pub side: Color,
    /// The side to move is in check.
    pub check: bool,
    /// The last move captured.
    pub capture: bool,
}

/// How much the score has been moving.
const VOLATILITIES: usize = 10;
const CONTEXTS: usize = 4 * VOLATILITIES;
/// Bits of the longest difference: 270 of each sign, less one.
const LENGTHS: usize = 9;

/// Differences in one context.
#[derive(Clone, Debug)]
struct Differences {
    zero: Bit,
    /// By the sign of the last step, seen from the side to move.
    negative: [Bit; 5],
    /// Whether the size less one, plus one, has more bits than the index.
    longer: [Bit; LENGTHS],
    /// Its bits below the highest, by its length and the bits above.
    sizes: Vec<Bit>,
}

/// Adaptive model of the scores of one game after another.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    differences: Vec<Differences>,
    /// Whether a score has no level, by whether the last one had none.
    special: [Bit; 2],
    mate: Bit,
    red_mates: [Bit; 2],
    distance: Number,
    /// Levels of the last three scores, newest first.
    last: [i32; 3],
    told: usize,
    was_special: bool,
}

impl Scores {
    pub(super) fn new() -> Scores {
        let differences = Differences {
            zero: Bit::NEW,
            negative: [Bit::NEW; 5],
            longer: [Bit::NEW; LENGTHS],
            sizes: vec![Bit::NEW; 1 << LENGTHS],
        };
        Scores {
            differences: vec![differences; CONTEXTS],
            special: [Bit::NEW; 2],
            mate: Bit::NEW,
            red_mates: [Bit::NEW; 2],
            distance: Number::new(),
            last: [0; 3],
            told: 0,
            was_special: false,
        }
    }

    /// Before the first score of a game.
    pub(super) fn begin(&mut self) {
        (self.last, self.told, self.was_special) = ([0; 3], 0, false);
    }

    /// Tells a score from Red's view.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        now: Circumstances,
        score: i16,
    ) -> Result<i16, &'static str> {
        let exact = score == NO_SCORE || i32::from(score).abs() > HIGHEST_VALUE;
        let special = self.special[self.was_special as usize].code(coder, exact);
        self.was_special = special;
        if special {
            return self.exact(coder, now, score);
        }
        let level = self.level(coder, now, level(i32::from(score)))?;
        self.remember(level);
        Ok(value(level) as i16)
    }

    fn remember(&mut self, level: i32) {
        self.last = [level, self.last[0], self.last[1]];
        self.told += 1;
    }

    fn exact(
        &mut self,
        coder: &mut impl Coder,
        now: Circumstances,
        score: i16,
    ) -> Result<i16, &'static str> {
        if !self.mate.code(coder, score != NO_SCORE) {
            return Ok(NO_SCORE);
        }
        let score = i32::from(score);
        let red = self.red_mates[now.side as usize].code(coder, score > 0);
        let distance = (MATE - score.abs()).max(0) as usize;
        let distance = self.distance.code(coder, distance) as i32;
        if distance >= MATE - HIGHEST_VALUE {
            return Err("impossible score");
        }
        let sign = if red { 1 } else { -1 };
        self.remember(sign * HIGHEST);
        Ok((sign * (MATE - distance)) as i16)
    }

    fn level(
        &mut self,
        coder: &mut impl Coder,
        now: Circumstances,
        level: i32,
    ) -> Result<i32, &'static str> {
        let [a, b, c] = self.last;
        let expected = if self.told == 1 { a } else { (a + b) / 2 };
        let moved = 2 * (a - b).abs() + (b - c).abs();
        let volatility = match self.told {
            0 => 0,
            1 | 2 => 1,
            _ => match moved {
                0..=3 => 2,
                4..=7 => 3,
                8..=13 => 4,
                14..=22 => 5,
                23..=36 => 6,
                37..=64 => 7,
                65..=120 => 8,
                _ => 9,
            },
        };
        let context = volatility * 4 + now.check as usize * 2 + now.capture as usize;
        let model = &mut self.differences[context];
        let difference = level - expected;
        if model.zero.code(coder, difference == 0) {
            return Ok(expected);
        }
        // mirrored for Black, so that both sides share what is learned
        let sign = now.side.sign();
        let trend = ((a - b) * sign).clamp(-12, 12);
        let trend = match trend {
            -12..=-5 => 0,
            -4..=-1 => 1,
            0 => 2,
            1..=4 => 3,
            _ => 4,
        };
        let negative = model.negative[trend].code(coder, difference * sign < 0);
        let size = difference.unsigned_abs().max(1) as usize;
        let mut length = 0;
        while length + 1 < LENGTHS
            && model.longer[length].code(coder, size.ilog2() as usize > length)
        {
            length += 1;
        }
        let mut coded = 1;
        for i in (0..length).rev() {
            let bit = &mut model.sizes[(1 << length) + coded];
            coded = 2 * coded + bit.code(coder, size >> i & 1 == 1) as usize;
        }
        let level = expected + if negative { -sign } else { sign } * coded as i32;
        if level.abs() > HIGHEST { Err("impossible score") } else { Ok(level) }
    }
}
