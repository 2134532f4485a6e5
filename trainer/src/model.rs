//! The network while it learns: weights, gradients and moments, in tiles of 16 neurons.

use chuhe::eval::nnue::features::{OUTPUT_BUCKETS, PER_BUCKET};
use chuhe::eval::nnue::{MAX_OUTPUT, MAX_WEIGHT, OUTPUT_UNITS, Parts};
use rayon::prelude::*;

use crate::batch::Batch;
use crate::random::Random;
use crate::{kernel, sigmoid};

/// Sixteen neurons, one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; Row::LEN]);

impl Row {
    /// Neurons of a tile.
    pub const LEN: usize = 16;
    /// All zero.
    pub const ZERO: Row = Row([0.0; Row::LEN]);
}

/// The moments of AdamW for a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// Running mean of the gradient.
    pub first: Row,
    /// Running mean of its square.
    pub second: Row,
}

impl Adam {
    const ZERO: Adam = Adam { first: Row::ZERO, second: Row::ZERO };
}

/// How far a step goes.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Learning rate.
    pub lr: f32,
    /// Weight decay, not applied to biases.
    pub decay: f32,
    /// 1 / (1 − β₁ᵗ).
    pub first: f32,
    /// 1 / (1 − β₂ᵗ).
    pub second: f32,
}

impl Rates {
    pub(crate) const BETA1: f32 = 0.9;
    pub(crate) const BETA2: f32 = 0.999;
    pub(crate) const EPSILON: f32 = 1e-8;
    /// First-layer weights fit the network file.
    pub(crate) const INPUT_LIMIT: f32 = MAX_WEIGHT as f32 / 255.0 - 1e-4;
    /// Output weights fit the network file.
    pub(crate) const OUTPUT_LIMIT: f32 = MAX_OUTPUT as f32 / OUTPUT_UNITS[0] as f32;

    /// The rates of step `t`, counted from 1.
    pub fn new(lr: f32, decay: f32, t: u64) -> Rates {
        let t = t.min(1 << 30) as i32;
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powi(t))) as f32;
        Rates { lr, decay, first: correction(Rates::BETA1), second: correction(Rates::BETA2) }
    }
}

/// The bias of a tile.
#[derive(Clone, Debug)]
pub(crate) struct Bias {
    pub(crate) value: Row,
    pub(crate) gradient: Row,
    pub(crate) moments: Adam,
}

/// The output weights of a tile, `[bucket][perspective]`.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) values: Vec<Row>,
    pub(crate) gradients: Vec<Row>,
    pub(crate) moments: Vec<Adam>,
}

/// Sixteen neurons of both perspectives.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    /// What the network computes with, `[bucket][feature]`: the sum of `own` and `shared`.
    pub(crate) merged: Vec<Row>,
    /// What a bucket has for itself; empty with one bucket.
    pub(crate) own: Vec<Row>,
    /// What all buckets share, `[feature]`; empty with one bucket.
    pub(crate) shared: Vec<Row>,
    /// Of `merged`.
    pub(crate) gradient: Vec<Row>,
    pub(crate) own_moments: Vec<Adam>,
    pub(crate) shared_moments: Vec<Adam>,
    pub(crate) bias: Bias,
    pub(crate) output: Output,
    /// First-layer sums of the batch, side to move first.
    pub(crate) sums: Vec<[Row; 2]>,
    /// This tile's part of the outputs of the batch.
    pub(crate) share: Vec<f32>,
}

impl Tile {
    fn new(buckets: usize) -> Tile {
        let rows = buckets * PER_BUCKET;
        let factored = if buckets == 1 { 0 } else { PER_BUCKET };
        Tile {
            merged: vec![Row::ZERO; rows],
            own: vec![Row::ZERO; if buckets == 1 { 0 } else { rows }],
            shared: vec![Row::ZERO; factored],
            gradient: vec![Row::ZERO; rows],
            own_moments: vec![Adam::ZERO; rows],
            shared_moments: vec![Adam::ZERO; factored],
            bias: Bias { value: Row::ZERO, gradient: Row::ZERO, moments: Adam::ZERO },
            output: Output {
                values: vec![Row::ZERO; 2 * OUTPUT_BUCKETS],
                gradients: vec![Row::ZERO; 2 * OUTPUT_BUCKETS],
                moments: vec![Adam::ZERO; 2 * OUTPUT_BUCKETS],
            },
            sums: Vec::new(),
            share: Vec::new(),
        }
    }

