//! Are the gradients right? The reference against differences, the kernels against the reference.

use chuhe::position::Position;
use chuhe::record::archive::{Label, Packed};

use crate::batch::{Batch, Targets};
use crate::model::Model;
use crate::random::Random;
use crate::reference::{Example, Reference};

/// Names of the tensors in order.
pub const TENSORS: [&str; 4] = ["first layer", "first bias", "output", "output bias"];

/// Weights checked of each tensor.
const CHECKED: usize = 200;
/// Half the step of the difference.
const STEP: f64 = 1e-5;

/// The largest relative errors of a tensor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deviation {
    /// Reference gradient against central differences of the reference loss.
    pub difference: f64,
    /// Gradient of the kernels against the reference.
    pub kernel: f64,
    /// Weights whose gradient was not zero.
    pub checked: usize,
}

/// Quiet positions of random games with random labels, the same for the same seed.
pub fn random_positions(count: usize, seed: u64) -> Vec<Packed> {
    let mut random = Random::new(seed, 2);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut pos = Position::startpos();
        for ply in 0..120u16 {
            let moves = pos.legal_moves();
            if moves.is_empty() || positions.len() == count {
                break;
            }
            pos = pos.make(moves[random.below(moves.len())]);
            if ply > 8 && !pos.in_check() {
                let score = random.within(600.0) as i16;
                let points = random.below(3) as u8;
                positions.push(Packed::new(&pos, Label { score, points, ply, ..Label::default() }));
            }
        }
    }
    positions
}

/// A batch of positions as they are at play.
pub fn plain_batch(positions: &[Packed], buckets: usize, targets: Targets) -> Batch {
    let mut batch = Batch::default();
    batch.clear();
    positions.iter().for_each(|packed| batch.push(packed, buckets, targets, false));
    batch
}

/// The positions of a batch with its targets.
pub fn examples(positions: &[Packed], batch: &Batch) -> Vec<Example> {
    let all = positions.iter().zip(&batch.targets);
    all.filter_map(|(packed, &target)| {
        Some(Example { position: packed.position()?, target: f64::from(target) })
    })
    .collect()
}

/// The weights of a model in double precision.
pub fn reference(model: &Model) -> Reference {
    let tensors = model.weights().map(|t| t.into_iter().map(f64::from).collect());
    Reference { buckets: model.buckets(), width: model.width(), tensors }
}

/// Compares the gradients of a small network on random positions, tensor by tensor.
pub fn run(buckets: usize, seed: u64) -> [Deviation; 4] {
    let positions = random_positions(96, seed);
    let batch = plain_batch(&positions, buckets, Targets { lambda: 0.3, scale: 300.0 });
    let mut model = Model::new(buckets, 16, seed);
    // some steps, so that buckets and biases differ
    for _ in 0..10 {
        model.learn(&batch, 1e-2, 0.01);
    }
    let mut reference = reference(&model);
    let examples = examples(&positions, &batch);
    let exact = reference.gradient(&examples);
    let (_, kernels) = model.gradient(&batch);
    let mut random = Random::new(seed, 3);
    let mut deviations = [Deviation::default(); 4];
    for (t, deviation) in deviations.iter_mut().enumerate() {
        let largest = exact[t].iter().fold(0.0f64, |max, g| max.max(g.abs()));
        for (kernel, exact) in kernels[t].iter().zip(&exact[t]) {
            let error = (f64::from(*kernel) - exact).abs() / (exact.abs() + 1e-2 * largest);
            deviation.kernel = deviation.kernel.max(error);
        }
        let mut active: Vec<usize> =
            (0..exact[t].len()).filter(|&i| exact[t][i].abs() > 1e-4 * largest).collect();
        random.shuffle(&mut active);
        for &i in active.iter().take(CHECKED) {
            let weight = reference.tensors[t][i];
            let mut loss_at = |value| {
                reference.tensors[t][i] = value;
                reference.loss(&examples)
            };
            let difference = (loss_at(weight + STEP) - loss_at(weight - STEP)) / (2.0 * STEP);
            loss_at(weight);
            let error = (difference - exact[t][i]).abs() / (exact[t][i].abs() + 1e-3 * largest);
            deviation.difference = deviation.difference.max(error);
            deviation.checked += 1;
        }
    }
    deviations
}
