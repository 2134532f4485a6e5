//! `chuhe bench`: a fixed amount of work whose node total identifies what the search does and whose
//! speed compares machines.

use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::bench_positions::POSITIONS;
use crate::eval::nnue::{NetError, Network};
use crate::position::{FenError, Position};
use crate::rules::{Game, RuleSet};
use crate::search::{Control, Job, Limits, NodeCounters, Silent, Worker};
use crate::tt::{OutOfMemory, Table};

/// Arguments of `chuhe bench`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Depth of every search
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    /// Search threads; only one thread gives the same node total every time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Hash table in MB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
    /// Rule set of the searches
    #[arg(long, default_value = "wxf", value_parser = rule_set)]
    pub rules: RuleSet,
    /// Network to evaluate with instead of the built-in evaluation
    #[arg(long)]
    pub net: Option<PathBuf>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
}

fn rule_set(name: &str) -> Result<RuleSet, String> {
    let names = || RuleSet::names().collect::<Vec<_>>().join(", ");
    RuleSet::by_name(name).ok_or_else(|| format!("no such rule set; there are {}", names()))
}

/// Chosen so that one core needs a few seconds.
const DEFAULT_DEPTH: u32 = 15;

impl Default for Args {
    fn default() -> Args {
        Args {
            depth: DEFAULT_DEPTH,
            threads: 1,
            hash: 16,
            rules: RuleSet::default(),
            net: None,
            json: false,
        }
    }
}

/// What the searches of a run add up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Positions searched.
    pub positions: usize,
    /// Nodes of all searches and threads.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl Totals {
    /// Nodes per second; a run too short to measure counts as a microsecond.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// Why a run could not take place.
#[derive(Debug)]
pub enum BenchError {
    /// No memory for the hash table.
    Memory(OutOfMemory),
    /// A network file cannot be used.
    Network(PathBuf, NetError),
    /// An embedded position is damaged.
    Fen(&'static str, FenError),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Memory(err) => err.fmt(f),
            BenchError::Network(path, err) => write!(f, "{} {err}", path.display()),
            BenchError::Fen(fen, err) => write!(f, "{fen}: {err}"),
        }
    }
}

impl std::error::Error for BenchError {}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let report = |number: usize, fen: &str, nodes: u64| {
        eprintln!("{number:2}/{} {nodes:>10} {fen}", POSITIONS.len());
    };
    match search_all(args, report) {
        Ok(totals) => {
            print_totals(args, &totals);
            ExitCode::SUCCESS
        }
        Err(err) => {
            eprintln!("bench: {err}");
            ExitCode::FAILURE
        }
    }
}

/// The last line is the one OpenBench reads; the two before it suit people and older scripts.
/// A reader that has gone away is no error.
fn print_totals(args: &Args, totals: &Totals) {
    let (nodes, nps) = (totals.nodes, totals.nps());
    let text = if args.json {
        serde_json::json!({
            "depth": args.depth,
            "threads": args.threads,
            "hash": args.hash,
            "positions": totals.positions,
            "nodes": nodes,
            "milliseconds": totals.time.as_millis() as u64,
            "nps": nps,
        })
        .to_string()
    } else {
        format!("Nodes searched: {nodes}\nNodes/second: {nps}\n{nodes} nodes {nps} nps")
    };
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Searches all bench positions with an empty table and fresh workers, and tells `progress` the
/// number (from 1), FEN and nodes of each. With one thread the node total depends on depth and hash
/// size alone.
///
/// # Errors
/// When the hash table does not fit into memory or the network cannot be read.
pub fn search_all(
    args: &Args,
    mut progress: impl FnMut(usize, &str, u64),
) -> Result<Totals, BenchError> {
    let table = Arc::new(Table::new(args.hash as usize).map_err(BenchError::Memory)?);
    let counters = Arc::new(NodeCounters::new(usize::from(args.threads)));
    let mut workers: Vec<Worker> = (0..usize::from(args.threads))
        .map(|id| Worker::new(id, Arc::clone(&table), Arc::clone(&counters)))
        .collect();
    if let Some(path) = &args.net {
        let network = Network::load(path).map_err(|err| BenchError::Network(path.clone(), err))?;
        let network = Arc::new(network);
        workers.iter_mut().for_each(|worker| worker.set_network(Some(Arc::clone(&network))));
    }
    let mut totals = Totals { positions: 0, nodes: 0, time: Duration::ZERO };
    for (i, &fen) in POSITIONS.iter().enumerate() {
        let pos = Position::from_fen(fen).map_err(|err| BenchError::Fen(fen, err))?;
        let job = Job {
            root_moves: pos.legal_moves(),
            game: Game::new(pos),
            limits: Limits { depth: Some(args.depth), ..Limits::default() },
            multipv: 1,
            rules: args.rules,
        };
        table.age();
        counters.reset();
        let started = Instant::now();
        search_one(&mut workers, &job);
        totals.time += started.elapsed();
        totals.nodes += counters.total();
        totals.positions += 1;
        progress(i + 1, fen, counters.total());
    }
    Ok(totals)
}

/// Runs one job on all workers; the first one ends it.
fn search_one(workers: &mut [Worker], job: &Job) {
    let control = Control::new(false);
    let Some((main, helpers)) = workers.split_first_mut() else { return };
    std::thread::scope(|scope| {
        for helper in helpers {
            scope.spawn(|| helper.search(job, &control, &mut Silent));
        }
        main.search(job, &control, &mut Silent);
        control.stop();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_legal_and_distinct() {
        for (i, fen) in POSITIONS.iter().enumerate() {
            let pos = Position::from_fen(fen).unwrap_or_else(|err| panic!("{fen}: {err}"));
            assert!(pos.has_legal_move(), "{fen}");
            assert!(!POSITIONS[..i].contains(fen), "twice: {fen}");
        }
        assert!(POSITIONS.iter().any(|fen| Position::from_fen(fen).unwrap().in_check()));
    }

    #[test]
    fn speed_of_no_time_is_finite() {
        let totals = Totals { positions: 1, nodes: 10, time: Duration::ZERO };
        assert_eq!(totals.nps(), 10_000_000);
    }
}