    /// Everything a checkpoint has to keep.
    fn visit(&mut self, visit: &mut impl FnMut(&mut [f32])) {
        for rows in [&mut self.merged, &mut self.own, &mut self.shared, &mut self.output.values] {
            rows.iter_mut().for_each(|row| visit(&mut row.0));
        }
        visit(&mut self.bias.value.0);
        let lists = [&mut self.own_moments, &mut self.shared_moments, &mut self.output.moments];
        let rest = std::iter::once(&mut self.bias.moments);
        for adam in lists.into_iter().flatten().chain(rest) {
            visit(&mut adam.first.0);
            visit(&mut adam.second.0);
        }
    }
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Model {
    buckets: usize,
    pub(crate) tiles: Vec<Tile>,
    pub(crate) output_bias: [f32; OUTPUT_BUCKETS],
    output_bias_moments: [[f32; OUTPUT_BUCKETS]; 2],
    /// Steps taken.
    pub steps: u64,
    /// Outputs of the last batch, in units of the scale.
    pub outputs: Vec<f32>,
    slopes: Vec<f32>,
}

impl Model {
    /// A network with random weights. `width` is a multiple of 16, `buckets` 1 or 6.
    pub fn new(buckets: usize, width: usize, seed: u64) -> Model {
        let mut random = Random::new(seed, 1);
        let mut tiles = vec![Tile::new(buckets); width.div_ceil(Row::LEN)];
        let first = (1.0f32 / 30.0).sqrt();
        let last = (1.0 / (2 * width) as f32).sqrt();
        for tile in &mut tiles {
            let rows: Vec<Row> = (0..PER_BUCKET)
                .map(|_| Row(std::array::from_fn(|_| random.within(first))))
                .collect();
            for bucket in tile.merged.chunks_mut(PER_BUCKET) {
                bucket.copy_from_slice(&rows);
            }
            if !tile.shared.is_empty() {
                tile.shared.copy_from_slice(&rows);
            }
            let output: [Row; 2] =
                std::array::from_fn(|_| Row(std::array::from_fn(|_| random.within(last))));
            for pair in tile.output.values.chunks_mut(2) {
                pair.copy_from_slice(&output);
            }
        }
        Model {
            buckets,
            tiles,
            output_bias: [0.0; OUTPUT_BUCKETS],
            output_bias_moments: [[0.0; OUTPUT_BUCKETS]; 2],
            steps: 0,
            outputs: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// King buckets.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// Neurons of the first layer for one perspective.
    pub fn width(&self) -> usize {
        self.tiles.len() * Row::LEN
    }

    /// Fills [`Model::outputs`] for a batch.
    pub fn forward(&mut self, batch: &Batch) {
        self.tiles.par_iter_mut().for_each(|tile| kernel::forward(tile, batch));
        self.outputs.clear();
        self.outputs.extend(batch.buckets.iter().map(|&b| self.output_bias[b as usize]));
        // tile by tile, so that the sum does not depend on the threads
        for tile in &self.tiles {
            for (output, share) in self.outputs.iter_mut().zip(&tile.share) {
                *output += share;
            }
        }
    }

    /// The mean loss of the outputs, and its slopes in [`Model::slopes`].
    fn loss(&mut self, batch: &Batch) -> f64 {
        let scale = 2.0 / batch.len() as f32;
        let mut loss = 0.0;
        self.slopes.clear();
        for (&output, &target) in self.outputs.iter().zip(&batch.targets) {
            let chance = sigmoid(output);
            let error = chance - target;
            loss += f64::from(error * error);
            self.slopes.push(scale * error * chance * (1.0 - chance));
        }
        loss / batch.len() as f64
    }

    /// Learns from a batch; returns its mean loss before.
    pub fn learn(&mut self, batch: &Batch, lr: f32, decay: f32) -> f64 {
        self.forward(batch);
        let loss = self.loss(batch);
        self.steps += 1;
        let rates = Rates::new(lr, decay, self.steps);
        let slopes = &self.slopes;
        self.tiles.par_iter_mut().for_each(|tile| {
            kernel::backward(tile, batch, slopes);
            kernel::optimise(tile, &rates);
        });
        let gradient = self.output_bias_gradient(batch);
        for (i, g) in gradient.into_iter().enumerate() {
            let [first, second] = &mut self.output_bias_moments;
            first[i] = Rates::BETA1 * first[i] + (1.0 - Rates::BETA1) * g;
            second[i] = Rates::BETA2 * second[i] + (1.0 - Rates::BETA2) * (g * g);
            let root = (second[i] * rates.second).sqrt() + Rates::EPSILON;
            self.output_bias[i] -= rates.lr * first[i] * rates.first / root;
        }
        loss
    }

    fn output_bias_gradient(&self, batch: &Batch) -> [f32; OUTPUT_BUCKETS] {
        let mut gradient = [0.0; OUTPUT_BUCKETS];
        for (slope, &bucket) in self.slopes.iter().zip(&batch.buckets) {
            gradient[bucket as usize] += slope;
        }
        gradient
    }

    /// The gradient of the mean loss of a batch, without learning: first layer, its bias, output,
    /// output bias, in the order of [`Parts`].
    pub fn gradient(&mut self, batch: &Batch) -> (f64, [Vec<f32>; 4]) {
        self.forward(batch);
        let loss = self.loss(batch);
        for tile in &mut self.tiles {
            kernel::backward(tile, batch, &self.slopes);
        }
        let weights = self.gather(self.buckets * PER_BUCKET, |tile, i| tile.gradient[i]);
        let bias = self.gather(1, |tile, _| tile.bias.gradient);
        let output = self.gather(2 * OUTPUT_BUCKETS, |tile, i| tile.output.gradients[i]);
        for tile in &mut self.tiles {
            tile.gradient.fill(Row::ZERO);
            tile.bias.gradient = Row::ZERO;
            tile.output.gradients.fill(Row::ZERO);
        }
        (loss, [weights, bias, output, self.output_bias_gradient(batch).to_vec()])
    }

    /// Rows of all tiles joined, `[rows][width]`.
    fn gather(&self, rows: usize, row: impl Fn(&Tile, usize) -> Row) -> Vec<f32> {
        (0..rows)
            .flat_map(|i| self.tiles.iter().flat_map(|tile| row(tile, i).0).collect::<Vec<_>>())
            .collect()
    }

    /// All weights as the network computes with them, in the order of [`Parts`].
    pub fn weights(&self) -> [Vec<f32>; 4] {
        [
            self.gather(self.buckets * PER_BUCKET, |tile, i| tile.merged[i]),
            self.gather(1, |tile, _| tile.bias.value),
            self.gather(2 * OUTPUT_BUCKETS, |tile, i| tile.output.values[i]),
            self.output_bias.to_vec(),
        ]
    }

    /// The network in whole numbers.
    pub fn quantised(&self, scale: i32, description: String) -> Parts {
        let [weights, bias, output, output_bias] = self.weights();
        let round = |values: &[f32], unit: f32, limit: i16| -> Vec<i16> {
            let limit = f32::from(limit);
            values.iter().map(|&v| (v * unit).round().clamp(-limit, limit) as i16).collect()
        };
        let largest = output.iter().fold(0.0f32, |max, w| max.max(w.abs()));
        let fits = |&&unit: &&i32| largest * unit as f32 <= f32::from(MAX_OUTPUT);
        let output_unit = *OUTPUT_UNITS.iter().rev().find(fits).unwrap_or(&OUTPUT_UNITS[0]);
        let bias_unit = (255 * output_unit) as f32;
        Parts {
            buckets: self.buckets,
            width: self.width(),
            scale,
            weights: round(&weights, 255.0, MAX_WEIGHT),
            bias: round(&bias, 255.0, MAX_WEIGHT),
            output: round(&output, output_unit as f32, MAX_OUTPUT),
            output_unit,
            output_bias: std::array::from_fn(|i| (output_bias[i] * bias_unit).round() as i32),
            description,
        }
    }

    /// Shows every number a checkpoint has to keep, always in the same order.
    pub fn visit(&mut self, mut visit: impl FnMut(&mut [f32])) {
        self.tiles.iter_mut().for_each(|tile| tile.visit(&mut visit));
        visit(&mut self.output_bias);
        self.output_bias_moments.iter_mut().for_each(|moments| visit(moments));
    }
}
