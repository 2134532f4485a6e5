//! `chuhe datagen`: games of the engine against itself, as training data for networks.
//!
//! Game `k` of a shard depends on seed, shard, `k` and the settings alone; games are written in that
//! order. So a run may be cut off at any moment and continued by the same command, and gives the same
//! file with any number of threads. The same holds for relabelling, where game `k` is that of the
//! archives read.

mod opening;
mod play;
mod relabel;
mod report;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::common::stop_on_interrupt;
use crate::eval::nnue::{NetError, Network};
use crate::record::archive::{ArchiveError, Flags, Format, Game, Header, Writer};
use crate::tt::OutOfMemory;
pub use opening::Openings;
use play::{Player, Random};
pub use relabel::relabel;
pub use report::{fit_scale, result_error};

/// The search grows the stack by one frame for each ply.
const STACK_BYTES: usize = 32 << 20;

/// Arguments of `chuhe datagen`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Archive to write; an existing one of the same settings is continued
    #[arg(long, value_name = "FILE", required_unless_present = "report")]
    pub out: Option<PathBuf>,
    /// Games the archive is to have in the end
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub games: u64,
    /// Nodes a move; an iteration under way is finished
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Seed of the openings; never use one twice
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Part of a generation spread over several archives: 0/4 is the first of four
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    pub shard: Shard,
    /// How games begin
    #[arg(long, value_enum, default_value = "mix")]
    pub openings: Openings,
    /// Network to play with; the hand-made evaluation when left out
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// Hash table of each thread in MB
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
    /// Format of a new archive; one that is continued keeps its own
    #[arg(long, value_enum, default_value = "xgr1")]
    pub format: Format,
    /// Search the positions of these archives again instead of playing, the oldest first: games and
    /// results stay, scores become those of --net and --nodes
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["report", "games", "seed", "shard", "openings"])]
    pub relabel: Vec<PathBuf>,
    /// Check archives and print what is in them instead
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "out")]
    pub report: Vec<PathBuf>,
}

/// Part `index` of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: u8,
    count: u8,
}

