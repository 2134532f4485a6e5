//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::{analyze, archive, arena, bench, datagen, judge, perft, solve, tunables};

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
    /// Convert game archives, the training data of networks
    Archive(archive::Args),
    /// Search a fixed set of positions and print node total and speed
    Bench(bench::Args),
    /// Say what a rule set makes of a game, and why
    Judge(Box<judge::Args>),
    /// Play a match between engines and judge it
    Match(Box<arena::Args>),
    /// Add up the results of the parts of a match
    Merge(arena::merge::Args),
    /// Play games against itself as training data for networks
    Datagen(datagen::Args),
    /// Count leaf nodes of the move generator
    Perft(perft::Args),
    /// Solve files of test positions: mates, endings, best moves
    Solve(solve::Args),
    /// List the constants of the search that a build with the feature `tune` has as options
    Tunables(tunables::Args),
}

/// Runs the program; the only entry point of `main`.
pub fn run() -> ExitCode {
    start_logging();
    match Cli::parse().command {
        None => crate::protocol::serve(),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Archive(args)) => archive::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Judge(args)) => judge::run(&args),
        Some(Command::Match(args)) => arena::run(&args),
        Some(Command::Merge(args)) => arena::merge::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Tunables(args)) => tunables::run(&args),
    }
}

/// Diagnostics go to standard error, and only for those who ask: clients that start an engine do not
/// read them.
fn start_logging() {
    let asked = |name: &&str| std::env::var_os(name).is_some();
    if let Some(name) = ["CHUHE_LOG", "RUST_LOG"].into_iter().find(asked) {
        env_logger::Builder::from_env(name).init();
    }
}
