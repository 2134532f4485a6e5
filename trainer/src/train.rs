//! A training run: epochs, schedule, validation, what is written.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use chuhe::eval::nnue::{MAX_WIDTH, Network};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::batch::{Batch, Targets, is_mirrored};
use crate::checkpoint::{self, State};
use crate::data::Data;
use crate::measure::{self, Errors};
use crate::model::Model;
use crate::random::Random;

/// Batches that wait for the model.
const QUEUE: usize = 2;

/// What decides the outcome of a run, beside the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Neurons of the first layer for one perspective: a multiple of 32.
    pub width: usize,
    /// King buckets, 1 or 6.
    pub buckets: usize,
    /// Times all positions are seen.
    pub epochs: u32,
    /// Positions of a step.
    pub batch: usize,
    /// Share of the game result in the target, 0..=1.
    pub lambda: f32,
    /// Learning rate after the warm-up.
    pub lr: f32,
    /// Learning rate of the last step.
    pub lr_end: f32,
    /// Steps until the full learning rate.
    pub warm_up: u64,
    /// Weight decay.
    pub decay: f32,
    /// Seed of the weights, the order and the split.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            width: 64,
            buckets: 6,
            epochs: 15,
            batch: 16_384,
            lambda: 0.1,
            lr: 1e-3,
            lr_end: 2e-5,
            warm_up: 100,
            decay: 0.01,
            seed: 1,
        }
    }
}

impl Config {
    /// # Errors
    /// When a setting is out of range.
    pub fn check(&self) -> Result<(), Error> {
        let fits = |ok: bool, what| if ok { Ok(()) } else { Err(Error::Settings(what)) };
        fits(matches!(self.buckets, 1 | 6), "buckets must be 1 or 6")?;
        let width = self.width.is_multiple_of(32) && (32..=MAX_WIDTH).contains(&self.width);
        fits(width, "width must be a multiple of 32, at most 2048")?;
        fits(self.epochs > 0, "there must be an epoch")?;
        fits((1..=1 << 20).contains(&self.batch), "batch must be 1..=1048576")?;
        fits((0.0..=1.0).contains(&self.lambda), "lambda must be 0..=1")?;
        let rates = [self.lr, self.lr_end, self.decay];
        fits(rates.iter().all(|rate| (0.0..1.0).contains(rate)), "rates must be 0..1")
    }

    /// The learning rate of a step, counted from 0: a warm-up, then half a cosine.
    pub fn rate(&self, step: u64, total: u64) -> f32 {
        if step < self.warm_up {
            return self.lr * (step + 1) as f32 / self.warm_up as f32;
        }
        let length = total.saturating_sub(self.warm_up).max(1) as f64;
        let angle = std::f64::consts::PI * (step - self.warm_up) as f64 / length;
        let share = (1.0 + angle.min(std::f64::consts::PI).cos()) / 2.0;
        self.lr_end + (self.lr - self.lr_end) * share as f32
    }
}

/// What a run is given beside its settings.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where the network goes; checkpoint and log lie beside it.
    pub out: PathBuf,
    /// Centipawns for an output of 1; fitted to the data when `None`.
    pub scale: Option<i32>,
    /// Where the data comes from, for the description in the network.
    pub provenance: String,
    /// Stop after this epoch although more are planned.
    pub stop_after: Option<u32>,
    /// Show a progress bar.
    pub progress: bool,
}

/// An epoch in the log.
#[derive(Clone, Debug, Serialize)]
struct LogLine {
    epoch: u32,
    train_loss: f64,
    validation: Errors,
    best: bool,
    lr: f32,
    positions_per_second: f64,
}

