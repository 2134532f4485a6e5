//! The command: from arguments to a finished match.

use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::super::common::INTERRUPTED;
use super::ArenaError;
use super::adjudicate::{DrawRule, ResignRule};
use super::game::Terms;
use super::journal::{self, EngineEntry, FORMAT, Files, GameLine, Header, Journal};
use super::openings::{self, Opening};
use super::player::Patience;
use super::report;
use super::runner::{self, Setup};
use super::schedule::Schedule;
use super::spec::EngineSpec;
use super::sprt::Sprt;
use super::standings::Standings;
use super::stop::StopSwitch;
use crate::notation::Notation;
use crate::rules::RuleSet;

/// Arguments of `chuhe match`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// An engine: name, cmd, dir, proto=ucci|uci|auto, coords=0|1|auto, usemillisec=true|false|auto,
    /// restart=true|false, tc=[MOVES/]SECONDS[+INCREMENT], st=SECONDS, nodes, depth, option.NAME;
    /// give it twice or more
    #[arg(long, required = true, value_name = "KEY=VALUE,...")]
    pub engine: Vec<String>,
    /// Settings for all engines, overridden by their own
    #[arg(long, default_value = "", value_name = "KEY=VALUE,...")]
    pub each: String,
    /// Openings: an EPD, FEN or PGN file
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    pub order: Order,
    /// Seed of the random order
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Moves to take from games of a PGN file
    #[arg(long, default_value_t = 16, value_name = "PLIES")]
    pub opening_plies: usize,
    /// Games between each two opponents, rounded up to whole pairs
    #[arg(long, conflicts_with = "rounds", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub games: Option<u64>,
    /// Openings for each two opponents; each is played with both colours
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub rounds: u64,
    /// The first engine plays all others and these do not meet
    #[arg(long)]
    pub gauntlet: bool,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Rule set that judges the games
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Plies, opening included, after which a game is a draw
    #[arg(long, default_value_t = 600, value_name = "PLIES")]
    pub max_plies: usize,
    /// Draw when both scores stay within `score` for `movecount` moves, not before `movenumber`
    #[arg(long, value_name = "movenumber=..,movecount=..,score=..")]
    pub draw: Option<String>,
    /// Loss when the loser's score stays below -`score` for `movecount` moves; twosided=true asks
    /// the winner too
    #[arg(long, value_name = "movecount=..,score=..")]
    pub resign: Option<String>,
    /// Stop when one hypothesis is accepted; alpha, beta and model=logistic|normalized may follow
    #[arg(long, value_name = "elo0=..,elo1=..")]
    pub sprt: Option<String>,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Notation of the PGN file
    #[arg(long, value_enum, default_value_t = PgnNotation::Iccs)]
    pub notation: PgnNotation,
    /// Write a line of JSON for every game; needed to resume and to merge
    #[arg(long, value_name = "FILE")]
    pub jsonl: Option<PathBuf>,
    /// Go on with the match in the JSON lines file
    #[arg(long, requires = "jsonl")]
    pub resume: bool,
    /// Play only part I of N of the match
    #[arg(long, default_value = "1/1", value_name = "I/N")]
    pub shard: String,
    /// Name of the match
    #[arg(long, default_value = "Chuhe match")]
    pub event: String,
    /// Milliseconds a clock may be overdrawn
    #[arg(long, default_value_t = 0, value_name = "MS")]
    pub margin: u32,
    /// Seconds an engine may take to start and to get ready
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", value_parser = seconds)]
    pub start_timeout: f64,
    /// Seconds an engine without a clock may take for a move
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS", value_parser = seconds)]
    pub move_timeout: f64,
    /// Seconds an engine may take to end before it is killed
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", value_parser = seconds)]
    pub exit_timeout: f64,
    /// Print the standings after every so many games; 0: only at the end
    #[arg(long, default_value_t = 20, value_name = "GAMES")]
    pub report: u64,
    /// Print nothing but one JSON object at the end
    #[arg(long)]
    pub json: bool,
}

