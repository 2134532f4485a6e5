//! The thread that acts: one command after the other, one answer for each `go`.

use std::sync::{Arc, Mutex, PoisonError};

use super::Hub;
use super::answer;
use super::command::{Command, Greeting, OptionText, Setup};
use super::console;
use super::coordinates::Coordinates;
use super::go::Go;
use super::limits::{Plan, plan};
use super::mode::{Mode, Report};
use super::report::{Reporter, Scores, Sink, static_score};
use super::settings::resolve;
use super::setup;
use super::traffic::Task;
use super::xboard::Table;
use crate::engine::options::{OptionId, Value};
use crate::engine::{Answer, Engine, Request};
use crate::position::Position;
use crate::rules::Game;
use crate::search::{Control, Outcome};
use crate::types::Color;

/// The answer to whoever asks about a position that could not be set.
const NO_POSITION: &str = "the last position was invalid";

/// Carries out commands.
pub(super) struct Driver {
    pub(super) hub: Arc<Hub>,
    pub(super) engine: Engine,
    /// What XBoard has told us.
    pub(super) table: Table,
    /// The XBoard adapter is at the other end: it waits for a `bestmove` even without a move.
    adapter: bool,
}

impl Driver {
    /// A driver for `engine`, whose hash table the hub must be able to see.
    pub(super) fn new(hub: Arc<Hub>, engine: Engine) -> Driver {
        Driver { hub, engine, table: Table::default(), adapter: false }
    }

    /// Works until `quit` or the end of input.
    pub(super) fn run(&mut self) {
        loop {
            while self.hub.mode() == Mode::XBoard && self.use_idle_time() {}
            match self.hub.traffic.next() {
                Task::Run(command) => self.execute(command),
                Task::Go(go) => self.go(&go),
                Task::End => return,
                Task::Quit => {
                    if self.hub.mode() == Mode::Ucci {
                        self.say("bye");
                    }
                    return;
                }
            }
        }
    }

    pub(super) fn say(&self, text: &str) {
        self.hub.output.print(text);
    }

    pub(super) fn message(&self, text: &str) {
        self.say(&self.hub.mode().message(text));
    }

    /// Whoever does not greet speaks UCI.
    fn settle_mode(&self) {
        if self.hub.mode() == Mode::Boot {
            self.hub.set_mode(Mode::Uci);
        }
    }

    pub(super) fn execute(&mut self, command: Command) {
        let starts_talk = !matches!(
            command,
            Command::Greet(_)
                | Command::Stop
                | Command::PonderHit { .. }
                | Command::Unknown
                | Command::Order(_)
        );
        if starts_talk {
            self.settle_mode();
        }
        match command {
            Command::Greet(greeting) => {
                self.hub.set_mode(match greeting {
                    Greeting::Ucci => Mode::Ucci,
                    Greeting::Uci | Greeting::Cyclone => Mode::Uci,
                    Greeting::XBoard => Mode::XBoard,
                });
                self.say(&self.hub.mode().banner());
            }
            Command::IsReady => {
                self.prepare();
                self.say("readyok");
            }
            Command::SetOption(text) => self.set_option(&text),
            Command::NewGame { adapter } => {
                self.adapter |= adapter;
                self.engine.new_game();
            }
            Command::Position(setup) => self.set_position(&setup),
            Command::BanMoves(tokens) => {
                if let Some(pos) = self.position() {
                    let mut numbering = self.hub.numbering();
                    let moves = numbering.read_alternatives(&pos, &tokens);
                    self.hub.set_numbering(numbering);
                    self.engine.ban_moves(&moves);
                }
            }
            // Searches are stopped by the reader; this one came when there was none.
            Command::Stop if self.hub.mode() == Mode::Ucci => self.say("nobestmove"),
            Command::Probe(setup) => self.hub.probe(setup.as_ref()),
            Command::Show => self.on_board(console::show),
            Command::Eval => {
                self.on_board(|pos| console::evaluate(pos, &mut self.engine.evaluator()));
            }
            Command::Bench => self.say(&console::benchmark()),
            Command::Flip => {
                if let Some(pos) = self.position() {
                    self.engine.set_game(Some(Game::new(pos.flip())));
                }
            }
            Command::Compiler => self.say(&console::compiler()),
            Command::Help => self.say(console::HELP),
            Command::Unknown => self.message("unknown command"),
            Command::Order(order) => self.obey(order),
            // The rest is dealt with before it gets here.
            Command::Go(_)
            | Command::Stop
            | Command::PonderHit { .. }
            | Command::Debug(_)
            | Command::Quit
            | Command::Nothing => {}
        }
    }

