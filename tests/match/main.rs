//! `chuhe match` and `chuhe merge` as a user runs them, with real processes on the other side.
//!
//! The engines are scripts that misbehave, and this engine itself under node limits, which makes
//! whole matches repeatable. The scripts need a Unix shell.
#![cfg(unix)]

mod faults;
mod matches;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chuhe::tools::arena::journal::{self, Journal};
use serde_json::Value;

/// This engine.
const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// An empty directory for one test.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("match").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory for the test");
    path
}

/// The description of this engine under a name and limits.
fn own(name: &str, limits: &str) -> String {
    format!("name={name},cmd={CHUHE},proto=ucci,option.hashsize=1,{limits}")
}

/// The description of the script.
fn scripted(mode: &str, limits: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/match/engine.sh");
    format!("name={mode},cmd=sh {} {mode},proto=ucci,{limits}", script.display())
}

/// `chuhe match` with these engines and more arguments.
fn command(engines: &[String], arguments: &[&str]) -> Command {
    let mut command = Command::new(CHUHE);
    command.arg("match");
    for engine in engines {
        command.args(["--engine", engine]);
    }
    command.args(arguments);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    output
}

/// Runs a match with a JSON summary.
fn summary(engines: &[String], arguments: &[&str]) -> Value {
    let output = run(command(engines, arguments).arg("--json"));
    let line = text(&output.stdout);
    assert_eq!(line.lines().count(), 1, "{line}");
    serde_json::from_str(&line).expect("JSON")
}

fn read_journal(path: &Path) -> Journal {
    journal::read(path).unwrap_or_else(|error| panic!("{error}"))
}

/// A path as an argument.
fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
