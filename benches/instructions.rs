//! Instruction counts of the board operations: a guard that a busy machine cannot disturb.
//!
//! `cargo bench --bench instructions` runs itself under `valgrind --tool=callgrind`, once for each
//! operation and once doing nothing, and prints instructions a call beside those recorded in
//! `benches/instructions.tsv`. Exit status 1 when an operation needs over 3 % more, 2 when valgrind
//! is missing. `-- --record` writes the file anew: do so with a change that is meant to cost or to
//! save something, or with a new compiler.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use chuhe::eval::Evaluator;
use chuhe::position::{MoveKinds, Position};
use chuhe::tools::perft::EpdLine;
use chuhe::types::Move;

const SUITE: &str = include_str!("../perft-data/perft.epd");
const RECORD: &str = "benches/instructions.tsv";
/// Every ninth position: openings to endgames, some in check.
const STEP: usize = 9;
/// Growth that fails, in per cent.
const TOLERANCE: f64 = 3.0;

type Operation = fn(&Position, &[Move]) -> u64;

/// Name, whether it is called once a move rather than once a position, and the work.
const OPERATIONS: [(&str, bool, Operation); 10] = [
    ("check_info", false, |pos, _| pos.check_info().checkers.count().into()),
    ("captures", false, |pos, _| generate(pos, MoveKinds::CAPTURES)),
    ("quiets", false, |pos, _| generate(pos, MoveKinds::QUIETS)),
    ("count_legal", false, |pos, _| pos.count_legal().into()),
    ("evaluate", false, |pos, _| Evaluator::classical().evaluate(pos).value() as u64),
    ("is_legal", true, |pos, moves| each(moves, |mv| pos.is_legal(mv).into())),
    ("gives_check", true, |pos, moves| each(moves, |mv| pos.gives_check(mv).into())),
    ("make", true, |pos, moves| each(moves, |mv| pos.make(mv).key())),
    ("key_after", true, |pos, moves| each(moves, |mv| pos.key_after(mv))),
    ("see_ge", true, |pos, moves| each(moves, |mv| pos.see_ge(mv, 0).into())),
];

fn generate(pos: &Position, kinds: MoveKinds) -> u64 {
    let mut sum = 0;
    pos.generate(&pos.check_info(), kinds, |mv| sum += u64::from(mv.bits()));
    sum
}

fn each(moves: &[Move], work: impl Fn(Move) -> u64) -> u64 {
    moves.iter().map(|&mv| work(black_box(mv))).fold(0, u64::wrapping_add)
}

fn positions() -> Vec<(Position, Vec<Move>)> {
    let lines = SUITE.lines().filter_map(EpdLine::parse).flatten().step_by(STEP);
    lines.map(|line| (line.position, line.position.legal_moves().to_vec())).collect()
}

/// What runs under valgrind: everything is prepared alike, then one operation runs, or none.
fn work(name: &str) {
    let positions = positions();
    let wanted = OPERATIONS.iter().filter(|(operation, ..)| *operation == name);
    for (_, _, operation) in wanted {
        for (pos, moves) in &positions {
            black_box(operation(black_box(pos), moves));
        }
    }
}

/// Instructions of a run, or `None` when valgrind did not work.
fn count(name: &str) -> Option<u64> {
    let binary = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary)
        .args(["--work", name])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let refs = text.lines().find(|line| line.contains("Collected :"))?;
    refs.rsplit(' ').next()?.parse().ok()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--work") {
        work(args.get(at + 1).map_or("", String::as_str));
        return ExitCode::SUCCESS;
    }
    // `cargo test --benches` runs benches too; counting is for `cargo bench` alone.
    if !args.iter().any(|arg| arg == "--bench") {
        return ExitCode::SUCCESS;
    }
    let Some(nothing) = count("nothing") else {
        eprintln!("valgrind is needed: install it, for example by apt install valgrind");
        return ExitCode::from(2);
    };
    let recorded: BTreeMap<String, f64> = std::fs::read_to_string(RECORD)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, figure)| Some((name.to_string(), figure.parse().ok()?)))
        .collect();
    let positions = positions();
    let moves: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    let (mut table, mut worse) = (String::new(), false);
    println!("{:<12} {:>12} {:>12} {:>8}", "operation", "recorded", "now", "change");
    for (name, once_a_move, _) in OPERATIONS {
        let calls = if once_a_move { moves } else { positions.len() };
        let Some(total) = count(name) else { return ExitCode::from(2) };
        let now = total.saturating_sub(nothing) as f64 / calls as f64;
        let _ = writeln!(table, "{name}\t{now:.1}");
        match recorded.get(name) {
            Some(&before) => {
                let change = (now / before - 1.0) * 100.0;
                worse |= change > TOLERANCE;
                println!("{name:<12} {before:>12.1} {now:>12.1} {change:>+7.1}%");
            }
            None => println!("{name:<12} {:>12} {now:>12.1}", "-"),
        }
    }
    if args.iter().any(|arg| arg == "--record") {
        if let Err(error) = std::fs::write(RECORD, table) {
            eprintln!("{RECORD}: {error}");
            return ExitCode::from(2);
        }
        return ExitCode::SUCCESS;
    }
    ExitCode::from(u8::from(worse))
}
