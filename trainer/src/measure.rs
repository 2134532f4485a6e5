//! How good a network is, and how fast it learns.

use std::time::Instant;

use chuhe::eval::nnue::{Network, State};
use chuhe::record::archive::Packed;
use serde::Serialize;
use std::sync::Arc;

use crate::batch::{Batch, Targets};
use crate::gradcheck::{plain_batch, random_positions};
use crate::model::Model;
use crate::sigmoid;

/// Mean squared errors of winning chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Against the target of training.
    pub loss: f64,
    /// Against the score of the search.
    pub score: f64,
    /// Against the result of the game.
    pub result: f64,
    /// The score of the search against the result of the game: what a perfect pupil would reach.
    pub search: f64,
    /// Positions measured.
    pub positions: u64,
}

impl Errors {
    /// Adds a batch for which the network gives these chances.
    fn add(&mut self, batch: &Batch, chances: impl Iterator<Item = f32>) {
        let square = |x: f32| f64::from(x * x);
        for (i, chance) in chances.enumerate() {
            self.loss += square(chance - batch.targets[i]);
            self.score += square(chance - batch.chances[i]);
            self.result += square(chance - batch.points[i]);
            self.search += square(batch.chances[i] - batch.points[i]);
            self.positions += 1;
        }
    }

    fn mean(self) -> Errors {
        let n = self.positions.max(1) as f64;
        Errors {
            loss: self.loss / n,
            score: self.score / n,
            result: self.result / n,
            search: self.search / n,
            positions: self.positions,
        }
    }
}

/// The errors of a network that is being trained.
pub fn errors(model: &mut Model, positions: &[Packed], targets: Targets) -> Errors {
    let mut errors = Errors::default();
    for part in positions.chunks(16_384) {
        let batch = plain_batch(part, model.buckets(), targets);
        model.forward(&batch);
        errors.add(&batch, model.outputs.iter().map(|&output| sigmoid(output)));
    }
    errors.mean()
}

/// The errors of a finished network, as the engine computes it.
pub fn network_errors(network: Arc<Network>, positions: &[Packed], lambda: f32) -> Errors {
    let scale = network.scale() as f32;
    let mut state = State::new(network);
    let mut errors = Errors::default();
    for part in positions.chunks(4_096) {
        let batch = plain_batch(part, 1, Targets { lambda, scale });
        let value = |packed: &Packed| packed.position().map_or(0, |pos| state.evaluate(&pos));
        let values: Vec<i32> = part.iter().map(value).collect();
        errors.add(&batch, values.into_iter().map(|value| sigmoid(value as f32 / scale)));
    }
    errors.mean()
}

/// Positions a second while learning, and the share of preparing batches: (all, prepared).
pub fn throughput(buckets: usize, width: usize, batch: usize, seconds: f64) -> (f64, f64) {
    let positions = random_positions(batch, 9);
    let targets = Targets { lambda: 0.1, scale: 300.0 };
    let mut model = Model::new(buckets, width, 1);
    let mut ready = plain_batch(&positions, buckets, targets);
    model.learn(&ready, 1e-3, 0.01);
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed().as_secs_f64() < seconds {
        model.learn(&ready, 1e-3, 0.01);
        count += batch;
    }
    let learned = count as f64 / started.elapsed().as_secs_f64();
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed().as_secs_f64() < seconds / 4.0 {
        ready.clear();
        positions.iter().for_each(|packed| ready.push(packed, buckets, targets, count % 2 == 1));
        count += batch;
    }
    (learned, count as f64 / started.elapsed().as_secs_f64())
}