/// Order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Order {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Notation of the PGN file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PgnNotation {
    /// `H2-E2`
    Iccs,
    /// `C2.5`
    Wxf,
    /// `炮二平五`
    Chinese,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.ok_or_else(|| "must be between 0.001 and 1000000".to_string())
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    // Silent unless RUST_LOG asks for more. Somebody else may have set a logger up before.
    let _ = env_logger::try_init();
    match play(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            eprintln!("match: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays the match and prints its results. `false` when it was interrupted.
fn play(args: &Args) -> Result<bool, ArenaError> {
    let plan = Plan::new(args)?;
    let old = if args.resume { plan.old_journal(args)? } else { None };
    if plan.header.rounds > plan.setup.openings.len() as u64 {
        log::warn!("{} openings for {} rounds", plan.setup.openings.len(), plan.header.rounds);
    }
    let stop = StopSwitch::default();
    let handler = stop.clone();
    // Without a handler an interrupt simply ends the program, which does no harm either.
    if let Err(error) = ctrlc::set_handler(move || handler.set()) {
        log::warn!("no interrupt handler: {error}");
    }
    let titles = runner::try_engines(&plan.setup, &stop)?;
    for (engine, title) in plan.setup.engines.iter().zip(titles) {
        log::info!("{} is {title:?}", engine.name);
    }
    let notation = match args.notation {
        PgnNotation::Iccs => Notation::Iccs,
        PgnNotation::Wxf => Notation::Wxf,
        PgnNotation::Chinese => Notation::Chinese,
    };
    let pgn = args.pgn.as_deref().map(|path| (path, notation));
    let files = Files::open(plan.header.clone(), args.jsonl.as_deref(), pgn, old.as_ref())?;
    let names = plan.setup.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut desk = Desk {
        standings: Standings::new(names),
        sprt: plan.sprt,
        files,
        bar: progress_bar(args, plan.setup.schedule.games()),
        total: plan.setup.schedule.games(),
        args,
        stop: stop.clone(),
        decided: false,
        error: None,
    };
    let mut done = HashSet::new();
    for game in old.iter().flat_map(|old| &old.games) {
        if desk.standings.add(game) {
            done.insert(game.game);
        }
    }
    desk.bar.inc(done.len() as u64);
    desk.check_test();
    if !desk.decided {
        runner::run(&plan.setup, &done, &stop, |game| desk.take(game));
    }
    desk.finish()
}

/// What the arguments amount to.
struct Plan {
    setup: Setup,
    header: Header,
    sprt: Option<Sprt>,
}

impl Plan {
    fn new(args: &Args) -> Result<Plan, ArenaError> {
        let config = |text: &str| ArenaError::Config(text.to_string());
        let engines = args
            .engine
            .iter()
            .map(|text| EngineSpec::parse(text, &args.each))
            .collect::<Result<Vec<_>, _>>()?;
        if engines.len() < 2 {
            return Err(config("a match needs two engines: give --engine twice or more"));
        }
        let mut names = HashSet::new();
        if let Some(twice) = engines.iter().find(|engine| !names.insert(&engine.name)) {
            return Err(ArenaError::Config(format!("two engines are called {}", twice.name)));
        }
        let rules = rule_set(args.rules.as_deref())?;
        let sprt = args.sprt.as_deref().map(Sprt::parse).transpose()?;
        if sprt.is_some() && engines.len() != 2 {
            return Err(config("--sprt needs exactly two engines"));
        }
        let openings = load_openings(args, rules)?;
        let shard = parse_shard(&args.shard)?;
        let rounds = args.games.map_or(args.rounds, |games| games.div_ceil(2));
        let schedule = Schedule::new(engines.len(), args.gauntlet, rounds, (shard.0 - 1, shard.1));
        let terms = Terms {
            rules,
            draw: args.draw.as_deref().map(DrawRule::parse).transpose()?,
            resign: args.resign.as_deref().map(ResignRule::parse).transpose()?,
            max_plies: args.max_plies,
        };
        let patience = Patience {
            start: Duration::from_secs_f64(args.start_timeout),
            search: Duration::from_secs_f64(args.move_timeout),
            exit: Duration::from_secs_f64(args.exit_timeout),
            margin: Duration::from_millis(u64::from(args.margin)),
        };
        let header = Header {
            format: FORMAT,
            event: args.event.clone(),
            engines: engines.iter().map(engine_entry).collect(),
            gauntlet: args.gauntlet,
            rounds,
            openings: (openings.len(), format!("{:016x}", openings::fingerprint(&openings))),
            rules: rules.name().to_string(),
            settings: settings(args),
            shard,
        };
        let concurrency = usize::from(args.concurrency);
        let setup = Setup { engines, schedule, openings, terms, patience, concurrency };
        Ok(Plan { setup, header, sprt })
    }

    /// The journal to go on with; `None` when there is none yet.
    fn old_journal(&self, args: &Args) -> Result<Option<Journal>, ArenaError> {
        let Some(path) = args.jsonl.as_deref().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let old = journal::read(path)?;
        if old.header != self.header {
            let shown = path.display();
            return Err(ArenaError::File(format!("{shown} was written with other settings")));
        }
        Ok(Some(old))
    }
}

/// Everything beside the engines that two parts of one match must have in common.
fn settings(args: &Args) -> String {
    let part =
        |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name} {value}"));
    let mut parts: Vec<String> =
        [part("draw", &args.draw), part("resign", &args.resign)].into_iter().flatten().collect();
    parts.push(format!("max-plies {}", args.max_plies));
    parts.join("; ")
}

fn engine_entry(spec: &EngineSpec) -> EngineEntry {
    EngineEntry {
        name: spec.name.clone(),
        limits: spec.limits.to_string(),
        options: spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
    }
}

fn load_openings(args: &Args, rules: RuleSet) -> Result<Vec<Opening>, ArenaError> {
    let mut openings = match &args.openings {
        Some(path) => openings::load(path, args.opening_plies, rules)?,
        None => vec![Opening::standard()],
    };
    if args.order == Order::Random {
        openings::shuffle(&mut openings, args.seed);
    }
    Ok(openings)
}

/// `2/8`: the second of eight.
fn parse_shard(text: &str) -> Result<(u64, u64), ArenaError> {
    let numbers = text.split_once('/').and_then(|(index, count)| {
        let (index, count) = (index.parse::<u64>().ok()?, count.parse::<u64>().ok()?);
        (1..=count).contains(&index).then_some((index, count))
    });
    numbers.ok_or_else(|| ArenaError::Config(format!("--shard {text}: expected I/N, as in 2/8")))
}

fn progress_bar(args: &Args, games: u64) -> ProgressBar {
    if args.json || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games, {elapsed}, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

/// Where finished games arrive.
struct Desk<'a> {
    standings: Standings,
    sprt: Option<Sprt>,
    files: Files,
    bar: ProgressBar,
    total: u64,
    args: &'a Args,
    stop: StopSwitch,
    /// The test has ended the match.
    decided: bool,
    error: Option<ArenaError>,
}

impl Desk<'_> {
    fn take(&mut self, game: GameLine) {
        if let Err(error) = self.files.add(&game) {
            // Results that cannot be kept are not worth the electricity.
            self.error = Some(error);
            self.stop.set();
            return;
        }
        self.standings.add(&game);
        self.bar.inc(1);
        let plies = game.moves.split_ascii_whitespace().count();
        self.print(&format!(
            "{}/{} game {}: {} - {} {} ({}, {plies} plies)",
            self.standings.games(),
            self.total,
            game.game + 1,
            game.red,
            game.black,
            game.result,
            game.reason,
        ));
        let games = self.standings.games();
        if self.args.report > 0 && games.is_multiple_of(self.args.report) && games < self.total {
            self.print(&report::text(&self.standings, self.sprt.as_ref()));
        }
        self.check_test();
    }

    fn check_test(&mut self) {
        let Some(sprt) = &self.sprt else { return };
        if sprt.decide(&self.standings.duel(0, 1).pairs).is_some() {
            self.decided = true;
            self.stop.set();
        }
    }

    fn print(&self, text: &str) {
        if !self.args.json {
            self.bar.suspend(|| write_line(text));
        }
    }

    /// Prints the results. `false` when the match was interrupted.
    fn finish(self) -> Result<bool, ArenaError> {
        self.bar.finish_and_clear();
        let complete = self.decided || self.standings.games() >= self.total;
        if self.args.json {
            write_line(&report::json(&self.standings, self.sprt.as_ref(), complete).to_string());
        } else {
            if !complete {
                write_line("Interrupted.");
            }
            write_line(&report::text(&self.standings, self.sprt.as_ref()));
        }
        self.error.map_or(Ok(complete), Err)
    }
}

/// A reader that has gone away is no error: the files are what counts.
fn write_line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
}

/// The rule set of a name.
fn rule_set(name: Option<&str>) -> Result<RuleSet, ArenaError> {
    let Some(name) = name else { return Ok(RuleSet::default()) };
    RuleSet::by_name(name).ok_or_else(|| {
        let known = RuleSet::names().collect::<Vec<_>>().join(" ");
        ArenaError::Config(format!("--rules {name}: not one of {known}"))
    })
}
