//! `chuhe judge --cases`: checks verdicts against a file of known ones.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::notation;
use crate::position::Position;
use crate::rules::{Game, RuleSet};

/// Complaints about single lines that are printed before the rest is only counted.
const SHOWN: usize = 10;

/// The fields of a line that are looked at; it may have more.
#[derive(Deserialize)]
struct Line {
    id: Option<String>,
    rules: Option<String>,
    fen: String,
    #[serde(default)]
    moves: Moves,
    verdict: String,
    confidence: Option<String>,
}

/// A list of moves, or a text with blanks between them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// A verdict to check.
struct Case {
    number: usize,
    id: String,
    rules: RuleSet,
    game: Game,
    verdict: String,
    disputed: bool,
}

/// A line that is no case.
#[derive(Debug)]
struct Malformed {
    number: usize,
    reason: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.reason)
    }
}

const VERDICTS: [&str; 4] = ["red_loss", "black_loss", "draw", "undecided"];

fn parse(number: usize, text: &str, default: RuleSet) -> Result<Case, Malformed> {
    let malformed = |reason: String| Malformed { number, reason };
    let line: Line = serde_json::from_str(text).map_err(|error| {
        // The place within a file of one line says nothing but the column.
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        malformed(format!("{reason} (column {})", error.column()))
    })?;
    let rules = match line.rules.as_deref() {
        None => default,
        Some(name) => {
            RuleSet::by_name(name).ok_or_else(|| malformed(format!("unknown rule set {name:?}")))?
        }
    };
    if !VERDICTS.contains(&line.verdict.as_str()) {
        let known = VERDICTS.join(", ");
        return Err(malformed(format!("verdict {:?} is none of {known}", line.verdict)));
    }
    let start =
        Position::from_fen(&line.fen).map_err(|error| malformed(format!("bad FEN: {error}")))?;
    let mut game = Game::new(start);
    let moves: Vec<&str> = match &line.moves {
        Moves::List(moves) => moves.iter().map(String::as_str).collect(),
        Moves::Text(text) => text.split_whitespace().collect(),
    };
    for (index, text) in moves.into_iter().enumerate() {
        let mv = notation::read(game.position(), text)
            .map_err(|error| malformed(format!("move {}: {error}", index + 1)))?;
        game.play(mv);
    }
    Ok(Case {
        number,
        id: line.id.unwrap_or_else(|| format!("line {number}")),
        rules,
        game,
        verdict: line.verdict,
        disputed: line.confidence.as_deref() == Some("disputed"),
    })
}

/// A verdict that differs from the known one.
#[derive(Serialize)]
struct Failure<'a> {
    line: usize,
    id: &'a str,
    rules: &'static str,
    expected: &'a str,
    found: &'static str,
    reason: &'static str,
    disputed: bool,
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { id, rules, expected, found, reason, .. } = self;
        write!(f, "{id} ({rules}): {found} ({reason}), expected {expected}")?;
        if self.disputed { f.write_str(", disputed") } else { Ok(()) }
    }
}

fn check(case: &Case) -> Option<Failure<'_>> {
    let verdict = case.game.verdict(case.rules);
    (verdict.word() != case.verdict).then(|| Failure {
        line: case.number,
        id: &case.id,
        rules: case.rules.name(),
        expected: &case.verdict,
        found: verdict.word(),
        reason: verdict.reason().word(),
        disputed: case.disputed,
    })
}

/// Checks all lines of a file; `default` serves those that name no rule set. `adjust` is applied to
/// every rule set.
///
/// Status 0 when all is as expected but for disputed cases, 1 when it is not, 2 when a line is no
/// case or the file cannot be read.
///
/// # Errors
/// Only those of writing to standard output.
pub(super) fn run(
    path: &Path,
    default: RuleSet,
    adjust: impl Fn(RuleSet) -> RuleSet + Sync,
    json: bool,
) -> io::Result<ExitCode> {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            super::complain(&format!("{}: {error}", path.display()));
            return Ok(ExitCode::from(2));
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let bar = ProgressBar::new(lines.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    let (cases, malformed): (Vec<Case>, Vec<Malformed>) =
        lines.into_par_iter().partition_map(|(number, line)| match parse(number, line, default) {
            Ok(case) => rayon::iter::Either::Left(Case { rules: adjust(case.rules), ..case }),
            Err(malformed) => {
                bar.inc(1);
                rayon::iter::Either::Right(malformed)
            }
        });
    let failures: Vec<Failure<'_>> = cases
        .par_iter()
        .filter_map(|case| {
            let failure = check(case);
            bar.inc(1);
            failure
        })
        .collect();
    bar.finish_and_clear();
    let place = path.display();
    for malformed in malformed.iter().take(SHOWN) {
        super::complain(&format!("{place}: {malformed}"));
    }
    if malformed.len() > SHOWN {
        super::complain(&format!("{place}: {} more such lines", malformed.len() - SHOWN));
    }
    if cases.is_empty() && malformed.is_empty() {
        super::complain(&format!("{place}: no cases"));
        return Ok(ExitCode::from(2));
    }
    let passed = cases.len() - failures.len();
    let mut out = io::stdout().lock();
    if json {
        let object = json!({
            "passed": passed,
            "failed": failures.len(),
            "malformed": malformed.len(),
            "failures": failures,
        });
        writeln!(out, "{object}")?;
    } else {
        for failure in &failures {
            writeln!(out, "{failure}")?;
        }
        writeln!(out, "{passed} passed, {} failed", failures.len())?;
    }
    out.flush()?;
    Ok(ExitCode::from(if !malformed.is_empty() {
        2
    } else {
        u8::from(failures.iter().any(|failure| !failure.disputed))
    }))
}
