//! The network once more, written for clarity in double precision, to check the fast code against.

use chuhe::eval::nnue::features::{self, PER_BUCKET, View};
use chuhe::position::Position;

/// A position with its target.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// 0..=1.
    pub target: f64,
}

/// Weights in the order of a network file, in units of 1.
#[derive(Clone, Debug)]
pub struct Reference {
    /// King buckets.
    pub buckets: usize,
    /// Neurons for one perspective.
    pub width: usize,
    /// First layer `[689 · buckets][width]`, its bias `[width]`, output `[8][2 · width]`, its bias
    /// `[8]`.
    pub tensors: [Vec<f64>; 4],
}

/// What a position makes of the first layer.
struct Hidden {
    /// Active features of both perspectives, side to move first, bucket included.
    inputs: [Vec<usize>; 2],
    /// Sums of both perspectives.
    sums: [Vec<f64>; 2],
    output_bucket: usize,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + f64::exp(-x))
}

impl Reference {
    fn hidden(&self, pos: &Position) -> Hidden {
        let [weights, bias, ..] = &self.tensors;
        let inputs = [pos.side(), !pos.side()].map(|side| {
            let view = View::of(pos, side);
            let base = PER_BUCKET * view.bucket(self.buckets);
            features::active(pos, view).iter().map(|&f| base + f as usize).collect::<Vec<_>>()
        });
        let sums = [0, 1].map(|p: usize| {
            let at = |i: usize| -> f64 {
                bias[i] + inputs[p].iter().map(|f| weights[f * self.width + i]).sum::<f64>()
            };
            (0..self.width).map(at).collect()
        });
        Hidden { inputs, sums, output_bucket: features::output_bucket(pos) }
    }

    fn output_of(&self, hidden: &Hidden) -> f64 {
        let [.., output, output_bias] = &self.tensors;
        let weights = &output[hidden.output_bucket * 2 * self.width..][..2 * self.width];
        let sums = hidden.sums.iter().flatten();
        let sum: f64 = sums.zip(weights).map(|(x, w)| x.clamp(0.0, 1.0).powi(2) * w).sum();
        sum + output_bias[hidden.output_bucket]
    }

    /// The value of a position for its side to move, in units of the scale.
    pub fn output(&self, pos: &Position) -> f64 {
        self.output_of(&self.hidden(pos))
    }

    /// The mean squared error of the winning chances.
    pub fn loss(&self, examples: &[Example]) -> f64 {
        let error = |e: &Example| (logistic(self.output(&e.position)) - e.target).powi(2);
        examples.iter().map(error).sum::<f64>() / examples.len() as f64
    }

    /// The derivative of [`Reference::loss`] by every weight, by the chain rule.
    pub fn gradient(&self, examples: &[Example]) -> [Vec<f64>; 4] {
        let mut gradient = self.tensors.clone().map(|tensor| vec![0.0; tensor.len()]);
        let width = self.width;
        for example in examples {
            let hidden = self.hidden(&example.position);
            let chance = logistic(self.output_of(&hidden));
            let by_chance = 2.0 * (chance - example.target) / examples.len() as f64;
            let by_output = by_chance * chance * (1.0 - chance);
            gradient[3][hidden.output_bucket] += by_output;
            for (p, sums) in hidden.sums.iter().enumerate() {
                for (i, &x) in sums.iter().enumerate() {
                    let active = x.clamp(0.0, 1.0);
                    let weight = (2 * hidden.output_bucket + p) * width + i;
                    gradient[2][weight] += by_output * active * active;
                    if x <= 0.0 || x >= 1.0 {
                        continue;
                    }
                    let by_sum = by_output * self.tensors[2][weight] * 2.0 * x;
                    gradient[1][i] += by_sum;
                    for input in &hidden.inputs[p] {
                        gradient[0][input * width + i] += by_sum;
                    }
                }
            }
        }
        gradient
    }
}
