//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::{analyze, bench, datagen, perft};

/// A xiangqi engine that speaks UCCI and UCI.
///
/// Without a command it reads protocol lines from standard input, as graphical interfaces expect.
#[derive(Parser, Debug)]
#[command(name = "chuhe", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Analyse a position and show board, scores and lines
    Analyze(analyze::Args),
    /// Search a fixed set of positions and print node total and speed
    Bench(bench::Args),
    /// Play games against itself as training data for networks
    Datagen(datagen::Args),
    /// Count leaf nodes of the move generator
    Perft(perft::Args),
}

/// Runs the program; the only entry point of `main`.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        None => crate::protocol::serve(),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
    }
}
