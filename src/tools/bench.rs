//! `chuhe bench`.

use std::process::ExitCode;

/// Arguments of `chuhe bench`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> ExitCode {
    ExitCode::SUCCESS
}
