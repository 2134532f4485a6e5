//! Ending games early by what both engines say.

use super::ArenaError;
use super::spec::{pairs, parse_flag};
use crate::types::Color;

/// Draw when both sides have seen little for long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this full move of the game, from 1.
    pub move_number: u32,
    /// Moves of each side in a row.
    pub move_count: u32,
    /// Largest score, either way, in hundredths of a pawn.
    pub score: i32,
}

/// Loss when a side has seen itself lost for long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Moves in a row.
    pub move_count: u32,
    /// Smallest score of the loser, its sign turned.
    pub score: i32,
    /// The winner must have seen as much.
    pub two_sided: bool,
}

impl DrawRule {
    /// Reads `movenumber=40,movecount=8,score=20`.
    ///
    /// # Errors
    /// When a key is unknown or missing or a value is not a number.
    pub fn parse(text: &str) -> Result<DrawRule, ArenaError> {
        let [move_number, move_count, score] =
            numbers(text, "--draw", ["movenumber", "movecount", "score"])?;
        Ok(DrawRule { move_number, move_count, score: score.min(100_000) as i32 })
    }
}

impl ResignRule {
    /// Reads `movecount=4,score=600`, with `twosided=true` if wanted.
    ///
    /// # Errors
    /// When a key is unknown or missing or a value is not a number.
    pub fn parse(text: &str) -> Result<ResignRule, ArenaError> {
        let is_flag = |key: &String| key == "twosided";
        let all = pairs(text)?;
        let mut two_sided = false;
        for (_, value) in all.iter().filter(|(key, _)| is_flag(key)) {
            two_sided = parse_flag(value)
                .map_err(|reason| ArenaError::Config(format!("--resign: twosided {reason}")))?;
        }
        let rest: Vec<_> = all.iter().filter(|(key, _)| !is_flag(key)).collect();
        let rest: Vec<_> = rest.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let [move_count, score] = numbers(&rest.join(","), "--resign", ["movecount", "score"])?;
        Ok(ResignRule { move_count, score: score.min(100_000) as i32, two_sided })
    }
}

/// Reads one number for each key.
fn numbers<const N: usize>(
    text: &str,
    flag: &str,
    keys: [&str; N],
) -> Result<[u32; N], ArenaError> {
    let mut found = [None; N];
    for (key, value) in pairs(text)? {
        let slot = keys.iter().position(|known| *known == key);
        let slot = slot.ok_or_else(|| ArenaError::Config(format!("{flag}: unknown key {key}")))?;
        let number: u32 = value
            .parse()
            .map_err(|_| ArenaError::Config(format!("{flag}: {key}={value}: must be a number")))?;
        found[slot] = Some(number);
    }
    let mut numbers = [0; N];
    for ((number, slot), key) in numbers.iter_mut().zip(found).zip(keys) {
        *number = slot.ok_or_else(|| ArenaError::Config(format!("{flag}: {key} is missing")))?;
    }
    if numbers[N - 2] == 0 {
        return Err(ArenaError::Config(format!("{flag}: {} must be positive", keys[N - 2])));
    }
    Ok(numbers)
}

/// What is to be done with a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudication {
    /// Nobody wins.
    Draw,
    /// This side loses.
    Loss(Color),
}

/// Counts the moves in a row that satisfy the rules.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    quiet: [u32; 2],
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    /// A fresh count.
    pub fn new(draw: Option<DrawRule>, resign: Option<ResignRule>) -> Adjudicator {
        Adjudicator { draw, resign, quiet: [0; 2], lost: [0; 2], won: [0; 2] }
    }

    /// Takes note of a move and the score its side gave with it. A move without a score breaks every
    /// row. `full_move` counts from the start of the game, from 1.
    pub fn note(
        &mut self,
        side: Color,
        score: Option<i32>,
        full_move: u32,
    ) -> Option<Adjudication> {
        let (us, them) = (side.index(), (!side).index());
        let count = |row: &mut u32, holds: bool| *row = if holds { *row + 1 } else { 0 };
        if let Some(rule) = self.resign {
            count(&mut self.lost[us], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.won[us], score.is_some_and(|score| score >= rule.score));
            for (loser, winner, color) in [(us, them, side), (them, us, !side)] {
                let agreed = !rule.two_sided || self.won[winner] >= rule.move_count;
                if self.lost[loser] >= rule.move_count && agreed {
                    return Some(Adjudication::Loss(color));
                }
            }
        }
        let rule = self.draw?;
        count(&mut self.quiet[us], score.is_some_and(|score| score.abs() <= rule.score));
        let long = self.quiet.iter().all(|&row| row >= rule.move_count);
        (long && full_move >= rule.move_number).then_some(Adjudication::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color::{Black, Red};

    #[test]
    fn draws_need_both_sides_and_the_move_number() {
        let rule = DrawRule::parse("movenumber=3,movecount=2,score=10").unwrap();
        let mut judge = Adjudicator::new(Some(rule), None);
        let mut note = |side, score, number| judge.note(side, score, number);
        assert_eq!(note(Red, Some(5), 1), None);
        assert_eq!(note(Black, Some(-10), 1), None);
        assert_eq!(note(Red, Some(0), 2), None);
        assert_eq!(note(Black, Some(0), 2), None, "too early");
        assert_eq!(note(Red, Some(11), 3), None, "row broken");
        assert_eq!(note(Black, Some(0), 3), None);
        assert_eq!(note(Red, Some(0), 4), None);
        assert_eq!(note(Black, None, 4), None, "no score breaks it too");
        assert_eq!(note(Red, Some(0), 5), None);
        assert_eq!(note(Black, Some(0), 5), None);
        assert_eq!(note(Red, Some(0), 6), None);
        assert_eq!(note(Black, Some(0), 6), Some(Adjudication::Draw));
    }

    #[test]
    fn resignation() {
        let rule = ResignRule::parse("movecount=2,score=500").unwrap();
        let mut judge = Adjudicator::new(None, Some(rule));
        assert_eq!(judge.note(Black, Some(-500), 1), None);
        assert_eq!(judge.note(Red, Some(-900), 2), None);
        assert_eq!(judge.note(Black, Some(-501), 2), Some(Adjudication::Loss(Black)));
        let both = ResignRule::parse("movecount=2,score=500,twosided=on").unwrap();
        let mut judge = Adjudicator::new(None, Some(both));
        for number in 1..=2 {
            assert_eq!(judge.note(Black, Some(-800), number), None);
            assert_eq!(judge.note(Red, Some(499), number), None, "the winner does not see it");
        }
        assert_eq!(judge.note(Red, Some(500), 3), None);
        assert_eq!(judge.note(Red, Some(500), 4), Some(Adjudication::Loss(Black)));
    }

    #[test]
    fn mistakes() {
        for (text, part) in [
            ("movenumber=1,movecount=2", "score is missing"),
            ("movenumber=1,movecount=0,score=3", "must be positive"),
            ("movenumber=1,movecount=x,score=3", "must be a number"),
            ("moves=1", "unknown key"),
        ] {
            let error = DrawRule::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(ResignRule::parse("movecount=1,score=3,twosided=maybe").is_err());
    }
}
