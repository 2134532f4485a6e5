//! The `chuhe` binary: everything lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    chuhe::tools::cli::run()
}
