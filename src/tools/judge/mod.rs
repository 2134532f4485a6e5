//! `chuhe judge`: what a rule set says of a game, and why, in words.

mod cases;
mod findings;
mod input;
mod report;
mod words;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::common::{NotationName, StyleName, diagram_style, rule_set};
use crate::rules::RuleSet;
use input::Subject;
use report::Form;
use words::Lang;

const HELP: &str = "\
The verdict is that on the position after the last move. When the rules had ended the game before,
that is told too; --ply shows that moment.

JSON (--json): one object a game.
  rules, fen        rule set; the position judged
  verdict           red_loss, black_loss, draw or undecided
  at_fault          red, black or null: who loses because of what was played
  reason            perpetual_check, perpetual_chase, repetition, checkmate, ...
  window            [a, b]: the moves numbered a to b - 1 from 0 were judged; null if none were
  per_move          for each of them ply, side, move, text (in --notation), kind (check, kill, chase,
                    exchange, sacrifice, block, follow, idle), checkers, chases (attacker, victim,
                    grounds, joint), words
  victims           men chased throughout, where they stand now
  occurrences       how often the position has occurred since the last capture
  clock             plies that count towards the natural limit
  banned, bans      moves that would lose at once; with the reason
  earlier           ply, verdict and reason of the moment when the rules had ended the game, or null
  explanation       the text that is printed without --json
  file, game, plies, result   file, number in it, moves played, recorded result
With --all-rules those from rules to explanation (but fen) are in the list `judgements`. With
--cases: passed, failed, malformed, failures.

Exit status: 0; 1 when a case fails that is not disputed, or a part of a file could not be read;
2 for arguments, positions, moves, files or cases that cannot be read.";

/// Arguments of `chuhe judge`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
#[command(group(clap::ArgGroup::new("what").required(true).multiple(true)
    .args(["files", "fen", "moves", "cases"])))]
pub struct Args {
    /// Judge every game of PGN files (- for standard input)
    #[arg(value_name = "GAME.pgn", conflicts_with_all = ["fen", "moves", "cases"])]
    files: Vec<PathBuf>,
    /// Position before the first move; the start position when left out
    #[arg(long, value_name = "FEN", conflicts_with = "cases")]
    fen: Option<String>,
    /// Moves in any notation, blanks between them
    #[arg(long, value_name = "MOVES", conflicts_with = "cases")]
    moves: Option<String>,
    /// Check the verdicts of a file of cases, one JSON object a line
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["all_rules", "banned", "ply"])]
    cases: Option<PathBuf>,
    /// The rules: wxf, computer, cxa, ucci, cxq, ... (--all-rules lists them)
    #[arg(long, value_name = "NAME", default_value = "wxf", value_parser = rule_set)]
    rules: RuleSet,
    /// Compare all rule sets
    #[arg(long, conflicts_with = "banned")]
    all_rules: bool,
    /// Only list the moves that would lose at once
    #[arg(long, conflicts_with = "json")]
    banned: bool,
    /// Judge the position after so many plies
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Judge the Nth occurrence of a position, whatever the rule set says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..))]
    occurrences: Option<u8>,
    /// Plies without a capture that make a draw, whatever the rule set says; 0 for no limit
    #[arg(long, value_name = "N")]
    limit: Option<u16>,
    /// Language of the explanation
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// How to write moves
    #[arg(long, value_enum, default_value_t = NotationName::Wire)]
    notation: NotationName,
    /// How to draw the board (chinese on a terminal that can show it, else ascii)
    #[arg(long, value_enum)]
    style: Option<StyleName>,
    /// Print JSON objects
    #[arg(long)]
    json: bool,
}

impl Args {
    /// A rule set with the numbers the user has given.
    fn adjust(&self, rules: RuleSet) -> RuleSet {
        let natural_limit = match self.limit {
            None => rules.natural_limit,
            Some(0) => None,
            limit => limit,
        };
        // Sets that do not judge repetition have nothing to count.
        let occurrences = rules.occurrences.map(|usual| self.occurrences.unwrap_or(usual));
        RuleSet { occurrences, natural_limit, ..rules }
    }
}

/// Runs the command; the exit status is told in the help text.
pub fn run(args: &Args) -> ExitCode {
    let done = match &args.cases {
        Some(path) => cases::run(path, args.rules, |rules| args.adjust(rules), args.json),
        None if args.files.is_empty() => judge_arguments(args),
        None => judge_files(args),
    };
    match done {
        Ok(code) => code,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error, whether or not anybody listens.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "chuhe judge: {message}");
}

fn judge_arguments(args: &Args) -> io::Result<ExitCode> {
    match input::from_arguments(args.fen.as_deref(), args.moves.as_deref()) {
        Ok(subject) => judge(subject, args).map(|()| ExitCode::SUCCESS),
        Err(error) => {
            complain(&error.to_string());
            Ok(ExitCode::from(2))
        }
    }
}

fn judge_files(args: &Args) -> io::Result<ExitCode> {
    let mut status = 0;
    let mut first = true;
    for path in &args.files {
        let contents = match input::from_file(path) {
            Ok(contents) => contents,
            Err(error) => {
                complain(&format!("{}: {error}", path.display()));
                status = 2;
                continue;
            }
        };
        contents.remarks.iter().chain(&contents.damage).for_each(|line| complain(line));
        let lost = if contents.subjects.is_empty() { 2 } else { 1 };
        status = status.max(if contents.damage.is_empty() { 0 } else { lost });
        for subject in contents.subjects {
            if !first && !args.json {
                writeln!(io::stdout())?;
            }
            first = false;
            judge(subject, args)?;
        }
    }
    Ok(ExitCode::from(status))
}

/// Judges one game and prints what is asked for.
fn judge(subject: Subject, args: &Args) -> io::Result<()> {
    let subject = match args.ply {
        Some(plies) => input::cut(subject, plies),
        None => subject,
    };
    let form =
        Form { lang: args.lang, notation: args.notation.into(), style: diagram_style(args.style) };
    let rules = args.adjust(args.rules);
    let sets: Vec<RuleSet> =
        RuleSet::names().filter_map(RuleSet::by_name).map(|rules| args.adjust(rules)).collect();
    let text = match (args.all_rules, args.json) {
        (true, true) => report::json_table(&subject, &sets, form)? + "\n",
        (true, false) => report::table(&subject, &sets, form),
        (false, true) => report::json(&subject, rules, form)? + "\n",
        (false, false) if args.banned => report::banned(&subject, rules, form),
        (false, false) => report::text(&subject, rules, form),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
