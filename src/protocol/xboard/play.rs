//! Conduct in XBoard mode: what each order does, and what the engine does of its own accord.

use super::Order;
use super::claim::claim;
use super::features::features;
use crate::engine::Answer;
use crate::engine::options::{OptionId, Value, find};
use crate::position::Position;
use crate::protocol::answer;
use crate::protocol::command::Command;
use crate::protocol::coordinates::{Coordinates, MoveToken};
use crate::protocol::driver::Driver;
use crate::protocol::go::Go;
use crate::protocol::limits::plan;
use crate::protocol::mode::Mode;
use crate::protocol::traffic::Signals;
use crate::rules::Game;
use crate::search::Control;
use crate::types::{Color, Move};

/// Longest part of a line that an error repeats, in characters.
const ECHO: usize = 80;

impl Driver {
    /// Carries out one order.
    pub(in crate::protocol) fn obey(&mut self, order: Order) {
        match order {
            Order::Protover => self.say(&features()),
            Order::Leave(greeting) => {
                self.table.leave();
                self.execute(Command::Greet(greeting));
            }
            Order::New => {
                self.engine.new_game();
                self.engine.set_game(Some(Game::new(Position::startpos())));
                self.table.leave();
                self.table.side = Some(Color::Black);
                self.table.clock.reset();
                self.table.score = None;
                self.table.expected = None;
            }
            Order::Variant(name) if !name.eq_ignore_ascii_case("xiangqi") => {
                self.error("unsupported variant", &name);
            }
            Order::Force | Order::Result | Order::Exit => self.table.leave(),
            Order::Go => {
                self.table.analysing = false;
                self.table.side = self.position().map(|pos| pos.side());
                self.think();
            }
            Order::PlayOther => {
                self.table.analysing = false;
                self.table.side = self.position().map(|pos| !pos.side());
            }
            Order::Level { moves, base, increment } => {
                self.table.clock.set_level(moves, base, increment);
            }
            Order::MoveTime(millis) => self.table.clock.set_per_move(millis),
            Order::Depth(plies) => self.table.clock.set_depth(plies),
            Order::Time(millis) => self.table.clock.set_left(millis),
            Order::Move(text) => self.opponent_moves(&text),
            Order::Ping(text) => self.say(format!("pong {text}").trim_end()),
            Order::Draw => self.consider_draw(),
            Order::SetBoard(fen) => self.set_board(&fen),
            Order::Undo => self.take_back(1),
            Order::Remove => self.take_back(2),
            Order::Ponder(on) => self.set(OptionId::Ponder, Value::Flag(on)),
            Order::Post(on) => self.table.post = on,
            Order::Analyze => {
                self.table.side = None;
                self.table.analysing = true;
            }
            Order::Hint => {
                if let Some(mv) = self.table.expected {
                    self.say(&format!("Hint: {}", Coordinates::ZeroBased.show(mv)));
                }
            }
            Order::Memory(mb) => self.set_by_name("Hash", Some(&mb.to_string())),
            Order::Cores(n) => self.set_by_name("Threads", Some(&n.max(1).to_string())),
            Order::Option { name, value } => self.set_by_name(&name, value.as_deref()),
            Order::Unknown(text) => self.error("unknown command", &text),
            // Heard by the reader, or without meaning now.
            Order::Variant(_)
            | Order::OpponentTime(_)
            | Order::MoveNow
            | Order::Status
            | Order::Quit
            | Order::Nothing => {}
        }
    }

    fn error(&self, what: &str, text: &str) {
        let text: String = text.chars().take(ECHO).collect();
        self.say(format!("Error ({what}): {text}").trim_end());
    }

    fn set(&mut self, id: OptionId, value: Value) {
        if let Some(notice) = self.engine.set_option(id, value) {
            self.message(&notice.to_string());
        }
    }

