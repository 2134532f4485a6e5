//! `chuhe analyze`: one position, a table of what the search finds, the best line.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use super::common::{
    NotationName, StyleName, diagram_style, new_engine, read_game, rule_set, side_name,
    stop_on_interrupt,
};
use super::rows::{self, FinalRecord, LineRecord};
use crate::engine::options::{OptionId, Value};
use crate::engine::{Answer, Request};
use crate::eval::Calibration;
use crate::notation::{self, Notation};
use crate::position::Position;
use crate::rules::{Game, Reason, RuleSet, Verdict};
use crate::search::{Control, Info, InfoSink, Limits, Outcome};
use crate::types::Move;

/// How long to think when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

const JSON_HELP: &str = "\
JSON (--json): one object a line of output.
  For every completed depth and line:
    depth, seldepth  plies
    multipv          rank of the line, from 1
    score            {\"cp\": n} in 1/100 pawn or {\"mate\": n} in moves (below zero: is mated), from
                     the side to move; where a repetition rule decides {\"cp\": n, \"rule\": \"win\"|\"loss\"}
    nodes, nps, time_ms, hashfull (per mille)
    pv               moves as the protocols write them
    pv_notation      the same in the notation of --notation
  At the end:
    fen, bestmove, ponder, score, depth, nodes, time_ms, pv, pv_notation;
    bestmove and ponder are null where there is none; a side without a move has `result` in words.

Exit status: 0, also for a game that is over; 2 for a position or move that cannot be read.";

/// Arguments of `chuhe analyze`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct Args {
    /// A FEN (quoted or as several words) or `startpos`, then moves in any notation
    #[arg(required = true, value_name = "FEN|startpos [MOVES]")]
    position: Vec<String>,
    /// Think so many milliseconds (5000 if no limit is given)
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search so many plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search so many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Show the best K lines
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,
    /// Search with N threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table in MB
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// How repetitions and long games are judged: wxf, computer, cxa, ...
    #[arg(long, value_name = "NAME", default_value = "wxf", value_parser = rule_set)]
    rules: RuleSet,
    /// How to write moves
    #[arg(long, value_enum, default_value_t = NotationName::Wire)]
    notation: NotationName,
    /// Print JSON objects instead of a table
    #[arg(long)]
    json: bool,
    /// How to draw the board (chinese on a terminal that can show it, else ascii)
    #[arg(long, value_enum)]
    style: Option<StyleName>,
}

/// The words for a side to move that has no move; `None` while it has one.
fn end_in_words(pos: &Position) -> Option<String> {
    if pos.has_legal_move() {
        return None;
    }
    let side = side_name(pos.side());
    Some(if pos.in_check() {
        format!("{side} is checkmated")
    } else {
        format!("stalemated: {side} loses")
    })
}

/// The words for a game that the rules have ended although there are moves.
fn verdict_in_words(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Ongoing | Verdict::Win(_, Reason::Checkmate | Reason::Stalemate) => None,
        Verdict::Draw(reason) => Some(format!("the game is a draw: {reason}")),
        Verdict::Win(side, reason) => {
            Some(format!("the game is over, {} has won: {reason}", side_name(side)))
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let result = match read_game(&args.position) {
        Ok(game) => analyze(&game, args),
        Err(error) => {
            complain(&error);
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error, whether or not anybody listens.
fn complain(error: &dyn fmt::Display) {
    let _ = writeln!(io::stderr(), "chuhe: {error}");
}

fn analyze(game: &Game, args: &Args) -> io::Result<()> {
    let mut out = io::stdout();
    let pos = *game.position();
    if !args.json {
        let board = pos.diagram(diagram_style(args.style));
        writeln!(out, "{board}\n{pos}\n{} to move", side_name(pos.side()))?;
    }
    if let Some(words) = end_in_words(&pos) {
        return if args.json {
            print_json(&mut out, &FinalRecord::ended(&pos, words))
        } else {
            writeln!(out, "{words}")
        };
    }
    if !args.json {
        if let Some(words) = verdict_in_words(game.verdict(args.rules)) {
            writeln!(out, "{words}")?;
        }
        writeln!(out, "\n{}", rows::heading(args.multipv > 1))?;
    }
    let found = search(game, args)?;
    let notation = args.notation.into();
    let Outcome { depth, score, ref pv, .. } = found.outcome;
    if args.json {
        let (nodes, time) = (found.nodes, found.time);
        let record = FinalRecord::found(&pos, pv, score, depth, nodes, time, notation);
        return print_json(&mut out, &record);
    }
    let line = notation::write_line(&pos, pv, notation);
    let mut moves = line.split(' ');
    let best = moves.next().unwrap_or_default();
    let answer = moves.next().map_or(String::new(), |mv| format!(", expected answer {mv}"));
    writeln!(
        out,
        "\nbest move {best}{answer}, score {}, depth {depth}, {} nodes in {:.2} s",
        rows::score_text(score),
        found.nodes,
        found.time.as_secs_f64(),
    )
}

fn print_json(out: &mut impl Write, record: &impl serde::Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(record)?)
}

/// How long to think; `None` where another limit is to end the search.
fn think_time(args: &Args) -> Option<Duration> {
    let unlimited = args.movetime.is_none() && args.depth.is_none() && args.nodes.is_none();
    args.movetime.map(Duration::from_millis).or(unlimited.then_some(DEFAULT_TIME))
}

/// What a search has brought.
struct Found {
    outcome: Outcome,
    nodes: u64,
    time: Duration,
}

/// Searches the last position of a game that goes on, printing as it gets deeper.
fn search(game: &Game, args: &Args) -> io::Result<Found> {
    let mut engine =
        new_engine(args.hash, args.threads, args.rules.name()).map_err(io::Error::other)?;
    engine.set_option(OptionId::MultiPv, Value::Number(i64::from(args.multipv)));
    engine.set_game(Some(game.clone()));

    let calibration = engine.calibration();
    let control = Arc::new(Control::new(false));
    let failure = Arc::new(OnceLock::new());
    let begun = Arc::new(AtomicBool::new(false));
    // The best line is still printed.
    let stopped = Arc::clone(&control);
    stop_on_interrupt(move || stopped.stop());
    if let Some(time) = think_time(args) {
        stop_after(time, &control, &begun)?;
    }
    let watched = io::stdout().is_terminal() && !args.json;
    let status = if watched { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    let printer = Printer {
        out: io::stdout(),
        pos: *game.position(),
        notation: args.notation.into(),
        json: args.json,
        several: args.multipv > 1,
        status: status.clone(),
        control: Arc::clone(&control),
        failure: Arc::clone(&failure),
        begun,
        speed: 0,
        calibration,
    };
    let limits = Limits { depth: args.depth, nodes: args.nodes, ..Limits::default() };
    let answer = engine.go(&Request { limits, only: None }, &control, Box::new(printer));
    status.finish_and_clear();
    if let Some(&kind) = failure.get() {
        return Err(kind.into());
    }
    let nodes = engine.counters().map_or(0, |counters| counters.total());
    match answer {
        Answer::Found(outcome) => {
            let outcome = Outcome { score: calibration.shown(outcome.score), ..outcome };
            Ok(Found { outcome, nodes, time: control.elapsed() })
        }
        // There is no book here.
        Answer::NoMove | Answer::NoPosition | Answer::Book(_) => {
            Err(io::Error::other("no move to search"))
        }
    }
}

/// Ends the search after `time`, but not before the first depth is complete.
///
/// A time limit of the search itself would not do: under one a forced move is answered at once, and
/// who analyses a position wants to know what follows.
fn stop_after(time: Duration, control: &Arc<Control>, begun: &Arc<AtomicBool>) -> io::Result<()> {
    let (control, begun) = (Arc::clone(control), Arc::clone(begun));
    thread::Builder::new().name("timer".to_string()).spawn(move || {
        thread::sleep(time.saturating_sub(control.elapsed()));
        while !begun.load(Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        control.stop();
    })?;
    Ok(())
}

/// Prints each completed depth as it comes, on the thread of the search.
struct Printer<W> {
    out: W,
    pos: Position,
    notation: Notation,
    json: bool,
    /// Several lines a depth.
    several: bool,
    /// Says what is going on below the table; invisible where standard error is no terminal.
    status: ProgressBar,
    control: Arc<Control>,
    /// The first failure to write, after which nothing more is tried.
    failure: Arc<OnceLock<io::ErrorKind>>,
    /// Set with the first completed depth.
    begun: Arc<AtomicBool>,
    /// Nodes a second up to the last completed depth.
    speed: u64,
    calibration: Calibration,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, line: &str) {
        if self.failure.get().is_some() {
            return;
        }
        let out = &mut self.out;
        let result = self.status.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()));
        if let Err(error) = result {
            let _ = self.failure.set(error.kind());
            // Nobody reads any more.
            self.control.stop();
        }
    }
}

impl<W: Write> InfoSink for Printer<W> {
    fn info(&mut self, info: &Info<'_>) {
        self.begun.store(true, Relaxed);
        self.speed = rows::speed(info.nodes, info.time);
        let info = &Info { score: self.calibration.shown(info.score), ..info.clone() };
        let text = if self.json {
            let record = LineRecord::new(info, &self.pos, self.notation);
            match serde_json::to_string(&record) {
                Ok(text) => text,
                Err(error) => return log::error!("a line could not be written as JSON: {error}"),
            }
        } else {
            let line = notation::write_line(&self.pos, info.pv, self.notation);
            rows::row(info, &line, self.several)
        };
        self.print(&text);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let text = self.notation.write(&self.pos, mv);
        self.status
            .set_message(format!("depth {depth}, move {number}: {text}, {} nps", self.speed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser, Debug)]
    struct TestCli {
        #[command(flatten)]
        args: Args,
    }

    fn parse(line: &str) -> Args {
        TestCli::parse_from(std::iter::once("analyze").chain(line.split(' '))).args
    }

    #[test]
    fn position_words_end_where_options_begin() {
        for line in ["startpos", "startpos moves h2e2 h9g7", Position::START_FEN] {
            let words: Vec<String> = line.split(' ').map(str::to_string).collect();
            assert_eq!(parse(&format!("{line} --depth 3")).position, words);
        }
    }

    #[test]
    fn five_seconds_unless_limited() {
        let time = |line: &str| think_time(&parse(line));
        assert_eq!(time("startpos"), Some(DEFAULT_TIME));
        assert_eq!(time("startpos --movetime 70"), Some(Duration::from_millis(70)));
        assert_eq!(time("startpos --depth 4"), None);
        assert_eq!(time("startpos --nodes 4"), None);
        let both = think_time(&parse("startpos --movetime 70 --depth 9"));
        assert_eq!(both, Some(Duration::from_millis(70)));
        for line in
            ["--depth 0", "--nodes 0", "--movetime 0", "--threads 0", "--multipv 0", "--depth x"]
        {
            let line = format!("analyze startpos {line}");
            assert!(TestCli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn ends_in_words() {
        for (fen, words) in [
            ("1R2k4/R8/9/9/9/9/9/9/9/3K5 b", Some("Black is checkmated")),
            ("4k4/9/4P4/9/9/9/9/9/9/3K1R3 b", Some("stalemated: Black loses")),
            (Position::START_FEN, None),
        ] {
            let pos = Position::from_fen(fen).unwrap();
            assert_eq!(end_in_words(&pos).as_deref(), words);
            let turned = words.map(|words| words.replace("Black", "Red"));
            assert_eq!(end_in_words(&pos.flip()), turned);
        }
        let draw = verdict_in_words(Verdict::Draw(Reason::Repetition));
        assert_eq!(draw.as_deref(), Some("the game is a draw: repetition"));
        assert_eq!(verdict_in_words(Verdict::Ongoing), None);
    }
}
