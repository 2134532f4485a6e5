//! One engine at the board: greeting, options, and one answer to every question.

use std::time::{Duration, Instant};

use super::process::{Process, Silence};
use super::spec::{EngineSpec, Protocol};
use super::stop::StopSwitch;
use super::wire::{Budget, Dialect, Reply, Report};
use crate::protocol::coordinates::Coordinates;
use crate::rules::Game;
use crate::types::Move;

/// How long engines may take for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For a greeting and for `isready`.
    pub start: Duration,
    /// For a move without a clock.
    pub search: Duration,
    /// For ending after `quit`.
    pub exit: Duration,
    /// How far a clock may be overdrawn before the game is lost.
    pub margin: Duration,
}

/// An engine that speaks UCCI is expected to answer its greeting at once, so the other language is
/// tried after this.
const FIRST_GREETING: Duration = Duration::from_secs(3);

/// What an engine that has lost on time gets to answer `stop`, so that it can be kept.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// An engine that does not get ready so soon after a lost game is started anew.
const RECOVERY: Duration = Duration::from_secs(2);

/// Why an engine gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process ended; how.
    Crash(String),
    /// No answer, though no clock ran.
    Hang,
    /// The clock ran out; by how much, as far as is known.
    Time(Duration),
    /// It could not be started, or did not greet.
    Start(String),
    /// The match is to end: not the engine's fault.
    Interrupted,
}

impl From<Silence> for Fault {
    fn from(silence: Silence) -> Fault {
        match silence {
            Silence::Timeout => Fault::Hang,
            Silence::Closed => Fault::Crash(String::new()),
            Silence::Interrupted => Fault::Interrupted,
        }
    }
}

/// A question to an engine.
#[derive(Debug)]
pub struct Question<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Moves the rules forbid.
    pub banned: &'a [Move],
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// What the search may use.
    pub budget: Budget,
}

/// An answer in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// [`Reply::Best`] or [`Reply::NoMove`].
    pub reply: Reply,
    /// Between the question and the arrival of the answer.
    pub elapsed: Duration,
    /// The last of each that was reported.
    pub report: Report,
}

/// A running engine that has been greeted.
#[derive(Debug)]
pub struct Player {
    process: Process,
    dialect: Dialect,
    /// What it calls itself.
    title: String,
    announced_new_game: bool,
    patience: Patience,
}

impl Player {
    /// Starts an engine, greets it and sets its options.
    ///
    /// # Errors
    /// [`Fault::Start`] in words, or [`Fault::Interrupted`].
    pub fn start(
        spec: &EngineSpec,
        patience: Patience,
        stop: &StopSwitch,
    ) -> Result<Player, Fault> {
        let process = Process::start(spec, stop, patience.exit)
            .map_err(|error| Fault::Start(format!("cannot run {}: {error}", spec.command[0])))?;
        let dialect = Dialect {
            protocol: spec.protocol.unwrap_or(Protocol::Ucci),
            coordinates: Coordinates::ZeroBased,
            milliseconds: true,
        };
        let mut player =
            Player { process, dialect, title: String::new(), announced_new_game: false, patience };
        let greeted = player.greet(spec).and_then(|()| player.wait_ready());
        greeted.map(|()| player).map_err(|fault| match fault {
            Fault::Hang => Fault::Start("no answer to the greeting".to_string()),
            Fault::Crash(_) => Fault::Start("ended during the greeting".to_string()),
            fault => fault,
        })
    }

    /// What the engine calls itself, cut and without control characters.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn greet(&mut self, spec: &EngineSpec) -> Result<(), Fault> {
        let options = match spec.protocol {
            Some(protocol) => self.say_hello(protocol, self.patience.start)?,
            None => {
                let first = self.patience.start.min(FIRST_GREETING);
                match self.say_hello(Protocol::Ucci, first) {
                    Err(Fault::Hang) => self.say_hello(Protocol::Uci, self.patience.start)?,
                    other => other?,
                }
            }
        };
        let announced = |name: &str| {
            options.iter().find(|option| {
                option_name(option, self.dialect.protocol).eq_ignore_ascii_case(name)
            })
        };
        let uci = self.dialect.protocol == Protocol::Uci;
        // Engines for many games, Fairy-Stockfish foremost, must be told which one, and number
        // ranks from 1 in UCI.
        let many_games = announced("UCI_Variant")
            .is_some_and(|option| option.split_ascii_whitespace().any(|word| word == "xiangqi"));
        let chosen =
            |name: &str| spec.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let set_variant = many_games && !chosen("UCI_Variant");
        let has_unit = announced("usemillisec").is_some();
        self.announced_new_game = announced("newgame").is_some();
        if spec.one_based.unwrap_or(uci && many_games) {
            self.dialect.coordinates = Coordinates::OneBased;
        }
        // Without the announcement UCCI clocks are in seconds, as the league referee has it.
        self.dialect.milliseconds = spec.milliseconds.unwrap_or(uci || has_unit);
        if set_variant {
            self.set_option("UCI_Variant", "xiangqi");
        }
        if has_unit && !chosen("usemillisec") {
            let value = if self.dialect.milliseconds { "true" } else { "false" };
            self.set_option("usemillisec", value);
        }
        for (name, value) in &spec.options {
            self.set_option(name, value);
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.process.send(&self.dialect.set_option(name, value));
    }