    fn set_by_name(&mut self, name: &str, value: Option<&str>) {
        match find(name).and_then(|spec| Some((spec.id, spec.read(value)?))) {
            Some((id, value)) => self.set(id, value),
            None => log::debug!("ignored: option {name}"),
        }
    }

    fn set_board(&mut self, fen: &str) {
        self.table.expected = None;
        match Position::from_fen(fen) {
            Ok(pos) => self.engine.set_game(Some(Game::new(pos))),
            Err(error) => {
                self.engine.set_game(None);
                self.say(&format!("tellusererror Illegal position: {error}"));
            }
        }
    }

    fn take_back(&mut self, plies: usize) {
        let Some(game) = self.engine.game() else { return };
        let Some(kept) = game.moves().len().checked_sub(plies) else {
            return self.error("no moves to take back", if plies == 1 { "undo" } else { "remove" });
        };
        let shorter = replay(game, kept);
        self.engine.set_game(Some(shorter));
        self.table.expected = None;
    }

    /// Plays a move on the board. Returns whether it was legal.
    fn play(&mut self, mv: Move) -> bool {
        let Some(mut game) = self.engine.game().cloned() else { return false };
        let legal = game.play(mv);
        if legal {
            self.engine.set_game(Some(game));
        }
        legal
    }

    fn opponent_moves(&mut self, text: &str) {
        let mv = MoveToken::parse(text).and_then(|token| token.read(Coordinates::ZeroBased));
        if !mv.is_some_and(|mv| self.play(mv)) {
            let text: String = text.chars().take(ECHO).collect();
            return self.say(&format!("Illegal move: {text}"));
        }
        self.table.expected = None;
        if self.is_our_turn() {
            self.think();
        }
    }

    fn is_our_turn(&self) -> bool {
        self.position().is_some_and(|pos| self.table.side == Some(pos.side()))
    }

    /// A draw is judged by the last search: its score is ours, whoever moves next.
    fn consider_draw(&self) {
        let (Some(pos), Some(score)) = (self.position(), self.table.score) else { return };
        if self.table.side.is_some() && answer::accepts_peace(&pos, score) {
            self.say("offer draw");
        }
    }

    /// The result of the game on the board as an engine may claim it.
    fn claim(&self) -> Option<String> {
        claim(self.engine.game()?, self.engine.options().rules())
    }

    /// Limits for our next move, the game being as it is on the board.
    fn limits(&self) -> Go {
        let played = self.engine.game().map_or(0, |game| game.moves().len() / 2);
        let side = self.position().map_or(Color::Red, |pos| pos.side());
        self.table.clock.go(side, played)
    }

    /// Thinks and moves, or says why not.
    fn think(&mut self) {
        let Some(pos) = self.position() else {
            return self.say("tellusererror Illegal position: there is no board to play on");
        };
        if let Some(result) = self.claim() {
            return self.say(&result);
        }
        let go = self.limits();
        let mut plan = plan(&go, Mode::XBoard, self.engine.options(), pos.side());
        // Without the other end there is no game.
        plan.runs_out = false;
        let control = self.hub.traffic.begin_move(&plan);
        self.prepare();
        let answer = self.search(&go, &plan, &control);
        self.move_with(&pos, answer, &control, |signals| !signals.aborted);
    }

