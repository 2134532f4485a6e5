//! What results say about strength.
//!
//! A *pair* is two games from one opening with colours swapped. Its five possible scores (0, ½, 1,
//! 1½, 2 points) make the pentanomial counts. Openings are never quite balanced, so the two games of
//! a pair are correlated and the variance must be that of pairs, not of games (method of
//! Van den Bergh, as used by the public testing frameworks of chess engines).

/// Two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Results of one engine against another or against the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by half points scored, 0..=4.
    pub pairs: [u64; 5],
}

/// A mean score with its spread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points per game, 0..=1.
    pub mean: f64,
    /// Standard error of the mean; `None` with fewer than two samples.
    pub error: Option<f64>,
    /// Standard deviation of one game's score. From pairs: that of a pair's mean times √2, the value
    /// one game of a balanced opening would have.
    pub game_deviation: f64,
}

/// An Elo difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The difference; infinite when one side has all points.
    pub value: f64,
    /// Half the width of the 95 % interval; `None` when unknown or unbounded.
    pub error: Option<f64>,
}

impl Tally {
    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points in halves.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points per game over all games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.half_points() as f64 / (2 * games) as f64)
    }

    /// The same results seen from the other side.
    pub fn flip(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Adds other results.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(count, more)| *count += more);
    }

    /// Mean and spread: from complete pairs where there are any, else from single games.
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs: u64 = self.pairs.iter().sum();
        let (counts, samples, per_sample) = if pairs > 0 {
            (self.pairs.map(|count| count as f64), pairs as f64, 2.0_f64)
        } else {
            let counts = [self.losses, 0, self.draws, 0, self.wins].map(|count| count as f64);
            (counts, self.games() as f64, 1.0)
        };
        if samples == 0.0 {
            return None;
        }
        let (mean, variance) = moments(&counts.map(|count| count / samples));
        Some(Estimate {
            mean,
            error: (samples > 1.0).then(|| (variance / samples).sqrt()),
            game_deviation: (variance * per_sample).sqrt(),
        })
    }

    /// Elo difference.
    pub fn elo(&self) -> Option<Elo> {
        let estimate = self.estimate()?;
        let error = estimate.error.and_then(|error| {
            let (low, high) = (estimate.mean - Z95 * error, estimate.mean + Z95 * error);
            (low > 0.0 && high < 1.0).then(|| (elo_of_score(high) - elo_of_score(low)) / 2.0)
        });
        Some(Elo { value: elo_of_score(estimate.mean), error })
    }

    /// Normalised Elo: the distance from ½ in standard deviations of a game, scaled so that it
    /// agrees with Elo near equality for games without draws. Unlike Elo it does not depend on how
    /// drawish the openings are.
    pub fn normalized_elo(&self) -> Option<Elo> {
        let estimate = self.estimate()?;
        (estimate.game_deviation > 0.0).then(|| Elo {
            value: (estimate.mean - 0.5) / estimate.game_deviation * NORMALIZED_SCALE,
            error: estimate
                .error
                .map(|error| Z95 * error / estimate.game_deviation * NORMALIZED_SCALE),
        })
    }

    /// Likelihood of superiority: the probability that the true score is above ½.
    pub fn superiority(&self) -> Option<f64> {
        let estimate = self.estimate()?;
        let error = estimate.error?;
        let lead = estimate.mean - 0.5;
        if error == 0.0 {
            return Some(if lead > 0.0 {
                1.0
            } else if lead < 0.0 {
                0.0
            } else {
                0.5
            });
        }
        Some(normal_cdf(lead / error))
    }
}

/// Normalised Elo for one standard deviation: `800 / ln 10`, since the slope of the logistic curve at
/// equality is `ln 10 / 1600` and the deviation of a game without draws ½.
pub const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Mean and variance of a distribution over scores 0, ¼, ½, ¾, 1.
pub(super) fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let scores = |index: usize| index as f64 / 4.0;
    let mean: f64 = weights.iter().enumerate().map(|(i, p)| p * scores(i)).sum();
    let variance = weights.iter().enumerate().map(|(i, p)| p * (scores(i) - mean).powi(2)).sum();
    (mean, variance)
}