    pub(super) fn position(&self) -> Option<Position> {
        self.engine.game().map(|game| *game.position())
    }

    fn on_board(&self, text: impl Fn(&Position) -> String) {
        match self.position() {
            Some(pos) => self.say(&text(&pos)),
            None => self.message(NO_POSITION),
        }
    }

    /// Allocates what is missing and reports what cannot be had.
    pub(super) fn prepare(&mut self) {
        if let Err(error) = self.engine.prepare() {
            let kept = self.engine.options().hash;
            self.message(&format!("{error}, keeping {kept} MB"));
        }
    }

    fn set_option(&mut self, text: &OptionText) {
        let Some((id, value)) = resolve(text) else {
            log::debug!("ignored: setoption {text}");
            return;
        };
        match (id, &value) {
            (OptionId::Coordinates, &Value::Choice(index)) => {
                let fixed = [None, Some(Coordinates::ZeroBased), Some(Coordinates::OneBased)];
                let mut numbering = self.hub.numbering();
                numbering.fixed = fixed.get(index).copied().flatten();
                self.hub.set_numbering(numbering);
            }
            // We do not announce this option: who sets it thinks we are Fairy-Stockfish, whose UCI
            // counts ranks from one.
            (OptionId::Variant, _) if self.hub.mode() == Mode::Uci => {
                let mut numbering = self.hub.numbering();
                numbering.assume(Coordinates::OneBased);
                self.hub.set_numbering(numbering);
            }
            _ => {
                if let Some(notice) = self.engine.set_option(id, value) {
                    self.message(&notice.to_string());
                }
            }
        }
    }

    fn set_position(&mut self, setup: &Setup) {
        let mut numbering = self.hub.numbering();
        match setup::build(setup, &mut numbering) {
            Ok((game, remarks)) => {
                self.engine.set_game(Some(game));
                for remark in remarks {
                    self.message(&remark.to_string());
                }
            }
            Err(error) => {
                self.engine.set_game(None);
                self.message(&format!("invalid position: {error}"));
            }
        }
        self.hub.set_numbering(numbering);
    }

    fn go(&mut self, go: &Go) {
        self.settle_mode();
        let mode = self.hub.mode();
        let pos = self.position();
        let side = pos.map_or(Color::Red, |pos| pos.side());
        let plan = plan(go, mode, self.engine.options(), side);
        let control = self.hub.traffic.begin(&plan);
        if let Some(depth) = go.perft {
            self.count_leaves(depth, &control);
            self.hub.traffic.abandon();
            return;
        }
        if plan.evaluate_only {
            self.hub.traffic.finish(|_| {
                if let Some(pos) = pos {
                    let mut evaluator = self.engine.evaluator();
                    let score = evaluator.evaluate(&pos);
                    self.say(&static_score(evaluator.calibration().shown(score)));
                }
                self.say("nobestmove");
            });
            return;
        }
        self.prepare();
        let answer = self.search(go, &plan, &control);
        self.hub.traffic.hold();
        self.hub.traffic.finish(|signals| match (&answer, pos) {
            (Answer::Found(outcome), Some(pos)) => {
                // The thresholds for offers are in shown scores, like all that people see.
                let score = self.engine.calibration().shown(outcome.score);
                let line = answer::best_move(
                    mode,
                    self.engine.options(),
                    &pos,
                    &Outcome { score, ..outcome.clone() },
                    signals.draw || go.draw,
                    self.hub.numbering().current(),
                );
                self.say(&line.unwrap_or_else(|| "nobestmove".to_string()));
            }
            (Answer::Book(book), _) => {
                self.say(&mode.best_move(book.best.mv, None, self.hub.numbering().current()));
            }
            _ => self.say_no_move(pos.is_some()),
        });
    }