    /// Greets in one language and returns the option lines.
    fn say_hello(&mut self, protocol: Protocol, patience: Duration) -> Result<Vec<String>, Fault> {
        let (hello, done) = match protocol {
            Protocol::Ucci => ("ucci", "ucciok"),
            Protocol::Uci => ("uci", "uciok"),
        };
        self.process.send(hello);
        let deadline = Instant::now() + patience;
        let mut options = Vec::new();
        loop {
            let (line, _) = self.process.receive(deadline)?;
            let line = line.trim();
            if line == done {
                self.dialect.protocol = protocol;
                return Ok(options);
            }
            if let Some(option) = line.strip_prefix("option ") {
                options.push(option.to_string());
            } else if let Some(title) = line.strip_prefix("id name ") {
                self.title = title.chars().filter(|c| !c.is_control()).take(80).collect();
            }
        }
    }

    fn wait_ready(&mut self) -> Result<(), Fault> {
        self.wait_ready_for(self.patience.start)
    }

    fn wait_ready_for(&mut self, patience: Duration) -> Result<(), Fault> {
        self.process.send("isready");
        let deadline = Instant::now() + patience;
        while self.process.receive(deadline)?.0.trim() != "readyok" {}
        Ok(())
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// When it does not say that it is ready.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        match self.dialect.protocol {
            Protocol::Uci => self.process.send("ucinewgame"),
            Protocol::Ucci => {
                self.process.send("setoption newgame");
                if !self.announced_new_game {
                    self.process.send("uccinewgame");
                }
            }
        }
        self.wait_ready().map_err(|fault| self.with_exit(fault))
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// When no answer comes in time. After any error but [`Fault::Time`] from an engine that still
    /// answers `stop` the process is of no more use; see [`Player::is_usable`].
    pub fn think(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        let budget = &question.budget;
        let side = question.game.position().side();
        self.process.discard_waiting();
        self.process.send(&self.dialect.position(question.game));
        if let Some(ban) = self.dialect.ban(question.banned) {
            self.process.send(&ban);
        }
        let go = self.dialect.go(side, budget, question.draw_offered);
        let asked = Instant::now();
        self.process.send(&go);
        let allowed = budget.own.map(|clock| clock.left).or(budget.move_time);
        let patience = allowed.map_or(self.patience.search, |time| time + self.patience.margin);
        let deadline = asked + patience;
        let mut report = Report::default();
        let late = |at: Instant| {
            let over =
                at.saturating_duration_since(asked).saturating_sub(allowed.unwrap_or_default());
            Fault::Time(over)
        };
        loop {
            let (line, at) = match self.process.receive(deadline) {
                Ok(received) => received,
                Err(Silence::Timeout) if allowed.is_some() => {
                    let answered = self.stop_search();
                    return Err(late(answered?));
                }
                Err(silence) => return Err(self.with_exit(silence.into())),
            };
            match self.dialect.read(&line) {
                Reply::Report(newer) => merge(&mut report, newer),
                Reply::Other => {}
                reply if at > deadline && allowed.is_some() => {
                    log::debug!("too late: {reply:?}");
                    return Err(late(at));
                }
                reply => {
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(Answer { reply, elapsed, report });
                }
            }
        }
    }

    /// Stops a search that has used up its time. Returns when the answer came, or would have been
    /// awaited no longer.
    fn stop_search(&mut self) -> Result<Instant, Fault> {
        self.process.send("stop");
        let deadline = Instant::now() + STOP_GRACE;
        loop {
            match self.process.receive(deadline) {
                Ok((line, at)) => {
                    if matches!(self.dialect.read(&line), Reply::Best { .. } | Reply::NoMove) {
                        return Ok(at);
                    }
                }
                Err(Silence::Interrupted) => return Err(Fault::Interrupted),
                Err(Silence::Timeout | Silence::Closed) => return Ok(deadline),
            }
        }
    }

    /// Whether the engine still answers.
    pub fn is_usable(&mut self) -> bool {
        self.wait_ready_for(self.patience.start.min(RECOVERY)).is_ok()
    }

    fn with_exit(&mut self, fault: Fault) -> Fault {
        match fault {
            Fault::Crash(_) => Fault::Crash(self.process.exit_text()),
            fault => fault,
        }
    }
}

/// The name in what follows `option`: one word in UCCI, from `name` to `type` in UCI.
fn option_name(option: &str, protocol: Protocol) -> String {
    let words = option.split_ascii_whitespace();
    match protocol {
        Protocol::Ucci => words.take(1).collect(),
        Protocol::Uci => {
            words.skip(1).take_while(|word| *word != "type").collect::<Vec<_>>().join(" ")
        }
    }
}

/// Keeps what the newer report does not tell.
fn merge(report: &mut Report, newer: Report) {
    report.depth = newer.depth.or(report.depth);
    report.score = newer.score.or(report.score);
    report.nodes = newer.nodes.or(report.nodes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names() {
        assert_eq!(option_name("usemillisec type check", Protocol::Ucci), "usemillisec");
        assert_eq!(option_name("name Clear Hash type button", Protocol::Uci), "Clear Hash");
        assert_eq!(option_name("", Protocol::Uci), "");
    }
}
