//! Play below full strength, and variety: which of several good moves is played.
//!
//! There is one model. The search finds the values of several root moves; a move is then drawn with
//! a probability that falls exponentially with what it loses against the best, at a rate and down
//! to a bound that depend on the skill (a softmax over values, with a cut-off). All options for
//! weaker or more varied play only choose those numbers.

use std::sync::{Arc, Mutex, PoisonError};

use super::options::Options;
use crate::eval::Calibration;
use crate::search::{Info, InfoSink, Outcome};
use crate::types::Move;

/// Lowest skill.
pub(super) const SKILL_MIN: i64 = -4;
/// Skill of full strength.
pub(super) const SKILL_FULL: i64 = 20;
/// `UCI_Elo` at some skills, straight lines between them. The distances are those of matches
/// between the named levels at 3,000 nodes a move (docs/experiments.md); the zero is a guess.
const ELO: [(i64, i64); 6] = [(-4, 600), (2, 1400), (7, 1980), (12, 2300), (17, 2500), (20, 2760)];
/// `UCI_Elo` of the lowest skill.
pub(super) const ELO_MIN: i64 = 600;
/// `UCI_Elo` of skill 19, the strongest that is limited at all.
pub(super) const ELO_MAX: i64 = 2675;
/// Skill from which on no move may lose a man by chance.
#[cfg(test)]
const SOUND: i64 = 7;

/// Playing strength in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Overlooks much.
    Novice,
    /// Overlooks something now and then.
    Easy,
    /// Loses no man by chance, but is not exact.
    Normal,
    /// Small mistakes.
    Hard,
    /// Very small mistakes.
    Hardest,
    /// Always the best move found.
    Full,
}

/// In the order of the option's choices.
pub(super) const LEVELS: [Level; 6] =
    [Level::Novice, Level::Easy, Level::Normal, Level::Hard, Level::Hardest, Level::Full];

/// How much worse than the best a move may be that is played for variety.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Randomness {
    /// The best move always.
    None,
    /// Hardly anything.
    Tiny,
    /// Twice as much as the one before, and so on.
    Small,
    /// Twice as much again.
    Medium,
    /// Twice as much again.
    Large,
    /// More than half a pawn.
    Huge,
}

/// In the order of the option's choices.
pub(super) const RANDOMNESS: [Randomness; 6] = [
    Randomness::None,
    Randomness::Tiny,
    Randomness::Small,
    Randomness::Medium,
    Randomness::Large,
    Randomness::Huge,
];

/// How a move is chosen among several.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Choosing {
    /// Root moves to know the value of.
    pub(super) lines: usize,
    /// Loss, in shown centipawns, that makes a move less likely by the factor e.
    temperature: f64,
    /// Largest loss accepted, in shown centipawns.
    bound: i32,
}

/// Loss accepted at most, temperature and number of lines at some skills; between them straight
/// lines. From skill 7 on the bound is less than any piece is worth.
const CURVE: [(i64, f64, f64, f64); 6] = [
    (-4, 900.0, 320.0, 40.0),
    (2, 320.0, 110.0, 16.0),
    (7, 150.0, 48.0, 10.0),
    (12, 75.0, 22.0, 7.0),
    (17, 30.0, 8.0, 4.0),
    (20, 0.0, 0.0, 1.0),
];

impl Choosing {
    /// What the options ask for; `None` for the best move always.
    pub(super) fn of(options: &Options) -> Option<Choosing> {
        let weak = Choosing::at(skill(options));
        let varied = match options.randomness {
            Randomness::None => None,
            Randomness::Tiny => Some(4),
            Randomness::Small => Some(8),
            Randomness::Medium => Some(16),
            Randomness::Large => Some(32),
            Randomness::Huge => Some(64),
        };
        let varied =
            varied.map(|bound| Choosing { lines: 4, temperature: f64::from(bound) / 2.0, bound });
        match (weak, varied) {
            (Some(a), Some(b)) => Some(Choosing {
                lines: a.lines.max(b.lines),
                temperature: a.temperature.max(b.temperature),
                bound: a.bound.max(b.bound),
            }),
            (one, other) => one.or(other),
        }
    }

    fn at(skill: i64) -> Option<Choosing> {
        let above =
            CURVE.iter().position(|&(at, ..)| at >= skill).unwrap_or(CURVE.len() - 1).max(1);
        let (low, high) = (CURVE[above - 1], CURVE[above]);
        let part = (skill - low.0) as f64 / (high.0 - low.0) as f64;
        let between = |from: f64, to: f64| from + (to - from) * part;
        (skill < SKILL_FULL).then(|| Choosing {
            lines: between(low.3, high.3).round().max(3.0) as usize,
            temperature: between(low.2, high.2),
            bound: between(low.1, high.1) as i32,
        })
    }

    /// The line to play. `lines` come best first and are not empty; `random` is uniform in 0..1.
    fn pick(self, lines: &[Outcome], calibration: Calibration, random: f64) -> usize {
        let value = |outcome: &Outcome| calibration.shown(outcome.score).value();
        let best = lines.iter().map(value).max().unwrap_or(0);
        let weight = |outcome: &Outcome| {
            let loss = best - value(outcome);
            if loss > self.bound {
                0.0
            } else {
                (-f64::from(loss) / self.temperature.max(1.0)).exp()
            }
        };
        let weights: Vec<f64> = lines.iter().map(weight).collect();
        let mut rest = random * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 && *weight > 0.0 {
                return index;
            }
        }
        0
    }
}

