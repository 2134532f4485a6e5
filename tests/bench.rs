//! The bench counts the same nodes every time.

mod common;

use std::process::Command;

use chuhe::eval::nnue::{BACKEND_VARIABLE, Backend};
use chuhe::tools::bench::{Args, search_all};

const DEPTH: u32 = 4;

fn nodes_of_process(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).args(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn same_total_in_one_process_and_in_two() {
    let args = Args { depth: DEPTH, ..Args::default() };
    let mut lines = 0;
    let first = search_all(&args, |_, _, _| lines += 1).unwrap();
    let second = search_all(&args, |_, _, _| {}).unwrap();
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(lines, first.positions);
    assert!(first.nodes > 10_000, "{}", first.nodes);

    let out = nodes_of_process(&["bench", &DEPTH.to_string()]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], format!("Nodes searched: {}", first.nodes));
    assert!(lines[1].strip_prefix("Nodes/second: ").is_some_and(|n| n.parse::<u64>().is_ok()));
    let words: Vec<&str> = lines[2].split(' ').collect();
    assert_eq!((words[0], words[1], words[3]), (first.nodes.to_string().as_str(), "nodes", "nps"));
    assert_eq!(lines.len(), 3);
}

/// All instruction sets compute the same values, so all search the same tree.
#[test]
fn instruction_sets_search_the_same_tree() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), common::arbitrary_network(96).to_bytes()).unwrap();
    let bench = |set: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(["bench", &DEPTH.to_string(), "--net"])
            .arg(file.path())
            .env(BACKEND_VARIABLE, set)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_string()
    };
    let usual = bench("no such set");
    assert_ne!(Some(usual.as_str()), nodes_of_process(&["bench", "4"]).lines().next());
    for backend in Backend::available() {
        assert_eq!(bench(backend.name()), usual, "{}", backend.name());
    }
    let output = nodes_of_process(&["bench", "--help"]);
    assert!(output.contains("--net"), "{output}");
}

#[test]
fn json_and_threads() {
    let out = nodes_of_process(&["bench", "3", "--threads", "2", "--hash", "2", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["threads"], 2);
    assert!(value["nodes"].as_u64().unwrap() > 1_000);
}

#[test]
fn bad_arguments_are_one_clear_error() {
    for args in
        [&["bench", "0"][..], &["bench", "x"], &["bench", "--hash", "0"], &["bench", "--net"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe")).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}
