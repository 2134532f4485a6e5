//! Known counts: leaves, leaves below each move, checks, captures and mates.

mod common;

use std::collections::BTreeMap;
use std::process::{Command, Output};

use chuhe::position::Position;
use chuhe::tools::perft::{self, Perft};
use serde_json::Value;

/// Counts above this are left to `chuhe perft --suite`, which an optimised build does in seconds.
const MAX_NODES: u64 = if cfg!(debug_assertions) { 300_000 } else { 10_000_000 };

#[test]
fn suite() {
    let mut counted = 0;
    for line in common::suite() {
        for &(depth, expected) in line.counts.iter().filter(|&&(_, n)| n <= MAX_NODES) {
            assert_eq!(perft::count(&line.position, depth), expected, "D{depth} of {}", line.id);
            counted += 1;
        }
    }
    assert!(counted > 1300, "{counted}");
}

/// A position with colours exchanged has the counts of the original.
#[test]
fn twins() {
    let lines = common::suite();
    let by_id: BTreeMap<&str, _> = lines.iter().map(|line| (line.id.as_str(), line)).collect();
    let mut twins = 0;
    for line in &lines {
        let original = line.id.strip_suffix("-twin").and_then(|id| by_id.get(id));
        if let Some(original) = original {
            assert_eq!(line.counts, original.counts, "{}", line.id);
            let same = |pos: Position| {
                let fen = line.position.fen();
                pos.fen().split(' ').take(2).eq(fen.split(' ').take(2))
            };
            let turned = original.position.flip();
            assert!(same(turned) || same(turned.mirror()), "{}", line.id);
            twins += 1;
        }
        for image in [line.position.mirror(), line.position.flip()] {
            for &(depth, expected) in line.counts.iter().filter(|&&(_, n)| n <= 10_000) {
                assert_eq!(
                    perft::count(&image, depth),
                    expected,
                    "D{depth} of an image of {}",
                    line.id
                );
            }
        }
    }
    assert!(twins > 50, "{twins}");
}

#[test]
fn divide() {
    let cases: Value = serde_json::from_str(&common::read("perft-data/divide.json")).expect("JSON");
    let cases = cases.as_array().expect("a list");
    assert!(cases.len() >= 18);
    let pools = [Perft::new(1, 0), Perft::new(2, 0), Perft::new(2, 4)];
    for (case, i) in cases.iter().zip(0..) {
        let pos = Position::from_fen(case["fen"].as_str().expect("a FEN")).expect("a position");
        let depth = case["depth"].as_u64().expect("a depth") as u32;
        let expected: BTreeMap<String, u64> =
            serde_json::from_value(case["moves"].clone()).expect("moves");
        let perft = pools[i % 3].as_ref().expect("threads and memory");
        let found = perft.divide(&pos, depth);
        let total: u64 = found.iter().map(|&(_, nodes)| nodes).sum();
        let found: BTreeMap<String, u64> =
            found.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect();
        assert_eq!(found, expected, "{}", case["id"]);
        assert_eq!(Some(total), case["total"].as_u64(), "{}", case["id"]);
        assert_eq!(perft.count(&pos, depth), total, "{}", case["id"]);
    }
}

#[derive(Default, PartialEq, Eq, Debug)]
struct Counters {
    nodes: u64,
    checks: u64,
    captures: u64,
    /// Lines that end one ply early in a position without a legal move.
    mates: u64,
}

impl Counters {
    fn add(&mut self, pos: &Position, depth: u32) {
        let moves = pos.legal_moves();
        if depth == 1 && moves.is_empty() {
            self.mates += 1;
        }
        for mv in moves {
            if depth > 1 {
                self.add(&pos.make(mv), depth - 1);
            } else {
                self.nodes += 1;
                self.checks += u64::from(pos.gives_check(mv));
                self.captures += u64::from(pos.captured(mv).is_some());
            }
        }
    }
}