/// The skill asked for: the weakest of all that the options name.
fn skill(options: &Options) -> i64 {
    let level = match options.level {
        Level::Novice => -4,
        Level::Easy => 2,
        Level::Normal => 7,
        Level::Hard => 12,
        Level::Hardest => 17,
        Level::Full => SKILL_FULL,
    };
    let elo = if options.limit_strength { skill_of_elo(options.elo) } else { SKILL_FULL };
    options.skill.min(level).min(elo).clamp(SKILL_MIN, SKILL_FULL)
}

fn skill_of_elo(elo: i64) -> i64 {
    let above = ELO.iter().position(|&(_, at)| at >= elo).unwrap_or(ELO.len() - 1).max(1);
    let (low, high) = (ELO[above - 1], ELO[above]);
    let part = (elo - low.1) as f64 / (high.1 - low.1) as f64;
    low.0 + ((high.0 - low.0) as f64 * part).round() as i64
}

/// Hears the lines of a search, and passes on those the client asked for.
pub(super) struct Listener {
    pub(super) passes: usize,
    pub(super) sink: Box<dyn InfoSink + Send>,
    pub(super) heard: Heard,
}

/// What a [`Listener`] has heard.
#[derive(Clone, Default)]
pub(super) struct Heard(Arc<Mutex<Vec<Outcome>>>);

impl Heard {
    /// Draws a line. `None` when fewer than two were heard.
    pub(super) fn choose(
        &self,
        choosing: Choosing,
        calibration: Calibration,
        random: f64,
    ) -> Option<Outcome> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() < 2 {
            return None;
        }
        lines.get(choosing.pick(&lines, calibration, random)).cloned()
    }
}

impl InfoSink for Listener {
    fn info(&mut self, info: &Info<'_>) {
        if !info.pv.is_empty() {
            let mut lines = self.heard.0.lock().unwrap_or_else(PoisonError::into_inner);
            // The first line of a report begins a new one.
            if info.multipv == 1 {
                lines.clear();
            }
            lines.push(Outcome {
                depth: info.depth,
                seldepth: info.seldepth,
                score: info.score,
                pv: info.pv.to_vec(),
            });
        }
        if info.multipv <= self.passes {
            self.sink.info(info);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.sink.current_move(depth, mv, number);
    }
}

/// Random numbers for the choice (SplitMix64; Steele, Lea, Flood 2014).
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice that fall the same way for the same seed; 0 takes one from the clock.
    pub(super) fn new(seed: u64) -> Dice {
        let clock = || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |time| time.as_nanos() as u64)
        };
        Dice(if seed == 0 { clock() ^ u64::from(std::process::id()) << 40 } else { seed })
    }

    /// The next number in 0..1.
    pub(super) fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn lines(scores: &[i32]) -> Vec<Outcome> {
        let line = |&score: &i32| Outcome {
            depth: 5,
            seldepth: 5,
            score: Score::new(score),
            pv: vec!["h2e2".parse().unwrap()],
        };
        scores.iter().map(line).collect()
    }

    fn as_shown() -> Calibration {
        Calibration::new(250)
    }

    #[test]
    fn weaker_levels_choose_among_more_and_lose_more() {
        let all: Vec<Choosing> = (SKILL_MIN..SKILL_FULL).filter_map(Choosing::at).collect();
        assert_eq!(all.len() as i64, SKILL_FULL - SKILL_MIN);
        for pair in all.windows(2) {
            assert!(pair[0].temperature > pair[1].temperature && pair[0].bound > pair[1].bound);
            assert!(pair[0].lines >= pair[1].lines);
        }
        assert_eq!(Choosing::at(SKILL_FULL), None);
        assert!(Choosing::at(SOUND).unwrap().bound < 200, "no man is lost by chance");
    }

    #[test]
    fn no_choice_beyond_the_bound_and_all_within_it_occur() {
        let choosing = Choosing { lines: 4, temperature: 50.0, bound: 100 };
        let lines = lines(&[40, 20, -50, -70]);
        let mut dice = Dice::new(7);
        let mut counts = [0; 4];
        for _ in 0..2000 {
            counts[choosing.pick(&lines, as_shown(), dice.roll())] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 50, "{counts:?}");
        assert_eq!(counts[3], 0, "110 centipawns are too many");
    }

    /// Default options with some changed.
    fn with(change: impl FnOnce(&mut Options)) -> Options {
        let mut options = Options::default();
        change(&mut options);
        options
    }

    #[test]
    fn the_weakest_option_counts() {
        assert_eq!(Choosing::of(&Options::default()), None);
        assert_eq!(skill(&with(|o| o.level = Level::Hard)), 12);
        assert_eq!(skill(&with(|o| (o.level, o.skill) = (Level::Hard, 3))), 3);
        assert_eq!(skill(&with(|o| (o.level, o.elo) = (Level::Hard, ELO_MIN))), 12);
        let elo = |elo| skill(&with(|o| (o.elo, o.limit_strength) = (elo, true)));
        assert_eq!([elo(ELO_MIN), elo(ELO_MAX)], [SKILL_MIN, SKILL_FULL - 1]);
        assert!((ELO_MIN..ELO_MAX).all(|n| elo(n) <= elo(n + 1)), "more is never weaker");
        let varied = with(|o| o.randomness = Randomness::Tiny);
        assert_eq!(Choosing::of(&varied).map(|choosing| choosing.bound), Some(4));
    }
}
