//! The sequential probability ratio test on pentanomial counts.
//!
//! The log-likelihood ratio compares the best-fitting distributions of pair scores under the two
//! hypotheses (generalised SPRT). Under a hypothesis the distribution is the observed one, tilted as
//! little as possible to satisfy a condition on its moments:
//!
//! * logistic Elo fixes the mean `s`. With a multiplier `t` the solution is `p(a) = q(a) / (1 + t h(a))`
//!   with `h(a) = a - s`, where `q` is what was observed and `t` solves `sum p h = 0`.
//! * normalised Elo fixes `(mean - ½) / deviation = r`. Setting the gradient of that to zero gives the
//!   same form with `h(a) = a - ½ - r d (1 + ((a - m) / d)²) / 2` for the solution's own mean `m` and
//!   deviation `d`, found by iteration.
//!
//! Derivation after M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation
//! Value of a Distribution" and "Normalized Elo" (notes published with the Fishtest framework).

use super::ArenaError;
use super::spec::pairs;
use super::stats::{NORMALIZED_SCALE, moments, score_of_elo};

/// What the two hypotheses are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo differences as usual.
    Logistic,
    /// Score differences in standard deviations of a game, scaled like Elo.
    Normalized,
}

/// A test of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative.
    pub elo1: f64,
    /// Probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of both.
    pub model: Model,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

/// An outcome that has not been seen yet counts as this many, so that no hypothesis is impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic|normalized`; `alpha` and `beta` are
    /// 0.05 and the model is logistic unless given.
    ///
    /// # Errors
    /// When a key or value is wrong.
    pub fn parse(text: &str) -> Result<Sprt, ArenaError> {
        let error = |text: String| ArenaError::Config(format!("--sprt: {text}"));
        let (mut elo0, mut elo1) = (None, None);
        let mut sprt =
            Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for (key, value) in pairs(text)? {
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            match (key.as_str(), number, value.as_str()) {
                ("elo0", Some(number), _) => elo0 = Some(number),
                ("elo1", Some(number), _) => elo1 = Some(number),
                ("alpha", Some(number), _) => sprt.alpha = number,
                ("beta", Some(number), _) => sprt.beta = number,
                ("model", _, "logistic") => sprt.model = Model::Logistic,
                ("model", _, "normalized" | "normalised") => sprt.model = Model::Normalized,
                _ => return Err(error(format!("{key}={value}: wrong key or value"))),
            }
        }
        sprt.elo0 = elo0.ok_or_else(|| error("elo0 is missing".to_string()))?;
        sprt.elo1 = elo1.ok_or_else(|| error("elo1 is missing".to_string()))?;
        if sprt.elo0 >= sprt.elo1 {
            return Err(error("elo0 must be less than elo1".to_string()));
        }
        if ![sprt.alpha, sprt.beta].iter().all(|risk| (1e-9..0.5).contains(risk)) {
            return Err(error("alpha and beta must lie between 0 and 0.5".to_string()));
        }
        Ok(sprt)
    }

    /// The bounds of the log-likelihood ratio (Wald): below the first `elo0` is accepted, above the
    /// second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of pentanomial counts; 0 without any.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        let total: u64 = pairs.iter().sum();
        if total == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let sum: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / sum);
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&observed, score_of_elo(elo)),
            // A pair's deviation is a game's divided by √2.
            Model::Normalized => {
                fit_ratio(&observed, elo / NORMALIZED_SCALE * std::f64::consts::SQRT_2)
            }
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let gain = |i: usize| observed[i] * (alternative[i] / null[i]).ln();
        sum * (0..5).map(gain).sum::<f64>()
    }

    /// Whether the test is over.
    pub fn decide(&self, pairs: &[u64; 5]) -> Option<Decision> {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => Some(Decision::H0),
            llr if llr >= high => Some(Decision::H1),
            _ => None,
        }
    }
}

fn score(index: usize) -> f64 {
    index as f64 / 4.0
}

/// The likeliest distribution with `sum p h = 0`, for `h` of both signs: `q / (1 + t h)`.
fn tilt(observed: &[f64; 5], h: &[f64; 5]) -> [f64; 5] {
    let low = h.iter().copied().fold(f64::INFINITY, f64::min);
    let high = h.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    debug_assert!(low < 0.0 && high > 0.0, "{h:?}");
    // All terms 1 + t h are positive between these; the sum falls from +inf to -inf.
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    let balance = |t: f64| (0..5).map(|i| observed[i] * h[i] / (1.0 + t * h[i])).sum::<f64>();
    for _ in 0..200 {
        let middle = (left + right) / 2.0;
        if balance(middle) > 0.0 {
            left = middle;
        } else {
            right = middle;
        }
    }
    let t = (left + right) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + t * h[i]))
}