    /// Ends the search in progress and plays its move if that is `wanted`. Returns the signals that
    /// came meanwhile.
    fn move_with(
        &mut self,
        pos: &Position,
        answer: Answer,
        control: &Control,
        wanted: impl FnOnce(&Signals) -> bool,
    ) -> Signals {
        let pv = match &answer {
            Answer::Found(outcome) => outcome.pv.clone(),
            Answer::Book(book) => vec![book.best.mv],
            // Without a move the game is over, which has been claimed already.
            Answer::NoMove | Answer::NoPosition => Vec::new(),
        };
        // The thresholds are in shown scores, like all that people see. A book has none.
        let score = match &answer {
            Answer::Found(outcome) => Some(self.engine.calibration().shown(outcome.score).value()),
            _ => None,
        };
        let first = pv.first().copied();
        let text = first.map(|mv| self.reply(pos, mv, score));
        let mut end = Signals::default();
        let mut moved = false;
        self.hub.traffic.finish(|signals| {
            end = signals;
            moved = wanted(&signals);
            if let Some(text) = text.filter(|_| moved) {
                self.say(&text);
            }
        });
        if let Some(mv) = first.filter(|_| moved) {
            self.play(mv);
            if let Some(told) = end.clock {
                self.table.clock.set_left(told);
            }
            self.table.clock.spend(control.on_clock().unwrap_or_default());
            self.table.score = score;
            self.table.expected = answer::ponder_move(pos, &pv);
        }
        end
    }

    /// What is said with a move: an offer before it, a result after it; or that we resign.
    fn reply(&self, pos: &Position, mv: Move, score: Option<i32>) -> String {
        let options = self.engine.options();
        if score.is_some_and(|score| answer::gives_up(options, score)) {
            return "resign".to_string();
        }
        let mut text = String::new();
        if score.is_some_and(|score| answer::offers_peace(options, pos, score)) {
            text.push_str("offer draw\n");
        }
        text.push_str(&format!("move {}", Coordinates::ZeroBased.show(mv)));
        let after = self.engine.game().cloned().and_then(|mut game| game.play(mv).then_some(game));
        if let Some(result) = after.and_then(|game| claim(&game, options.rules())) {
            text.push('\n');
            text.push_str(&result);
        }
        text
    }

    /// Analyses or ponders until something comes in, if either is wanted now. Returns whether there
    /// may be more to do at once.
    pub(in crate::protocol) fn use_idle_time(&mut self) -> bool {
        if self.table.analysing {
            self.analyse();
            return false;
        }
        let Some(game) = self.engine.game() else { return false };
        let theirs = self.table.side.is_some_and(|side| side != game.position().side());
        match self.table.expected {
            Some(mv) if theirs && self.engine.options().ponder => self.ponder_on(mv),
            _ => false,
        }
    }

    fn analyse(&mut self) {
        let Some(pos) = self.position() else { return };
        let go = Go { infinite: true, ..Go::default() };
        let plan = plan(&go, Mode::XBoard, self.engine.options(), pos.side());
        let Some(control) = self.hub.traffic.begin_idle(&plan, None) else { return };
        self.prepare();
        self.search(&go, &plan, &control);
        self.hub.traffic.hold();
        self.hub.traffic.finish(|_| ());
    }

    /// Thinks about the answer to a move not yet played. When it comes, this is the search for our
    /// move. Returns whether it came.
    fn ponder_on(&mut self, mv: Move) -> bool {
        let before = self.engine.game().cloned();
        if !self.play(mv) {
            self.table.expected = None;
            return false;
        }
        let mut hit = false;
        // If the answer ends the game there is nothing to think about.
        if let Some(pos) = self.position()
            && self.claim().is_none()
        {
            let go = Go { ponder: true, ..self.limits() };
            let plan = plan(&go, Mode::XBoard, self.engine.options(), pos.side());
            if let Some(control) = self.hub.traffic.begin_idle(&plan, Some(mv)) {
                self.prepare();
                let answer = self.search(&go, &plan, &control);
                self.hub.traffic.hold();
                let wanted = |signals: &Signals| signals.hit && !signals.aborted;
                hit = self.move_with(&pos, answer, &control, wanted).hit;
            }
        }
        if !hit {
            self.engine.set_game(before);
        }
        hit
    }
}

/// The first moves of a game as a game of their own.
fn replay(game: &Game, plies: usize) -> Game {
    let mut shorter = Game::new(*game.start());
    for &mv in game.moves().iter().take(plies) {
        shorter.play(mv);
    }
    shorter
}
