//! `chuhe perft --suite`: checks the generator against lists of known counts.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;

use super::{EpdLine, Perft, milliseconds, speed};

/// Where the lists lie in a source tree.
const DIRECTORY: &str = "perft-data";
/// The list that an installed binary carries along.
pub(super) const BUILT_IN: &str = include_str!("../../../perft-data/perft.epd");

/// A line that cannot be counted, with its place.
struct Unreadable {
    place: String,
    reason: String,
}

/// A line to count, with its place.
struct Case {
    place: String,
    line: EpdLine,
}

/// A count that differs from the known one.
struct Mismatch<'a> {
    case: &'a Case,
    depth: u32,
    expected: u64,
    found: u64,
}

#[derive(Default)]
struct Suite {
    cases: Vec<Case>,
    unreadable: Vec<Unreadable>,
}

impl Suite {
    fn add_text(&mut self, source: &str, text: &str) {
        for (number, line) in text.lines().enumerate() {
            let place = format!("{source}:{}", number + 1);
            match EpdLine::parse(line) {
                None => {}
                Some(Ok(line)) => self.cases.push(Case { place, line }),
                Some(Err(error)) => {
                    self.unreadable.push(Unreadable { place, reason: error.to_string() });
                }
            }
        }
    }

    fn add_file(&mut self, path: &Path) {
        let place = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => self.add_text(&place, &String::from_utf8_lossy(&bytes)),
            Err(error) => self.unreadable.push(Unreadable { place, reason: error.to_string() }),
        }
    }

    /// The named files, else the lists of the directory, else the built-in one.
    fn load(files: &[PathBuf]) -> Suite {
        let mut suite = Suite::default();
        let found = if files.is_empty() { default_files() } else { files.to_vec() };
        for path in &found {
            suite.add_file(path);
        }
        if found.is_empty() {
            suite.add_text("built-in", BUILT_IN);
        }
        suite
    }
}

fn default_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(DIRECTORY).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "epd"))
        .collect();
    files.sort();
    files
}

/// Counts every line up to `max_nodes` leaves a depth and reports what differs.
///
/// # Errors
/// Only those of writing to standard output.
pub(super) fn run(
    files: &[PathBuf],
    max_nodes: u64,
    json: bool,
    perft: &Perft,
) -> io::Result<ExitCode> {
    let suite = Suite::load(files);
    let bar = ProgressBar::new(suite.cases.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    let start = Instant::now();
    let results = count_all(&suite.cases, max_nodes, perft, &bar);
    let time = start.elapsed();
    bar.finish_and_clear();

    let nodes: u64 = results.iter().map(|(nodes, _)| nodes).sum();
    let wrong: Vec<Mismatch<'_>> = results.into_iter().flat_map(|(_, wrong)| wrong).collect();
    let good = wrong.is_empty() && suite.unreadable.is_empty() && !suite.cases.is_empty();
    let mut out = io::stdout().lock();
    if json {
        let object = json!({
            "positions": suite.cases.len(),
            "nodes": nodes,
            "time_ms": milliseconds(time),
            "nps": speed(nodes, time),
            "mismatches": wrong.iter().map(mismatch_object).collect::<Vec<_>>(),
            "unreadable": suite.unreadable.iter().map(unreadable_object).collect::<Vec<_>>(),
        });
        writeln!(out, "{object}")?;
    } else {
        report(&mut out, &suite, &wrong)?;
        writeln!(
            out,
            "{} positions, {} nodes, {:.3} s, {} nodes/s: {}",
            suite.cases.len(),
            HumanCount(nodes),
            time.as_secs_f64(),
            HumanCount(speed(nodes, time)),
            if good { "all as expected" } else { "FAILED" },
        )?;
    }
    out.flush()?;
    if !good {
        eprintln!(
            "chuhe perft: {} wrong counts, {} unreadable lines, {} positions",
            wrong.len(),
            suite.unreadable.len(),
            suite.cases.len(),
        );
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Nodes counted and wrong counts of each case, in order.
fn count_all<'a>(
    cases: &'a [Case],
    max_nodes: u64,
    perft: &Perft,
    bar: &ProgressBar,
) -> Vec<(u64, Vec<Mismatch<'a>>)> {
    let check = |case: &'a Case| {
        let mut nodes = 0;
        let mut wrong = Vec::new();
        for &(depth, expected) in case.line.counts.iter().filter(|&&(_, n)| n <= max_nodes) {
            let found = perft.count(&case.line.position, depth);
            nodes += found;
            if found != expected {
                wrong.push(Mismatch { case, depth, expected, found });
            }
        }
        bar.inc(1);
        (nodes, wrong)
    };
    if perft.is_parallel() {
        perft.install(|| cases.par_iter().with_max_len(1).map(check).collect())
    } else {
        cases.iter().map(check).collect()
    }
}

fn report(out: &mut impl Write, suite: &Suite, wrong: &[Mismatch<'_>]) -> io::Result<()> {
    for Unreadable { place, reason } in &suite.unreadable {
        writeln!(out, "{place}: {reason}")?;
    }
    if !wrong.is_empty() {
        writeln!(out, "{:<28} {:>5} {:>15} {:>15}  FEN", "id", "depth", "expected", "found")?;
    }
    for &Mismatch { case, depth, expected, found } in wrong {
        let name = if case.line.id.is_empty() { &case.place } else { &case.line.id };
        let fen = case.line.position;
        writeln!(out, "{name:<28} {depth:>5} {expected:>15} {found:>15}  {fen}")?;
    }
    Ok(())
}

fn mismatch_object(wrong: &Mismatch<'_>) -> serde_json::Value {
    json!({
        "place": wrong.case.place,
        "id": wrong.case.line.id,
        "fen": wrong.case.line.position.fen(),
        "depth": wrong.depth,
        "expected": wrong.expected,
        "found": wrong.found,
    })
}

fn unreadable_object(line: &Unreadable) -> serde_json::Value {
    json!({ "place": line.place, "reason": line.reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_counts_and_bad_lines_are_found() {
        let mut suite = Suite::default();
        suite.add_text(
            "list",
            "4k4/9/9/9/9/9/9/9/9/3K5 w ;D1 1 ;D2 99\nnonsense ;D1 1\n\n# note\n\
             4k4/9/9/9/9/9/9/9/9/3K5 w ;D1 7 ;D9 1000000 ;id x\n",
        );
        assert_eq!((suite.cases.len(), suite.unreadable.len()), (2, 1));
        assert_eq!(suite.unreadable[0].place, "list:2");
        for threads in [1, 2] {
            let perft = Perft::new(threads, 0).unwrap();
            let results = count_all(&suite.cases, 100, &perft, &ProgressBar::hidden());
            let wrong: Vec<_> = results
                .iter()
                .flat_map(|(_, wrong)| wrong)
                .map(|m| (m.case.place.as_str(), m.depth, m.expected))
                .collect();
            assert_eq!(wrong, [("list:1", 2, 99), ("list:5", 1, 7)]);
        }
    }

    #[test]
    fn the_built_in_list_is_whole() {
        let mut suite = Suite::default();
        suite.add_text("built-in", BUILT_IN);
        assert!(suite.unreadable.is_empty());
        assert!(suite.cases.len() > 400);
    }

    #[test]
    fn a_missing_file_is_reported() {
        let suite = Suite::load(&[PathBuf::from("no-such-list.epd")]);
        assert_eq!((suite.cases.len(), suite.unreadable.len()), (0, 1));
    }
}