/// The likeliest distribution with a given mean.
fn fit_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(observed, &std::array::from_fn(|i| score(i) - mean))
}

/// The likeliest distribution with a given `(mean - ½) / deviation`.
fn fit_ratio(observed: &[f64; 5], ratio: f64) -> [f64; 5] {
    let mut fitted = [0.2; 5];
    for _ in 0..100 {
        let (mean, variance) = moments(&fitted);
        let deviation = variance.sqrt();
        let h = std::array::from_fn(|i| {
            let distance = (score(i) - mean) / deviation;
            score(i) - 0.5 - ratio * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = tilt(observed, &h);
        let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-12 {
            break;
        }
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values by another method: the likelihood maximised over all distributions with an
    /// augmented Lagrangian and Newton steps in 64-bit arithmetic, unseen outcomes counted as 0.001.
    #[test]
    fn ratios_equal_a_direct_maximisation() {
        let cases = [
            ([5, 20, 40, 25, 10], 0.0, 5.0, 0.374_955, 0.278_310),
            ([39, 1020, 2214, 1115, 52], 0.0, 3.0, 2.538_375, 1.639_091),
            ([100, 700, 1500, 600, 90], -3.0, 0.0, -2.358_689, -1.540_960),
            ([0, 3, 20, 9, 0], 0.0, 10.0, 0.793_658, 0.371_608),
        ];
        for (pairs, elo0, elo1, logistic, normalized) in cases {
            let sprt = |model| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
            let llr = sprt(Model::Logistic).llr(&pairs);
            assert!((llr - logistic).abs() < 2e-5, "{pairs:?}: {llr} and {logistic}");
            let llr = sprt(Model::Normalized).llr(&pairs);
            assert!((llr - normalized).abs() < 2e-5, "{pairs:?}: {llr} and {normalized}");
        }
    }

    #[test]
    fn ratio_is_near_its_normal_approximation() {
        // For small differences LLR = n (s1 - s0) (mean - (s0 + s1) / 2) / variance.
        let pairs = [400, 2400, 4200, 2500, 500];
        let sprt = Sprt::parse("elo0=0,elo1=4").unwrap();
        let total: f64 = 10_000.0;
        let (mean, variance) = moments(&pairs.map(|count| count as f64 / total));
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(4.0));
        let approximation = total * (s1 - s0) * (mean - (s0 + s1) / 2.0) / variance;
        let llr = sprt.llr(&pairs);
        assert!((llr - approximation).abs() < 0.01 * approximation.abs(), "{llr} {approximation}");
    }

    #[test]
    fn bounds_and_decisions() {
        let sprt = Sprt::parse("elo0=0,elo1=5,alpha=0.05,beta=0.05").unwrap();
        let (low, high) = sprt.bounds();
        // ln 19
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.decide(&[0; 5]), None);
        assert_eq!(sprt.llr(&[0; 5]), 0.0);
        assert_eq!(sprt.decide(&[10, 100, 400, 200, 40]), Some(Decision::H1));
        assert_eq!(sprt.decide(&[40, 200, 400, 100, 10]), Some(Decision::H0));
        // A side that wins or loses everything must not break the arithmetic.
        for pairs in [[0, 0, 0, 0, 50], [50, 0, 0, 0, 0], [0, 0, 50, 0, 0], [1, 0, 0, 0, 0]] {
            for model in ["logistic", "normalized"] {
                let sprt = Sprt::parse(&format!("elo0=-5,elo1=20,model={model}")).unwrap();
                assert!(sprt.llr(&pairs).is_finite(), "{pairs:?} {model}");
            }
        }
    }

    #[test]
    fn mistakes() {
        for text in [
            "elo0=0",
            "elo0=5,elo1=5",
            "elo0=a,elo1=5",
            "elo0=0,elo1=5,alpha=0.7",
            "elo0=0,elo1=5,model=bayes",
            "elo0=0,elo1=inf",
        ] {
            assert!(Sprt::parse(text).is_err(), "{text}");
        }
    }
}