/// `-400 log10(1 / s - 1)`.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// `1 / (1 + 10^(-elo / 400))`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64, tolerance: f64) {
        assert!((left - right).abs() < tolerance, "{left} and {right}");
    }

    fn tally(wins: u64, draws: u64, losses: u64, pairs: [u64; 5]) -> Tally {
        Tally { wins, draws, losses, pairs }
    }

    #[test]
    fn elo_and_score() {
        // The familiar table of the Elo system: 100 points are 64 %, 200 are 76 %, 400 are 10 to 1.
        close(score_of_elo(100.0), 0.64, 0.001);
        close(score_of_elo(200.0), 0.76, 0.001);
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        close(elo_of_score(0.5), 0.0, 1e-12);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn superiority_without_pairs_is_the_usual_formula() {
        // Without draws and near equality, LOS = (1 + erf((W - L) / sqrt(2 (W + L)))) / 2; the
        // estimate divides by the sample variance, hence the tolerance.
        for (wins, losses) in [(52, 48), (510, 490), (480, 520)] {
            let (w, l) = (wins as f64, losses as f64);
            let formula = 0.5 * (1.0 + libm::erf((w - l) / (2.0 * (w + l)).sqrt()));
            close(tally(wins, 0, losses, [0; 5]).superiority().unwrap(), formula, 2e-3);
        }
        // Draws change neither: 30 wins and 10 losses are 0.99922 (erf(20 / sqrt(80)) = 0.99843).
        close(normal_cdf(20.0 / 40.0_f64.sqrt()), 0.999_217, 1e-6);
        assert_eq!(tally(0, 10, 0, [0, 0, 5, 0, 0]).superiority(), Some(0.5));
    }

    #[test]
    fn errors_come_from_pairs() {
        // 100 pairs [5, 20, 40, 25, 10]: mean (20/4 + 40/2 + 75/4 + 10) / 100 = 0.5375,
        // variance sum p s^2 - mean^2 = 0.06421875, error sqrt(0.06421875 / 100) = 0.0253414.
        let t = tally(60, 95, 45, [5, 20, 40, 25, 10]);
        assert_eq!(t.half_points(), 215);
        let estimate = t.estimate().unwrap();
        close(estimate.mean, 0.5375, 1e-12);
        close(estimate.error.unwrap(), 0.025_341_4, 1e-7);
        close(estimate.game_deviation, (2.0 * 0.064_218_75_f64).sqrt(), 1e-12);
        let elo = t.elo().unwrap();
        // -400 log10(1 / 0.5375 - 1) = 26.1067; bounds of the score 0.487832 and 0.587168.
        close(elo.value, 26.1067, 1e-4);
        close(elo.error.unwrap(), 34.8264, 1e-3);
        close(t.superiority().unwrap(), normal_cdf(0.0375 / 0.025_341_4), 1e-5);
        let other = t.flip();
        close(other.elo().unwrap().value, -elo.value, 1e-9);
        close(t.superiority().unwrap() + other.superiority().unwrap(), 1.0, 1e-12);
    }

    #[test]
    fn balanced_independent_pairs_equal_single_games() {
        // Pairs as two independent games with win and loss probability 1/4 each would give them:
        // both ways of counting must agree on the spread of a game.
        let pairs = tally(40, 80, 40, [5, 20, 30, 20, 5]);
        let games = tally(40, 80, 40, [0; 5]);
        let (pairs, games) = (pairs.estimate().unwrap(), games.estimate().unwrap());
        close(pairs.game_deviation, games.game_deviation, 1e-12);
        close(pairs.error.unwrap(), games.error.unwrap(), 1e-12);
    }

    #[test]
    fn normalized_elo_equals_elo_without_draws() {
        let t = tally(505, 0, 495, [0; 5]);
        close(t.normalized_elo().unwrap().value, t.elo().unwrap().value, 0.01);
    }

    #[test]
    fn extremes() {
        assert_eq!(Tally::default().elo(), None);
        let all = tally(4, 0, 0, [0, 0, 0, 0, 2]);
        assert_eq!(all.elo(), Some(Elo { value: f64::INFINITY, error: None }));
        assert_eq!(all.superiority(), Some(1.0));
        assert_eq!(all.normalized_elo(), None);
        assert_eq!(tally(1, 0, 0, [0; 5]).superiority(), None, "one game says nothing");
    }
}
