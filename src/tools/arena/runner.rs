//! Playing the games of a schedule on several threads.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::ArenaError;
use super::game::{self, Ending, Finished, Terms, side_name};
use super::journal::GameLine;
use super::openings::Opening;
use super::player::{Fault, Patience, Player};
use super::schedule::{Schedule, Task};
use super::spec::EngineSpec;
use super::stop::StopSwitch;
use crate::record::Outcome;
use crate::types::{Color, Move};

/// Everything a match needs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The engines, names unique.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Openings in the order of play, at least one; after the last the first comes again.
    pub openings: Vec<Opening>,
    /// What the games share.
    pub terms: Terms,
    /// How long engines may take.
    pub patience: Patience,
    /// Games at a time.
    pub concurrency: usize,
}

/// Starts every engine once and ends it, so that a wrong path is found before the first game.
/// Returns what the engines call themselves.
///
/// # Errors
/// The first engine that does not start.
pub fn try_engines(setup: &Setup, stop: &StopSwitch) -> Result<Vec<String>, ArenaError> {
    let mut titles = Vec::new();
    for spec in &setup.engines {
        match Player::start(spec, setup.patience, stop) {
            Ok(player) => titles.push(player.title().to_string()),
            Err(Fault::Start(why)) => {
                return Err(ArenaError::Engine(format!("{}: {why}", spec.name)));
            }
            Err(Fault::Interrupted) => return Err(ArenaError::Engine("interrupted".to_string())),
            Err(fault) => return Err(ArenaError::Engine(format!("{}: {fault:?}", spec.name))),
        }
    }
    Ok(titles)
}

/// Plays all games but those in `done`, and hands each to `on_game` on the calling thread, in the
/// order in which they end. Returns when all are played or `stop` is set; games in progress are then
/// dropped and their engines ended.
pub fn run(
    setup: &Setup,
    done: &HashSet<u64>,
    stop: &StopSwitch,
    mut on_game: impl FnMut(GameLine),
) {
    let tasks = setup.schedule.tasks().filter(|task| !done.contains(&task.game));
    let queue = Mutex::new(tasks);
    let (sender, results) = channel();
    thread::scope(|scope| {
        for _ in 0..setup.concurrency.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                Worker { setup, stop, seats: HashMap::new() }.work(next, &sender);
            });
        }
        drop(sender);
        // A game that ends after the switch was set is as complete as any other; but the decision
        // that set it was made without it, so it is dropped.
        for line in results {
            if !stop.is_set() {
                on_game(line);
            }
        }
    });
}

/// One thread with the engines of its last game.
struct Worker<'a> {
    setup: &'a Setup,
    stop: &'a StopSwitch,
    seats: HashMap<usize, Player>,
}

impl Worker<'_> {
    fn work(&mut self, mut next: impl FnMut() -> Option<Task>, results: &Sender<GameLine>) {
        while !self.stop.is_set() {
            let Some(task) = next() else { break };
            self.seats.retain(|&engine, _| engine == task.red || engine == task.black);
            let Some(finished) = self.play(task) else { break };
            if results.send(self.line(task, &finished)).is_err() {
                break;
            }
        }
    }

    fn opening(&self, task: Task) -> &Opening {
        let openings = &self.setup.openings;
        &openings[(task.round % openings.len() as u64) as usize]
    }

    fn play(&mut self, task: Task) -> Option<Finished> {
        let mut players = Vec::new();
        for (color, engine) in [(Color::Red, task.red), (Color::Black, task.black)] {
            let seated = self.seats.remove(&engine).map_or_else(
                || Player::start(&self.setup.engines[engine], self.setup.patience, self.stop),
                Ok,
            );
            match seated {
                Ok(player) => players.push(player),
                Err(Fault::Start(why)) => {
                    // A machine in trouble must not lose a whole match in a second.
                    thread::sleep(Duration::from_millis(200));
                    return Some(no_start(color, &why));
                }
                Err(_) => return None,
            }
        }
        let limits = [task.red, task.black].map(|engine| self.setup.engines[engine].limits);
        let [red, black] = &mut players[..] else { return None };
        let finished =
            game::play(&self.opening(task).game(), [red, black], limits, &self.setup.terms)?;
        for ((engine, player), usable) in
            [task.red, task.black].into_iter().zip(players).zip(finished.usable)
        {
            if usable && !self.setup.engines[engine].restart {
                self.seats.insert(engine, player);
            }
        }
        Some(finished)
    }

    fn line(&self, task: Task, finished: &Finished) -> GameLine {
        let name = |engine: usize| self.setup.engines[engine].name.clone();
        let opening = self.opening(task);
        let words =
            |moves: &[Move]| moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
        let played = &finished.played;
        GameLine {
            game: task.game,
            round: task.round + 1,
            red: name(task.red),
            black: name(task.black),
            date: today(),
            fen: opening.start.fen(),
            opening: words(&opening.moves),
            moves: words(&played.iter().map(|ply| ply.mv).collect::<Vec<_>>()),
            scores: played.iter().map(|ply| ply.report.score).collect(),
            depths: played.iter().map(|ply| ply.report.depth).collect(),
            times: played.iter().map(|ply| ply.elapsed.as_millis() as u64).collect(),
            result: finished.outcome.to_string(),
            ending: finished.ending,
            reason: finished.reason.clone(),
            rule: finished.rule.map(str::to_string),
            fault: finished.fault.map(|color| match color {
                Color::Red => name(task.red),
                Color::Black => name(task.black),
            }),
        }
    }
}

fn no_start(color: Color, why: &str) -> Finished {
    Finished {
        outcome: Outcome::win(!color),
        ending: Ending::NoStart,
        reason: format!("{} does not start: {why}", side_name(color)),
        rule: None,
        fault: Some(color),
        played: Vec::new(),
        usable: [false; 2],
    }
}

/// The day in UTC as PGN writes it.
fn today() -> String {
    jiff::Timestamp::now().to_string().chars().take(10).collect::<String>().replace('-', ".")
}
