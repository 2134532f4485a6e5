//! `chuhe analyze`.

use std::process::ExitCode;

/// Arguments of `chuhe analyze`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> ExitCode {
    ExitCode::SUCCESS
}