impl std::str::FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        const EXPECTED: &str = "expected I/N with I below N, N at most 255";
        let (index, count) = text.split_once('/').ok_or(EXPECTED)?;
        let shard = Shard {
            index: index.parse().map_err(|_| EXPECTED)?,
            count: count.parse().map_err(|_| EXPECTED)?,
        };
        if shard.index < shard.count { Ok(shard) } else { Err(EXPECTED) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// Why a run ended early.
#[derive(Debug)]
pub enum DatagenError {
    /// The archive cannot be written or continued.
    Archive(PathBuf, ArchiveError),
    /// The network cannot be used.
    Network(PathBuf, NetError),
    /// No memory for the hash tables.
    Memory(OutOfMemory),
    /// The system refuses a thread.
    Thread(std::io::Error),
}

impl fmt::Display for DatagenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatagenError::Archive(path, error) => write!(f, "{}: {error}", path.display()),
            DatagenError::Network(path, error) => write!(f, "{} {error}", path.display()),
            DatagenError::Memory(error) => error.fmt(f),
            DatagenError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for DatagenError {}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    if !args.report.is_empty() {
        return report::run(&args.report);
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    stop_on_interrupt(move || flag.store(true, Relaxed));
    let Some(out) = &args.out else { return ExitCode::FAILURE };
    let done = if args.relabel.is_empty() {
        generate(args, out.clone(), &interrupted)
    } else {
        relabel(args, out.clone(), &interrupted)
    };
    match done {
        Ok(games) => {
            eprintln!("{}: {games} games", out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("chuhe datagen: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Fills the archive up to `args.games` games, or until `interrupted` is set; returns how many it
/// has.
///
/// # Errors
/// When a file or memory fails; what was written until then is kept.
pub fn generate(args: &Args, out: PathBuf, interrupted: &AtomicBool) -> Result<u64, DatagenError> {
    let network = network(args)?;
    let header = Header {
        shard: args.shard.index,
        shards: args.shard.count,
        seed: args.seed,
        network: network.as_ref().map_or(0, |network| network.checksum()),
        nodes: args.nodes,
        scale: network.as_ref().map_or(0, |network| network.scale() as u32),
        flags: match args.openings {
            Openings::Mix => Flags::MIXED_OPENINGS,
            Openings::Random => Flags::empty(),
        },
    };
    let failed = |error| DatagenError::Archive(out.clone(), error);
    let (writer, done, positions) = Writer::open(&out, header, args.format).map_err(failed)?;
    let progress = Progress::new(Some(args.games), done, positions);
    let next = AtomicU64::new(done);
    let number = |k: u64| k * u64::from(args.shard.count) + u64::from(args.shard.index);
    let make = |player: &mut Player| {
        let k = next.fetch_add(1, Relaxed);
        (k < args.games).then(|| (k, player.game(Random::new(args.seed, number(k)), args.openings)))
    };
    let players = players(args, network.as_ref())?;
    Output { path: out, writer, progress }.fill(players, make, interrupted)
}

/// The network asked for.
fn network(args: &Args) -> Result<Option<Arc<Network>>, DatagenError> {
    let Some(path) = &args.net else { return Ok(None) };
    let network = Network::load(path);
    Ok(Some(Arc::new(network.map_err(|error| DatagenError::Network(path.clone(), error))?)))
}

/// A player for each thread.
fn players(args: &Args, network: Option<&Arc<Network>>) -> Result<Vec<Player>, DatagenError> {
    let new = |_| Player::new(u64::from(args.nodes), args.hash, network.cloned());
    (0..args.threads).map(new).collect::<Result<_, _>>().map_err(DatagenError::Memory)
}

/// The archive that is being written.
struct Output {
    path: PathBuf,
    writer: Writer,
    progress: Progress,
}

impl Output {
    /// Has each player make games on a thread of its own, until there are none left or `interrupted`
    /// is set, and writes them in the order of their numbers, as far as they come without a gap. The
    /// next number is that of the games written before. Returns how many there are in the end.
    fn fill(
        mut self,
        players: Vec<Player>,
        make: impl Fn(&mut Player) -> Option<(u64, Game)> + Sync,
        interrupted: &AtomicBool,
    ) -> Result<u64, DatagenError> {
        let work = |mut player: Player, games: SyncSender<(u64, Game)>| {
            while !interrupted.load(Relaxed) {
                let Some(game) = make(&mut player) else { break };
                if games.send(game).is_err() {
                    break; // the archive cannot be written any more
                }
            }
        };
        thread::scope(|scope| {
            let (send, receive) = sync_channel(64);
            for player in players {
                let send = send.clone();
                let work = &work;
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || work(player, send))
                    .map_err(DatagenError::Thread)?;
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            for (k, game) in receive {
                waiting.insert(k, game);
                while let Some(game) = waiting.remove(&self.writer.games()) {
                    self.progress.add(&game);
                    let written = self.writer.append(&game);
                    written.map_err(|error| DatagenError::Archive(self.path.clone(), error))?;
                }
            }
            Ok(())
        })?;
        let games = self.writer.games();
        let Output { path, writer, .. } = self;
        writer.close().map_err(|error| DatagenError::Archive(path, error))?;
        Ok(games)
    }
}

/// The progress bar.
struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Before this run.
    earlier: u64,
    positions: u64,
}

impl Progress {
    /// The number of games may be unknown.
    fn new(games: Option<u64>, done: u64, positions: u64) -> Progress {
        let bar = games.map_or_else(ProgressBar::no_length, ProgressBar::new).with_position(done);
        let style = ProgressStyle::with_template(match games {
            Some(_) => "{bar:30} {pos}/{len} games, {msg}, ETA {eta}",
            None => "{spinner} {pos} games, {msg}",
        });
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.reset_eta();
        Progress { bar, started: Instant::now(), earlier: positions, positions }
    }

    fn add(&mut self, game: &Game) {
        self.positions += game.moves.len() as u64;
        let hours = self.started.elapsed().as_secs_f64().max(1e-3) / 3600.0;
        let speed = (self.positions - self.earlier) as f64 / hours / 1e6;
        self.bar.set_message(format!("{} positions, {speed:.2} M/h", self.positions));
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for bad in ["", "1", "4/4", "1/0", "-1/4", "1/256", "1/2/3", "a/b"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
