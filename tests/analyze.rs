//! `chuhe analyze` as a user or a script runs it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("analyze").args(args).args(["--hash", "4"]);
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_table_in_a_pipe_is_ascii_with_one_row_a_depth() {
    let output = run(&["startpos", "--depth", "5", "--notation", "iccs"]);
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
    let stdout = text(&output.stdout);
    assert!(stdout.is_ascii());
    assert!(stdout.starts_with("9  r n b a k a b n r\n"), "{stdout}");
    assert!(stdout.contains("\nRed to move\n"), "{stdout}");
    let depths: Vec<u32> =
        stdout.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
    // rank numbers of the diagram, then the table
    assert_eq!(depths[..10], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(depths[10..], [1, 2, 3, 4, 5]);
    let row = stdout.lines().rev().nth(2).unwrap();
    let best = row.split_whitespace().nth(5).unwrap();
    assert_eq!(best.as_bytes()[2], b'-', "{row}");
    assert!(stdout.lines().last().unwrap().starts_with(&format!("best move {best}, ")));
}

#[test]
fn json_lines_end_in_the_answer() {
    let fen = "3k5/9/9/9/9/9/4p4/9/9/2R1K4 w";
    let output = run(&[fen, "--depth", "4", "--multipv", "3", "--json", "--notation", "chinese"]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    let records: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, lines) = records.split_last().unwrap();
    let ranks: Vec<(u64, u64)> = lines
        .iter()
        .map(|line| (line["depth"].as_u64().unwrap(), line["multipv"].as_u64().unwrap()))
        .collect();
    for depth in 1..=4 {
        for rank in 1..=3 {
            assert!(ranks.contains(&(depth, rank)), "{ranks:?}");
        }
    }
    assert_eq!(last["fen"], "3k5/9/9/9/9/9/4p4/9/9/2R1K4 w - - 0 1");
    assert_eq!(last["bestmove"], last["pv"][0]);
    assert_eq!(last["ponder"], last["pv"][1]);
    assert_eq!(last["depth"], 4);
    assert!(last["nodes"].as_u64().unwrap() > 0);
    assert_eq!(last["score"].as_object().unwrap().len(), 1);
    let words = last["pv_notation"].as_str().unwrap().split(' ').count();
    assert_eq!(words, last["pv"].as_array().unwrap().len());
}

#[test]
fn mates_are_told_in_moves() {
    let fen = "3k5/9/4R4/5R3/9/9/9/9/9/4K4 w";
    let words: Vec<&str> = fen.split(' ').chain(["--depth", "6"]).collect();
    let stdout = text(&run(&words).stdout);
    assert!(stdout.lines().last().unwrap().contains("score +M"), "{stdout}");
    let json = text(&run(&[fen, "--depth", "6", "--json"]).stdout);
    let last: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert!(last["score"]["mate"].as_i64().unwrap() > 0, "{json}");
}

#[test]
fn a_finished_game_is_told_in_words() {
    for (fen, words) in [
        ("1R2k4/R8/9/9/9/9/9/9/9/3K5 b", "Black is checkmated"),
        ("3k1r3/9/9/9/9/9/9/4p4/9/4K4 w", "stalemated: Red loses"),
    ] {
        let output = run(&[fen]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stdout).lines().last(), Some(words));
        let json = text(&run(&[fen, "--json"]).stdout);
        let record: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(record["result"], words);
        assert_eq!(record["bestmove"], Value::Null);
    }
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    for (args, reason) in [
        (vec!["9/9", "w"], "chuhe: bad FEN: 2 ranks instead of ten\n"),
        (vec!["startpos", "h2e2", "h2e2"], "chuhe: move 2: h2e2 is not a legal move\n"),
        (
            vec!["startpos", "moves", "\u{70AE}"],
            "chuhe: move 1: \"\u{70AE}\" is not a legal move\n",
        ),
    ] {
        for json in [None, Some("--json")] {
            let args: Vec<&str> = args.iter().copied().chain(json).collect();
            let output = run(&args);
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(text(&output.stderr), reason);
            assert_eq!(text(&output.stdout), "");
        }
    }
}

#[test]
fn a_time_limit_is_kept_also_when_the_move_is_forced() {
    // the king's only move
    let fen = "3k1ab1c/4a3c/4b4/9/4r4/9/9/9/9/R3K3R w";
    let begin = Instant::now();
    let json = text(&run(&[fen, "--movetime", "300", "--json"]).stdout);
    assert!(begin.elapsed() < Duration::from_secs(5));
    let last: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert!(last["depth"].as_u64().unwrap() > 4, "{json}");
    assert!((290..2_000).contains(&last["time_ms"].as_u64().unwrap()), "{json}");
}

#[test]
fn a_closed_pipe_ends_the_search() {
    let mut child = command(&["startpos", "--movetime", "60000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_with_its_best_line() {
    let mut child = command(&["startpos", "--movetime", "60000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut stdout = String::new();
    while !stdout.contains("\n    3 ") {
        assert!(reader.read_line(&mut stdout).unwrap() > 0, "{stdout}");
    }
    let begin = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    reader.read_to_string(&mut stdout).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(stdout.lines().last().unwrap().starts_with("best move "), "{stdout}");
}