    fn count_leaves(&self, depth: i64, control: &Control) {
        let coordinates = self.hub.numbering().current();
        match self.position() {
            Some(pos) => match console::count_leaves(&pos, depth, coordinates, control.stop_flag())
            {
                Some(text) => self.say(&text),
                None => self.message("the count was stopped"),
            },
            None => self.message(NO_POSITION),
        }
    }

    /// Searches and reports, up to but without the line that ends the search.
    pub(super) fn search(&mut self, go: &Go, plan: &Plan, control: &Arc<Control>) -> Answer {
        let mut numbering = self.hub.numbering();
        let only = self.position().and_then(|pos| {
            go.searchmoves.as_ref().map(|tokens| numbering.read_alternatives(&pos, tokens))
        });
        self.hub.set_numbering(numbering);
        let mut reporter = Reporter::new(
            Arc::clone(&self.hub.output),
            self.hub.mode(),
            numbering.current(),
            self.engine.options().multipv > 1,
            Scores { calibration: self.engine.calibration(), wdl: self.engine.options().show_wdl },
        );
        if self.hub.mode() == Mode::XBoard {
            let root_moves = self.position().map_or(0, |pos| pos.legal_moves().len());
            reporter = reporter.for_xboard(!self.table.shows_thinking(), root_moves);
        }
        let reporter = Arc::new(Mutex::new(reporter));
        self.hub.watch(Some(&reporter));
        let request = Request { limits: plan.limits, only };
        let sink = Box::new(Sink(Arc::clone(&reporter)));
        let answer = self.engine.go(&request, control, sink);
        self.hub.watch(None);
        let mut reporter = reporter.lock().unwrap_or_else(PoisonError::into_inner);
        match &answer {
            Answer::Found(outcome) => reporter.finish(self.last_report(outcome, control)),
            Answer::Book(book) => reporter.report_book(book),
            Answer::NoMove | Answer::NoPosition => {}
        }
        drop(reporter);
        answer
    }

    fn last_report(&self, outcome: &Outcome, control: &Control) -> Report {
        let mut pv = outcome.pv.clone();
        if let Some(pos) = self.position()
            && answer::ponder_move(&pos, &pv).is_none()
        {
            // Rare: a line that ends the game, or one cut short. Shown as far as it is sure.
            let legal_reply =
                pv.first().zip(pv.get(1)).is_some_and(|(&mv, &reply)| pos.make(mv).is_legal(reply));
            pv.truncate(if legal_reply { pv.len() } else { 1 });
        }
        Report {
            depth: outcome.depth,
            seldepth: outcome.seldepth.max(1),
            multipv: 1,
            score: outcome.score,
            wdl: None,
            nodes: self.engine.counters().map_or(0, |counters| counters.total()),
            millis: u64::try_from(control.elapsed().as_millis()).unwrap_or(u64::MAX),
            hashfull: self.engine.hashfull(),
            pv,
        }
    }

    fn say_no_move(&self, valid: bool) {
        match self.hub.mode() {
            Mode::Ucci if self.adapter => self.say("bestmove (none)"),
            Mode::Ucci => self.say("nobestmove"),
            Mode::Uci | Mode::Boot | Mode::XBoard => {
                // Mated and stalemated alike have lost.
                let score = if valid { "mate 0" } else { "cp 0" };
                self.say(&format!("info depth 0 score {score}\nbestmove (none)"));
            }
        }
    }
}
