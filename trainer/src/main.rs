//! The command line of the trainer.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use chuhe::eval::nnue::Network;
use chuhe_trainer::checkpoint;
use chuhe_trainer::data::Data;
use chuhe_trainer::train::{self, Config, Job};
use chuhe_trainer::{Error, gradcheck, measure};
use clap::{Parser, Subcommand};

/// Trains networks for Chuhe from game archives.
#[derive(Parser, Debug)]
#[command(name = "chuhe-trainer", version)]
struct Cli {
    /// Threads to compute with; the result does not depend on it
    #[arg(long, global = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Train a network; a run that was cut off goes on
    Train(Train),
    /// Measure the errors of a network on archives
    Eval(Eval),
    /// Make a network file of a checkpoint
    Export(Export),
    /// Compare the gradients with differences and with double precision
    Gradcheck {
        /// Seed of network and positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure how many positions a second are learned from
    Bench {
        /// Widths to measure
        #[arg(long, num_args = 1.., default_values_t = [64, 128, 256, 512])]
        width: Vec<usize>,
        /// King buckets
        #[arg(long, default_value_t = 6)]
        buckets: usize,
        /// Seconds for each
        #[arg(long, default_value_t = 3.0)]
        seconds: f64,
    },
}

#[derive(clap::Args, Debug)]
struct Train {
    /// Game archives, the oldest first
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Network to write; checkpoint and log get its name with .ckpt and .log
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Neurons of the first layer for one side
    #[arg(long, default_value_t = Config::default().width)]
    width: usize,
    /// King buckets, 1 or 6
    #[arg(long, default_value_t = Config::default().buckets)]
    buckets: usize,
    /// Times all positions are seen
    #[arg(long, default_value_t = Config::default().epochs)]
    epochs: u32,
    /// Positions of a step
    #[arg(long, default_value_t = Config::default().batch)]
    batch: usize,
    /// Share of the game result in the target
    #[arg(long, default_value_t = Config::default().lambda)]
    lambda: f32,
    /// Learning rate after the warm-up
    #[arg(long, default_value_t = Config::default().lr)]
    lr: f32,
    /// Learning rate of the last step
    #[arg(long, default_value_t = Config::default().lr_end)]
    lr_end: f32,
    /// Steps until the full learning rate
    #[arg(long, default_value_t = Config::default().warm_up)]
    warm_up: u64,
    /// Weight decay
    #[arg(long, default_value_t = Config::default().decay)]
    decay: f32,
    /// Seed of weights, order and validation games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Centipawns for an output of 1; fitted to the data when left out
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    scale: Option<i32>,
}

#[derive(clap::Args, Debug)]
struct Eval {
    /// Network to measure
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Game archives
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Share of the game result in the target
    #[arg(long, default_value_t = Config::default().lambda)]
    lambda: f32,
    /// Seed of the run, to measure its validation games only
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(clap::Args, Debug)]
struct Export {
    /// Checkpoint to read
    #[arg(long, value_name = "FILE")]
    checkpoint: PathBuf,
    /// Network to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info")).init();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(cli.threads)).build_global();
    if let Err(error) = pool {
        log::warn!("{error}");
    }
    let done = match cli.command {
        Command::Train(args) => train(&args),
        Command::Eval(args) => eval(&args),
        Command::Export(args) => export(&args),
        Command::Gradcheck { seed } => return gradcheck(seed),
        Command::Bench { width, buckets, seconds } => bench(&width, buckets, seconds),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe-trainer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn train(args: &Train) -> Result<(), Error> {
    let config = Config {
        width: args.width,
        buckets: args.buckets,
        epochs: args.epochs,
        batch: args.batch,
        lambda: args.lambda,
        lr: args.lr,
        lr_end: args.lr_end,
        warm_up: args.warm_up,
        decay: args.decay,
        seed: args.seed,
    };
    config.check()?;
    let data = Data::load(&args.data, args.seed)?;
    let (kept, all) = (data.train.len() + data.validation.len(), data.positions);
    log::info!(
        "{} games, {all} positions: {} to train, {} to validate ({:.1} % kept)",
        data.games,
        data.train.len(),
        data.validation.len(),
        100.0 * kept as f64 / all.max(1) as f64
    );
    let names: Vec<String> = args.data.iter().map(|path| file_name(path)).collect();
    let job = Job {
        out: args.out.clone(),
        scale: args.scale,
        provenance: format!("{} games of {}", data.games, names.join(" ")),
        stop_after: None,
        progress: true,
    };
    let state = train::run(&config, &data, &job)?;
    if let Some((loss, epoch)) = state.best {
        let path = args.out.display();
        log::info!("{path}: validation {loss:.6} after epoch {epoch}, scale {}", state.scale);
    }
    Ok(())
}

fn file_name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn eval(args: &Eval) -> Result<(), Error> {
    let network = Network::load(&args.net).map_err(|e| Error::Network(args.net.clone(), e))?;
    let data = Data::load(&args.data, args.seed.unwrap_or(0))?;
    let mut positions = data.validation;
    if args.seed.is_none() {
        positions.extend_from_slice(&data.train);
    }
    let errors = measure::network_errors(Arc::new(network), &positions, args.lambda);
    println!("{}", serde_json::to_string_pretty(&errors).unwrap_or_default());
    Ok(())
}

fn export(args: &Export) -> Result<(), Error> {
    let (state, model) = checkpoint::load(&args.checkpoint)?;
    train::export(&model, &state, &file_name(&args.checkpoint), &args.out)
}

fn gradcheck(seed: u64) -> ExitCode {
    let mut good = true;
    for buckets in [1, 6] {
        for (name, d) in gradcheck::TENSORS.iter().zip(gradcheck::run(buckets, seed)) {
            println!(
                "{buckets} buckets, {name:12}: difference {:.1e}, kernel {:.1e} ({} weights)",
                d.difference, d.kernel, d.checked
            );
            good &= d.difference < 1e-4 && d.kernel < 1e-3;
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Width and million positions a second of one Zen 4 core with 6 buckets and batches of 16,384: what
/// the design was chosen for. Two threads should reach 1.8 times as much.
const REFERENCE: [(usize, f64); 4] = [(64, 1.16), (128, 0.73), (256, 0.47), (512, 0.25)];

fn bench(widths: &[usize], buckets: usize, seconds: f64) -> Result<(), Error> {
    for &width in widths {
        Config { width, buckets, ..Config::default() }.check()?;
        let (learned, prepared) = measure::throughput(buckets, width, 16_384, seconds);
        let reference = REFERENCE.iter().find(|&&(reference, _)| reference == width);
        let ratio = reference.map_or(String::new(), |&(_, speed)| {
            format!(", {:.2} of the reference", learned / 1e6 / speed)
        });
        println!(
            "width {width:4}: {:.3} M positions/s learned{ratio}, {:.3} M/s prepared",
            learned / 1e6,
            prepared / 1e6
        );
    }
    Ok(())
}
