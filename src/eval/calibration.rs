//! What scores mean: from the units of an evaluation to chances.
//!
//! An evaluation has a *scale* K: a position worth v is expected to bring σ(v / K) points, a win being
//! one and a draw half a point. K is fitted to the results of games and differs from network to
//! network, so scores shown to people are put on one scale.

use super::classical;
use super::nnue::Network;
use crate::types::Score;

/// The scale of shown scores: +100 is an expectation of 60 points in a hundred.
const SHOWN: i32 = 250;
/// A shown score at which a win is as likely as not.
const EVEN_WIN: f64 = 195.0;
/// How fast a win gets more likely with the shown score. This and [`EVEN_WIN`] were fitted to the
/// results of the engine's own games at 300 nodes a move.
const SPREAD: f64 = 197.0;

/// Translates the scores of one evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calibration {
    scale: i32,
}

impl Calibration {
    /// For an evaluation of this scale, in its own centipawns; at least 1.
    pub fn new(scale: i32) -> Calibration {
        Calibration { scale: scale.max(1) }
    }

    /// For a network, or with `None` for the hand-made evaluation.
    pub fn of(network: Option<&Network>) -> Calibration {
        Calibration::new(network.map_or(classical::SCALE, Network::scale))
    }

    /// A score as it is shown: +100 means an expectation of 60 %. Mates and verdicts by rule stay
    /// what they are.
    pub fn shown(self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        let value = i64::from(score.value()) * i64::from(SHOWN);
        // to the nearest, away from zero in the middle, so that both sides see the same number
        let half = i64::from(self.scale / 2) * value.signum();
        Score::eval(((value + half) / i64::from(self.scale)) as i32)
    }

    /// Chances of a win, a draw and a loss for the side the score belongs to, in per mille; together
    /// 1,000.
    pub fn wdl(self, score: Score) -> [u32; 3] {
        if score.is_decisive() {
            return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let shown = f64::from(self.shown(score).value());
        let chance = |score: f64| (1000.0 * sigmoid((score - EVEN_WIN) / SPREAD)).round() as u32;
        let (win, loss) = (chance(shown), chance(-shown));
        [win, 1000 - win - loss, loss]
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_is_sixty_percent_whatever_the_network() {
        for scale in [120, 250, 253, 400] {
            let calibration = Calibration::new(scale);
            let sixty = (f64::from(scale) * libm::log(1.5)).round() as i32;
            let shown = calibration.shown(Score::new(sixty)).value();
            assert!((100..=102).contains(&shown), "scale {scale}: {shown}");
            assert_eq!(calibration.shown(Score::new(-sixty)).value(), -shown);
            assert_eq!(calibration.shown(Score::new(0)).value(), 0);
        }
        let score = Score::eval(30_000);
        assert_eq!(Calibration::new(1).shown(score), Score::EVAL_MAX);
        for score in [Score::mate_in(3), Score::mated_in(2), Score::rule_win_in(5)] {
            assert_eq!(Calibration::new(400).shown(score), score);
        }
    }

    #[test]
    fn chances_add_up_and_agree_with_the_expectation() {
        let calibration = Calibration::new(300);
        let mut last = 0;
        for value in -1_500..=1_500 {
            let [win, draw, loss] = calibration.wdl(Score::new(value));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!([loss, draw, win], calibration.wdl(Score::new(-value)));
            assert!(win >= last, "{value}");
            last = win;
            let points = f64::from(win) + f64::from(draw) / 2.0;
            let expected = 1000.0 * sigmoid(f64::from(value) / 300.0);
            assert!((points - expected).abs() < 25.0, "{value}: {points} and {expected}");
        }
        assert_eq!(calibration.wdl(Score::mate_in(1)), [1000, 0, 0]);
        assert_eq!(calibration.wdl(Score::rule_loss_in(1)), [0, 0, 1000]);
    }
}
