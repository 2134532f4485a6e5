//! `chuhe perft`: counts the leaves of the move tree, to prove the generator and to time it.
//!
//! The counting functions also serve `go perft`; the protocol prints their results itself.

mod count;
mod epd;
mod replies;
mod suite;
mod table;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::position::Position;
use crate::types::Move;

pub use count::{MAX_DEPTH, MAX_THREADS, Perft, SetupError, count, divide, divide_until};
pub use epd::{EpdError, EpdLine};

/// Arguments of `chuhe perft`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Plies to count; 0 counts the position itself
    #[arg(
        required_unless_present = "suite",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH))
    )]
    depth: Option<u32>,
    /// Position to count from; the start position when left out
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    fen: Option<String>,
    /// Show the count below each move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Check files of known counts; without a file perft-data/*.epd, or the built-in list
    #[arg(long, value_name = "FILE", num_args = 0.., conflicts_with = "depth")]
    suite: Option<Vec<PathBuf>>,
    /// Leave out known counts above this many nodes
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth")]
    max_nodes: Option<u64>,
    /// Threads to count with
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS))
    )]
    threads: u16,
    /// Size of the table of counted positions in MiB; 0 for none
    #[arg(
        long,
        value_name = "MB",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1 << 20)
    )]
    hash: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command: status 0 when all is well, 1 when a count is wrong or a file unreadable, 2 for
/// bad arguments.
pub fn run(args: &Args) -> ExitCode {
    let perft = match Perft::new(args.threads, args.hash) {
        Ok(perft) => perft,
        Err(error) => return fail(&error.to_string(), 1),
    };
    let written = match (&args.suite, args.depth) {
        (Some(files), _) => {
            suite::run(files, args.max_nodes.unwrap_or(u64::MAX), args.json, &perft)
        }
        (None, depth) => {
            let pos = match args.fen.as_deref().map_or(Ok(Position::startpos()), Position::from_fen)
            {
                Ok(pos) => pos,
                Err(error) => return fail(&error.to_string(), 2),
            };
            single(&pos, depth.unwrap_or(1), args, &perft).map(|()| ExitCode::SUCCESS)
        }
    };
    match written {
        Ok(code) => code,
        // The reader of a pipe may leave early (`| head`): that is no failure of ours.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write: {error}"), 1),
    }
}

fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("chuhe perft: {message}");
    ExitCode::from(code)
}

/// Counts one position and prints the result.
fn single(pos: &Position, depth: u32, args: &Args, perft: &Perft) -> io::Result<()> {
    let start = Instant::now();
    let moves = if args.divide { perft.divide(pos, depth) } else { Vec::new() };
    let nodes = if args.divide && depth > 0 {
        moves.iter().map(|&(_, nodes)| nodes).sum()
    } else {
        perft.count(pos, depth)
    };
    let time = start.elapsed();
    let mut out = io::stdout().lock();
    if args.json {
        let mut object = json!({
            "fen": pos.fen(),
            "depth": depth,
            "nodes": nodes,
            "time_ms": milliseconds(time),
            "nps": speed(nodes, time),
        });
        if args.divide {
            object["moves"] = divide_object(&moves);
        }
        return writeln!(out, "{object}");
    }
    for (mv, nodes) in &moves {
        writeln!(out, "{mv}: {nodes}")?;
    }
    if args.divide {
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {nodes}")?;
    writeln!(out, "Time: {:.3} s", time.as_secs_f64())?;
    writeln!(out, "Nodes/s: {}", speed(nodes, time))
}

fn divide_object(moves: &[(Move, u64)]) -> serde_json::Value {
    moves.iter().map(|&(mv, nodes)| (mv.to_string(), json!(nodes))).collect()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Nodes per second, 0 when no time has passed.
fn speed(nodes: u64, time: Duration) -> u64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 }
}
