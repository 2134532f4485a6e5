//! `chuhe solve`: test positions with known answers - mates, endings, best moves.

mod goal;
mod run;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::common::{rule_set, stop_on_interrupt};
use super::rows::{ScoreRecord, score_text};
use crate::rules::RuleSet;
use goal::Case;
use run::{Finding, Settings};

/// Thinking time when no limit is given, in milliseconds.
const DEFAULT_TIME: u64 = 1000;

const DETAILS: &str = "\
Every line of FILE is a FEN and operations, each ended by a semicolon:
  bm MOVES    one of these must be played       am MOVES   none of these may
  dm N        a mate in N or fewer must be announced (below zero: being mated)
  result R    win, draw or loss: the score must say so (2.80 pawns and more are a win),
              and one of `bm` must be played if there are any
  id TEXT     name of the position              c0 TEXT    group it is counted in
`result` goes before `dm`, `dm` before `bm`, `bm` before `am`.

JSON (--json): one object a position (id, group, goal, solved, seconds, move, score, depth, nodes,
false_mate) and one for the whole (summary: per group positions, solved, false_mates).

Exit status: 0, whatever was solved; 1 when an announced mate proved false; 2 for a file that cannot
be read.";

/// Arguments of the command.
#[derive(clap::Args, Debug)]
#[command(after_long_help = DETAILS)]
pub struct Args {
    /// Files of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Think so many milliseconds about each (1000 if no limit is given)
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search so many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search so many plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Leave out positions of other groups than these
    #[arg(long, value_name = "NAME")]
    group: Vec<String>,
    /// Search with N threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table in MB
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Work on so many positions at once
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// How repetitions and long games are judged: wxf, computer, cxa, ...
    #[arg(long, value_name = "NAME", default_value = "wxf", value_parser = rule_set)]
    rules: RuleSet,
    /// Play every announced mate out against the best defence
    #[arg(long)]
    replay: bool,
    /// Print JSON objects instead of a table
    #[arg(long)]
    json: bool,
}

/// What was counted in a group.
#[derive(Default, Clone, Copy, Debug)]
struct Tally {
    positions: usize,
    solved: usize,
    false_mates: usize,
    /// Time to the solution, of the solved ones.
    time: Duration,
    slowest: Duration,
}

impl Tally {
    fn add(&mut self, finding: &Finding) {
        self.positions += 1;
        self.false_mates += usize::from(finding.false_mate);
        if finding.solved {
            self.solved += 1;
            self.time += finding.since;
            self.slowest = self.slowest.max(finding.since);
        }
    }

    fn percent(&self) -> f64 {
        100.0 * self.solved as f64 / self.positions.max(1) as f64
    }
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let cases = match load(args) {
        Ok(cases) => Arc::new(cases),
        Err(reason) => return fail(&reason),
    };
    let unlimited = args.movetime.is_none() && args.nodes.is_none() && args.depth.is_none();
    let settings = Settings {
        time: args.movetime.or(unlimited.then_some(DEFAULT_TIME)).map(Duration::from_millis),
        nodes: args.nodes,
        depth: args.depth,
        threads: args.threads,
        hash: args.hash,
        rules: args.rules.name(),
        replay: args.replay,
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    // What has been done is still summed up.
    let flag = Arc::clone(&interrupted);
    stop_on_interrupt(move || flag.store(true, Relaxed));
    let workers = usize::from(args.concurrency);
    let findings = match run::solve_all(&cases, &settings, workers, &interrupted) {
        Ok(findings) => findings,
        Err(reason) => return fail(&reason),
    };
    let bar = progress_bar(cases.len());
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    for (index, finding) in findings {
        let case = &cases[index];
        groups.entry(&case.group).or_default().add(&finding);
        let text = if args.json {
            Some(record(case, &finding))
        } else {
            (!finding.solved || finding.false_mate).then(|| row(case, &finding))
        };
        if let Some(text) = text
            && bar.suspend(|| writeln!(io::stdout(), "{text}")).is_err()
        {
            break; // nobody reads any more
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let text = if args.json { summary_record(&groups) } else { summary(&groups) };
    let _ = writeln!(io::stdout(), "{text}");
    let all_true = groups.values().all(|tally| tally.false_mates == 0);
    if all_true { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fail(reason: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "chuhe: {reason}");
    ExitCode::from(2)
}

fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn load(args: &Args) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for path in &args.files {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
        for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            match Case::parse(line, index + 1) {
                None => {}
                Some(Ok(case)) => cases.push(case),
                Some(Err(error)) => return Err(format!("{shown}, line {}: {error}", index + 1)),
            }
        }
    }
    cases.retain(|case| args.group.is_empty() || args.group.contains(&case.group));
    if cases.is_empty() { Err("no position to solve".to_string()) } else { Ok(cases) }
}

fn row(case: &Case, finding: &Finding) -> String {
    let mv = finding.mv.map_or("none".to_string(), |mv| mv.to_string());
    let verdict = if finding.false_mate { "FALSE MATE" } else { "not solved" };
    format!(
        "{verdict}: {} - wanted {}, found {mv} {} at depth {}, {} nodes",
        case.id,
        case.goal,
        score_text(finding.score),
        finding.depth,
        finding.nodes
    )
}

fn record(case: &Case, finding: &Finding) -> String {
    json!({
        "id": case.id,
        "group": case.group,
        "goal": case.goal.to_string(),
        "solved": finding.solved,
        "seconds": finding.since.as_secs_f64(),
        "move": finding.mv.map(|mv| mv.to_string()),
        "score": ScoreRecord::from(finding.score),
        "depth": finding.depth,
        "nodes": finding.nodes,
        "false_mate": finding.false_mate,
    })
    .to_string()
}

fn summary(groups: &BTreeMap<&str, Tally>) -> String {
    let mut text = format!(
        "{:<24} {:>9} {:>7} {:>7} {:>12} {:>10}",
        "group", "positions", "solved", "%", "mean time", "slowest"
    );
    for (name, tally) in groups {
        let mean = tally.time.as_secs_f64() / tally.solved.max(1) as f64;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:<24} {:>9} {:>7} {:>7.1} {:>10.3} s {:>8.2} s",
            if name.is_empty() { "all" } else { name },
            tally.positions,
            tally.solved,
            tally.percent(),
            mean,
            tally.slowest.as_secs_f64()
        );
        if tally.false_mates > 0 {
            let _ = write!(text, "  {} false mates", tally.false_mates);
        }
    }
    text
}

fn summary_record(groups: &BTreeMap<&str, Tally>) -> String {
    let group = |(name, tally): (&&str, &Tally)| {
        json!({
            "group": name,
            "positions": tally.positions,
            "solved": tally.solved,
            "false_mates": tally.false_mates,
        })
    };
    json!({ "summary": groups.iter().map(group).collect::<Vec<_>>() }).to_string()
}