#[test]
fn checks_captures_and_mates() {
    let mut compared = 0;
    for row in common::rows("perft-data/counters.tsv") {
        let numbers: Vec<u64> =
            row[1..].iter().map(|text| text.parse().expect("a number")).collect();
        let &[depth, nodes, checks, captures, mates] = &numbers[..] else { panic!("{row:?}") };
        if nodes <= MAX_NODES {
            let pos = Position::from_fen(&row[0]).expect("a position");
            let mut found = Counters::default();
            found.add(&pos, depth as u32);
            assert_eq!(found, Counters { nodes, checks, captures, mates }, "{} at {depth}", row[0]);
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn published() {
    for row in common::rows("perft-data/published.tsv") {
        let (depth, nodes): (u32, u64) =
            (row[2].parse().expect("a depth"), row[3].parse().expect("a count"));
        if nodes <= MAX_NODES {
            let pos = Position::from_fen(&row[1]).expect("a position");
            assert_eq!(perft::count(&pos, depth), nodes, "{} at {depth}", row[0]);
        }
    }
}

fn chuhe(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn command_line() {
    let output = chuhe(&["perft", "3"]);
    assert!(text(&output.stdout).starts_with("Nodes searched: 79666\n"), "{output:?}");
    assert!(output.status.success() && output.stderr.is_empty());

    let output = chuhe(&["perft", "2", "--divide", "--threads", "2", "--hash", "1"]);
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.iter().filter(|line| line.len() == 8).count(), 44, "{lines:?}");
    assert!(lines.contains(&"h2e2: 45") && lines.contains(&"Nodes searched: 1920"), "{lines:?}");

    let fen = "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1";
    let output = chuhe(&["perft", "3", "--fen", fen, "--json", "--divide"]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(object["nodes"], 9850);
    assert_eq!(object["fen"], fen);
    assert_eq!(object["moves"].as_object().map(|moves| moves.len()), Some(25));

    let output = chuhe(&["perft", "0"]);
    assert!(text(&output.stdout).starts_with("Nodes searched: 1\n"), "{output:?}");
}

#[test]
fn command_line_errors() {
    let output = chuhe(&["perft", "3", "--fen", "9/9 w"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "chuhe perft: 2 ranks instead of ten\n");
    assert!(output.stdout.is_empty());
    for args in [
        &["perft"][..],
        &["perft", "-1"],
        &["perft", "65"],
        &["perft", "3", "--threads", "0"],
        &["perft", "3", "--hash", "4000000000"],
        &["perft", "3", "--suite"],
        &["perft", "3", "--max-nodes", "5"],
    ] {
        let output = chuhe(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn command_line_suite() {
    let output = chuhe(&["perft", "--suite", "--max-nodes", "2000", "--threads", "2"]);
    assert!(output.status.success(), "{output:?}");
    let report = text(&output.stdout);
    assert!(
        report.starts_with("467 positions") && report.ends_with("all as expected\n"),
        "{report}"
    );
    assert!(output.stderr.is_empty(), "{output:?}");

    let path = std::env::temp_dir().join(format!("chuhe-perft-{}.epd", std::process::id()));
    let start = Position::START_FEN;
    let list = format!("{start} ;D1 44 ;D2 1921 ;id start\nno position ;D1 3\n");
    std::fs::write(&path, list).expect("a writable directory");
    let name = path.to_str().expect("a plain name");
    let output = chuhe(&["perft", "--suite", name]);
    let json = chuhe(&["perft", "--suite", name, "--json"]);
    std::fs::remove_file(&path).expect("our own file");
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(report.contains(":2: rank 9: unknown letter"), "{report}");
    let wrong = report.lines().find(|line| line.starts_with("start "));
    let words: Vec<&str> = wrong.unwrap_or("").split_whitespace().take(4).collect();
    assert_eq!(words, ["start", "2", "1921", "1920"], "{report}");
    assert_eq!(text(&output.stderr).lines().count(), 1, "{output:?}");
    let object: Value = serde_json::from_slice(&json.stdout).expect("one object");
    assert_eq!(object["mismatches"][0]["found"], 1920);
    assert_eq!(object["unreadable"].as_array().map(Vec::len), Some(1));

    assert_eq!(chuhe(&["perft", "--suite", "no-such-file.epd"]).status.code(), Some(1));
}