/// The same path with something appended to its name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Trains a network, or goes on with a run that was cut off. The best network by validation loss is
/// at `job.out` in the end; returns the state of the run.
///
/// # Errors
/// When settings make no sense, a file cannot be written, or a checkpoint belongs to another run.
pub fn run(config: &Config, data: &Data, job: &Job) -> Result<State, Error> {
    config.check()?;
    let path = beside(&job.out, ".ckpt");
    let scale = job.scale.unwrap_or_else(|| data.fit_scale());
    let (mut state, mut model) = if path.exists() {
        let (state, model) = checkpoint::load(&path)?;
        if state.config != *config || state.data != data.fingerprint || state.scale != scale {
            return Err(Error::OtherSettings(path));
        }
        (state, model)
    } else {
        let config = config.clone();
        let model = Model::new(config.buckets, config.width, config.seed);
        let data = data.fingerprint;
        (State { config, scale, data, epoch: 0, steps: 0, best: None }, model)
    };
    let last = job.stop_after.unwrap_or(config.epochs).min(config.epochs);
    while state.epoch < last {
        let started = Instant::now();
        let train_loss = epoch(&mut model, &state, data, job);
        let speed = data.train.len() as f64 / started.elapsed().as_secs_f64();
        state.epoch += 1;
        state.steps = model.steps;
        let targets = Targets { lambda: config.lambda, scale: scale as f32 };
        let validation = measure::errors(&mut model, &data.validation, targets);
        let best = state.best.is_none_or(|(loss, _)| validation.loss < loss);
        if best {
            state.best = Some((validation.loss, state.epoch));
            export(&model, &state, &job.provenance, &job.out)?;
        }
        let line = LogLine {
            epoch: state.epoch,
            train_loss,
            validation,
            best,
            lr: config.rate(state.steps, total_steps(config, data)),
            positions_per_second: speed.round(),
        };
        record(&job.out, &line)?;
        // the checkpoint comes last: a run cut off before it repeats the epoch
        checkpoint::save(&path, &state, &mut model)?;
    }
    Ok(state)
}

/// Writes a model as a network file.
///
/// # Errors
/// When the file cannot be written.
pub fn export(model: &Model, state: &State, provenance: &str, out: &Path) -> Result<(), Error> {
    let settings = serde_json::to_string(&state.config).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let (epoch, data) = (state.epoch, state.data);
    let description = format!(
        "chuhe-trainer {version}; epoch {epoch}; data {data:016x} {provenance}; {settings}"
    );
    let network = Network::new(&model.quantised(state.scale, description))
        .map_err(|error| Error::Network(out.to_path_buf(), error))?;
    checkpoint::replace(out, &network.to_bytes())
}

fn record(out: &Path, line: &LogLine) -> Result<(), Error> {
    let path = beside(out, ".log");
    let text = serde_json::to_string(line).unwrap_or_default();
    let Errors { score, result, search, .. } = line.validation;
    log::info!(
        "epoch {}: loss {:.6}, validation {:.6} (score {score:.6}, result {result:.6}, search \
         {search:.6}){}, {:.0} positions/s",
        line.epoch,
        line.train_loss,
        line.validation.loss,
        if line.best { ", the best" } else { "" },
        line.positions_per_second
    );
    let mut options = std::fs::OpenOptions::new();
    let file = options.create(true).append(true).open(&path);
    file.and_then(|mut file| writeln!(file, "{text}")).map_err(Error::file(&path))
}

fn steps_per_epoch(config: &Config, data: &Data) -> usize {
    data.train.len().div_ceil(config.batch).max(1)
}

fn total_steps(config: &Config, data: &Data) -> u64 {
    steps_per_epoch(config, data) as u64 * u64::from(config.epochs)
}

/// Sees all positions once in random order; returns the mean loss.
fn epoch(model: &mut Model, state: &State, data: &Data, job: &Job) -> f64 {
    let config = &state.config;
    let steps = steps_per_epoch(config, data);
    let total = total_steps(config, data);
    let size = data.train.len().div_ceil(steps);
    let targets = Targets { lambda: config.lambda, scale: state.scale as f32 };
    let mut order: Vec<u32> = (0..data.train.len() as u32).collect();
    Random::new(config.seed, 1_000 + u64::from(state.epoch)).shuffle(&mut order);
    let bar = if job.progress { ProgressBar::new(steps as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    bar.set_prefix(format!("epoch {}/{}", state.epoch + 1, config.epochs));
    let mut losses = 0.0;
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(QUEUE);
        let (back, spent) = sync_channel::<Batch>(QUEUE + 2);
        scope.spawn(move || {
            for part in order.chunks(size) {
                let mut batch = spent.try_recv().unwrap_or_default();
                batch.clear();
                for &index in part {
                    let mirror = is_mirrored(config.seed, state.epoch, index);
                    batch.push(&data.train[index as usize], config.buckets, targets, mirror);
                }
                if send.send(batch).is_err() {
                    return;
                }
            }
        });
        for batch in receive {
            let loss = model.learn(&batch, config.rate(model.steps, total), config.decay);
            losses += loss * batch.len() as f64;
            bar.set_message(format!("loss {loss:.5}"));
            bar.inc(1);
            let _ = back.try_send(batch);
        }
    });
    bar.finish_and_clear();
    losses / data.train.len() as f64
}
