//! `chuhe tunables`: the constants of the search, for people and for tuners.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::search::{TUNABLES, Tunable};

/// Arguments of the command.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Lines for OpenBench's SPSA: name, int, default, min, max, last step, last rate
    #[arg(long, conflicts_with = "json")]
    openbench: bool,
}

/// A tuner's last step in parts of the range, as OpenBench's authors advise.
const LAST_STEP: f64 = 1.0 / 20.0;
/// A tuner's last learning rate, from the same source.
const LAST_RATE: f64 = 0.002;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    default: i32,
    min: i32,
    max: i32,
    /// How far the last iterations of a tuner should step to either side.
    step: f64,
}

impl Row {
    fn new(tunable: &Tunable) -> Row {
        let (min, max) = (*tunable.range.start(), *tunable.range.end());
        let step = (f64::from(max - min) * LAST_STEP).max(0.5);
        Row { name: tunable.name, default: tunable.default, min, max, step }
    }
}

/// Prints the list. A reader that has gone away is no error.
pub(super) fn run(args: &Args) -> ExitCode {
    let rows: Vec<Row> = TUNABLES.iter().map(|tunable| Row::new(tunable)).collect();
    let line = |row: &Row| {
        let Row { name, default, min, max, step } = row;
        if args.json {
            serde_json::json!(row).to_string()
        } else if args.openbench {
            format!("{name}, int, {default}, {min}, {max}, {step}, {LAST_RATE}")
        } else {
            format!("{name:24} {default:8} {min:8} {max:8} {step:8.2}")
        }
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if !args.json && !args.openbench {
        lines.insert(
            0,
            format!("{:24} {:>8} {:>8} {:>8} {:>8}", "name", "default", "min", "max", "step"),
        );
    }
    let _ = writeln!(std::io::stdout(), "{}", lines.join("\n"));
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_neither_nothing_nor_the_whole_range() {
        for row in TUNABLES.iter().map(|tunable| Row::new(tunable)) {
            let range = f64::from(row.max - row.min);
            assert!(row.step > 0.0 && row.step <= range / 2.0, "{}", row.name);
        }
    }
}
