//! Does it learn what it should, nothing else, and always the same?

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use chuhe::eval::nnue::{Network, State};
use chuhe::record::archive::{Label, Packed};
use chuhe_trainer::batch::{Batch, Targets, is_mirrored};
use chuhe_trainer::data::Data;
use chuhe_trainer::gradcheck::{self, examples, plain_batch, random_positions, reference};
use chuhe_trainer::model::Model;
use chuhe_trainer::train::{self, Config, Job, beside};
use chuhe_trainer::{Error, checkpoint, measure, sigmoid};

const TARGETS: Targets = Targets { lambda: 0.0, scale: 300.0 };

/// A directory of its own for each test, removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("trainer-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Scratch(path)
    }

    fn job(&self, name: &str) -> Job {
        Job {
            out: self.0.join(name),
            scale: Some(300),
            provenance: "a test".to_string(),
            stop_after: None,
            progress: false,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The positions with other scores.
fn relabelled(positions: &[Packed], mut score: impl FnMut(usize, &Packed) -> i16) -> Vec<Packed> {
    let relabel = |(i, packed): (usize, &Packed)| {
        let label = Label { score: score(i, packed), points: 1, ..packed.label() };
        Packed::new(&packed.position().expect("a position"), label)
    };
    positions.iter().enumerate().map(relabel).collect()
}

/// Something that can be learned: men on the board, weighed.
fn material(packed: &Packed) -> i16 {
    let value = |(piece, _): (chuhe::types::Piece, chuhe::types::Square)| {
        let worth = [0, 20, 20, 90, 180, 90, 30][piece.kind().index()];
        if piece.color() == packed.side() { worth } else { -worth }
    };
    packed.men().map(value).sum()
}

/// Sets whose scores are given by a rule.
fn data(positions: usize, score: impl Fn(usize, &Packed) -> i16) -> Data {
    let all = relabelled(&random_positions(positions, 4), score);
    let (validation, train) = all.split_at(positions / 8);
    let fingerprint = positions as u64;
    let games = 0;
    let count = positions as u64;
    Data {
        train: train.to_vec(),
        validation: validation.to_vec(),
        games,
        positions: count,
        fingerprint,
    }
}

fn small() -> Config {
    Config { width: 32, batch: 256, epochs: 4, warm_up: 5, lambda: 0.0, ..Config::default() }
}

fn checksum(path: &std::path::Path) -> u64 {
    Network::load(path).expect("a network").checksum()
}

/// A mirrored sample is what the mirror image of the board would give.
#[test]
fn mirrored_samples_are_mirror_images() {
    let mut central = 0;
    for packed in random_positions(500, 3) {
        let pos = packed.position().expect("a position");
        let image = Packed::new(&pos.mirror(), packed.label());
        let lists = |packed: &Packed, mirror: bool| {
            let mut batch = Batch::default();
            batch.clear();
            batch.push(packed, 6, TARGETS, mirror);
            let (own, other) = batch.lists(0);
            assert_eq!((own.len(), batch.len()), (other.len(), 1));
            let mut lists = [own.to_vec(), other.to_vec()];
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        };
        assert_eq!(lists(&packed, true), lists(&image, false), "{}", pos.fen());
        central += (lists(&packed, true) != lists(&packed, false)) as u32;
    }
    assert!(central > 100, "{central}");
    let mirrored = (0..10_000).filter(|&i| is_mirrored(1, 2, i)).count();
    assert!((4_700..5_300).contains(&mirrored), "{mirrored}");
}

#[test]
fn gradients_are_right() {
    for (buckets, seed) in [(1, 1), (6, 1), (6, 2)] {
        for (name, d) in gradcheck::TENSORS.iter().zip(gradcheck::run(buckets, seed)) {
            assert!(d.difference < 1e-4 && d.kernel < 1e-3, "{name}: {d:?}");
            assert!(d.checked >= if *name == "first layer" { 200 } else { 3 }, "{name}: {d:?}");
        }
    }
}

#[test]
fn kernels_give_the_value_of_the_reference() {
    let positions = random_positions(300, 6);
    let batch = plain_batch(&positions, 6, TARGETS);
    let mut model = Model::new(6, 32, 3);
    for _ in 0..20 {
        model.learn(&batch, 1e-2, 0.01);
    }
    let reference = reference(&model);
    model.forward(&batch);
    for (example, output) in examples(&positions, &batch).iter().zip(&model.outputs) {
        let expected = reference.output(&example.position);
        assert!((f64::from(*output) - expected).abs() < 1e-4, "{output} {expected}");
    }
}

#[test]
fn few_positions_are_learned_by_heart() {
    let positions = random_positions(256, 1);
    let batch = plain_batch(&positions, 6, TARGETS);
    let mut model = Model::new(6, 32, 1);
    let mut loss = 1.0;
    for step in 0..3_000 {
        let lr = if step < 1_500 { 3e-3 } else { 3e-4 };
        loss = model.learn(&batch, lr, 0.0);
        if loss < 1e-5 {
            return;
        }
    }
    panic!("loss {loss}");
}

#[test]
fn rules_are_found_and_noise_is_not() {
    let scratch = Scratch::new("rules");
    let config = Config { epochs: 8, lr: 3e-3, ..small() };
    let mean_error = |data: &Data| {
        // what the best constant would reach
        let chance = |packed: &Packed| sigmoid(f32::from(packed.label().score) / TARGETS.scale);
        let chances: Vec<f32> = data.validation.iter().map(chance).collect();
        let mean = chances.iter().sum::<f32>() / chances.len() as f32;
        chances.iter().map(|c| f64::from((c - mean).powi(2))).sum::<f64>() / chances.len() as f64
    };
    let rule = data(24_000, |_, packed| material(packed));
    let state = train::run(&config, &rule, &scratch.job("rule")).expect("a run");
    let (loss, _) = state.best.expect("an epoch");
    assert!(loss < 0.3 * mean_error(&rule), "{loss} of {}", mean_error(&rule));
    // the same labels dealt out at random: nothing must carry over to other positions
    let mut labels: Vec<i16> = rule.train.iter().map(|packed| packed.label().score).collect();
    chuhe_trainer::random::Random::new(1, 9).shuffle(&mut labels);
    let noise = Data { train: relabelled(&rule.train, |i, _| labels[i]), ..rule.clone() };
    let state = train::run(&config, &noise, &scratch.job("noise")).expect("a run");
    let (loss, _) = state.best.expect("an epoch");
    assert!(loss > 0.7 * mean_error(&rule), "{loss} of {}", mean_error(&rule));
}

#[test]
fn a_constant_is_learned_as_a_constant() {
    let scratch = Scratch::new("constant");
    let data = data(8_000, |_, _| 150);
    let config = Config { epochs: 30, lr: 3e-3, ..small() };
    train::run(&config, &data, &scratch.job("net")).expect("a run");
    let network = Network::load(&scratch.0.join("net")).expect("a network");
    let mut state = State::new(Arc::new(network));
    let value = |packed: &Packed| state.evaluate(&packed.position().expect("a position"));
    let values: Vec<i32> = data.validation.iter().map(value).collect();
    let mean = values.iter().sum::<i32>() / values.len() as i32;
    // features that hardly occur keep some of their first random weights
    let spread = values.iter().map(|value| (value - mean).abs()).sum::<i32>() / values.len() as i32;
    assert!((mean - 150).abs() < 5 && spread < 15, "mean {mean}, spread {spread}");
}

#[test]
fn the_same_run_gives_the_same_network() {
    let scratch = Scratch::new("same");
    let data = data(2_000, |_, packed| material(packed));
    let run = |name: &str, threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let config = Config { seed, ..small() };
        pool.install(|| train::run(&config, &data, &scratch.job(name))).expect("a run");
        checksum(&scratch.0.join(name))
    };
    let first = run("a", 1, 1);
    assert_eq!(first, run("b", 1, 1));
    assert_eq!(first, run("c", 3, 1));
    assert_ne!(first, run("d", 1, 2));
}

#[test]
fn a_run_goes_on_where_it_was_cut_off() {
    let scratch = Scratch::new("resume");
    let data = data(2_000, |_, packed| material(packed));
    train::run(&small(), &data, &scratch.job("whole")).expect("a run");
    for epoch in [1, 3] {
        let part = Job { stop_after: Some(epoch), ..scratch.job("part") };
        let state = train::run(&small(), &data, &part).expect("a run");
        assert_eq!(state.epoch, epoch);
    }
    let state = train::run(&small(), &data, &scratch.job("part")).expect("a run");
    assert_eq!(state.epoch, 4);
    let file = |name: &str| fs::read(scratch.0.join(name)).expect("a file");
    assert!(file("whole") == file("part"));
    assert!(file("whole.ckpt") == file("part.ckpt"));
    // another run must not take it for its own
    let other = Config { lambda: 0.5, ..small() };
    let error = train::run(&other, &data, &scratch.job("part")).expect_err("other settings");
    assert!(matches!(error, Error::OtherSettings(_)), "{error}");
    // damage is noticed
    let path = beside(&scratch.0.join("part"), ".ckpt");
    let mut bytes = file("part.ckpt");
    for at in [0, 9, 40, bytes.len() / 2, bytes.len() - 1] {
        bytes[at] ^= 4;
        fs::write(&path, &bytes).expect("written");
        assert!(checkpoint::load(&path).is_err(), "byte {at}");
        bytes[at] ^= 4;
    }
    fs::write(&path, &bytes[..bytes.len() - 20]).expect("written");
    assert!(checkpoint::load(&path).is_err());
}

/// The engine's whole numbers against the reference: what rounding costs.
#[test]
fn rounding_costs_little() {
    let scratch = Scratch::new("rounding");
    let data = data(12_000, |_, packed| material(packed));
    let config = Config { width: 64, epochs: 8, lr: 2e-3, ..small() };
    train::run(&config, &data, &scratch.job("net")).expect("a run");
    let (state, model) = checkpoint::load(&scratch.0.join("net.ckpt")).expect("a checkpoint");
    let parts = model.quantised(state.scale, String::new());
    let mut engine = State::new(Arc::new(Network::new(&parts).expect("a network")));
    let reference = reference(&model);
    let (mut sum, mut largest, mut clear, mut wrong) = (0.0, 0.0f64, 0, 0);
    let positions: Vec<_> = data.train.iter().filter_map(|packed| packed.position()).collect();
    for pos in &positions {
        let (exact, value) = (reference.output(pos) * 300.0, f64::from(engine.evaluate(pos)));
        sum += (exact - value).abs();
        largest = largest.max((exact - value).abs());
        if exact.abs() > 30.0 {
            clear += 1;
            wrong += (exact * value <= 0.0) as u32;
        }
    }
    let mean = sum / positions.len() as f64;
    assert!(positions.len() > 10_000 && clear > 1_000, "{clear} of {}", positions.len());
    assert!(mean < 2.0 && largest < 12.0, "mean {mean}, largest {largest}");
    assert!(f64::from(wrong) < 0.001 * f64::from(clear), "{wrong} of {clear}");
}

#[test]
fn errors_are_means_over_positions() {
    let positions =
        relabelled(&random_positions(64, 2), |i, _| if i % 2 == 0 { 300 } else { -300 });
    let mut model = Model::new(1, 32, 1);
    let all = measure::errors(&mut model, &positions, TARGETS);
    assert_eq!(all.positions, 64);
    let chance = f64::from(sigmoid(1.0));
    assert!((all.search - (chance - 0.5).powi(2)).abs() < 1e-6, "{all:?}");
    let batch = plain_batch(&positions, 1, TARGETS);
    let loss = reference(&model).loss(&examples(&positions, &batch));
    assert!((all.loss - loss).abs() < 1e-6 && (all.score - loss).abs() < 1e-6, "{all:?} {loss}");
}
