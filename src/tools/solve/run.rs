//! Searching the positions of a test file, and playing announced mates out.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::super::common::new_engine;
use super::goal::{Case, Goal, Wanted, mate_in};
use crate::clock::Budget;
use crate::engine::{Answer, Engine, Request};
use crate::rules::Game;
use crate::search::{Control, Info, InfoSink, Limits};
use crate::types::{Move, Score};

/// How to search each position.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub threads: u16,
    pub hash: u32,
    pub rules: &'static str,
    /// Play announced mates out.
    pub replay: bool,
}

/// What became of a case.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub solved: bool,
    /// From when on the answer was right, in searches that solved the case.
    pub since: Duration,
    pub mv: Option<Move>,
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
    /// An announced mate that could not be given in the moves announced.
    pub false_mate: bool,
}

/// Watches a search: since when its answer has been right.
struct Watcher {
    goal: Goal,
    control: Arc<Control>,
    progress: Arc<Mutex<Option<Duration>>>,
}

impl InfoSink for Watcher {
    fn info(&mut self, info: &Info<'_>) {
        let met = self.goal.is_met(info.score, info.pv[0]);
        let mut since = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        *since = if met { since.or(Some(info.time)) } else { None };
        if met && self.goal.is_final() {
            self.control.stop();
        }
    }
}

/// Solves all cases with `workers` searches side by side; findings arrive in the order in which
/// they are made. Setting `interrupted` ends the work after the searches that are running.
///
/// # Errors
/// When the hash table cannot be had.
pub(super) fn solve_all(
    cases: &Arc<Vec<Case>>,
    settings: &Settings,
    workers: usize,
    interrupted: &Arc<AtomicBool>,
) -> Result<Receiver<(usize, Finding)>, String> {
    let next = Arc::new(AtomicUsize::new(0));
    let (sender, findings) = channel();
    for _ in 0..workers.clamp(1, cases.len().max(1)) {
        let mut engine = new_engine(settings.hash, settings.threads, settings.rules)?;
        let (cases, settings, next) = (Arc::clone(cases), settings.clone(), Arc::clone(&next));
        let (sender, interrupted) = (sender.clone(), Arc::clone(interrupted));
        std::thread::spawn(move || {
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(case) = cases.get(index).filter(|_| !interrupted.load(Relaxed)) else {
                    return;
                };
                if sender.send((index, solve(&mut engine, case, &settings))).is_err() {
                    return;
                }
            }
        });
    }
    Ok(findings)
}

/// Searches one position without knowledge of those before it.
fn solve(engine: &mut Engine, case: &Case, settings: &Settings) -> Finding {
    engine.new_game();
    let game = Game::new(case.pos);
    let mut finding = search(engine, &game, &case.goal, settings);
    if settings.replay
        && let Some(moves) = mate_in(finding.score)
    {
        finding.false_mate = !plays_out(engine, game, moves, settings);
    }
    finding
}

fn search(engine: &mut Engine, game: &Game, goal: &Goal, settings: &Settings) -> Finding {
    engine.set_game(Some(game.clone()));
    let control = Arc::new(Control::new(false));
    let progress = Arc::new(Mutex::new(None));
    let watcher = Watcher {
        goal: goal.clone(),
        control: Arc::clone(&control),
        progress: Arc::clone(&progress),
    };
    let limits = Limits {
        nodes: settings.nodes,
        depth: settings.depth,
        budget: settings.time.map(|time| Budget { soft: time, hard: time }),
        ..Limits::default()
    };
    let answer = engine.go(&Request { limits, only: None }, &control, Box::new(watcher));
    let since = *progress.lock().unwrap_or_else(PoisonError::into_inner);
    let nodes = engine.counters().map_or(0, |counters| counters.total());
    match answer {
        Answer::Found(outcome) => {
            let mv = outcome.pv[0];
            Finding {
                solved: goal.is_met(outcome.score, mv),
                since: since.unwrap_or_else(|| control.elapsed()),
                mv: Some(mv),
                score: outcome.score,
                depth: outcome.depth,
                nodes,
                false_mate: false,
            }
        }
        // There is no book here.
        Answer::NoMove | Answer::NoPosition | Answer::Book(_) => {
            // No move is a loss, which only some goals ask for.
            let score = Score::mated_in(0);
            let solved = matches!(goal, Goal::Mated | Goal::Result(Wanted::Loss, _));
            let since = control.elapsed();
            Finding { solved, since, mv: None, score, depth: 0, nodes, false_mate: false }
        }
    }
}

/// Plays a mate announced in so many moves: both sides search, the defender as long as it may,
/// and the mate must stand on the board in time.
fn plays_out(engine: &mut Engine, mut game: Game, moves: u32, settings: &Settings) -> bool {
    for left in (1..=moves).rev() {
        let attack = search(engine, &game, &Goal::Mate(left), settings);
        let Some(mv) = attack.mv.filter(|_| attack.solved) else { return false };
        game.play(mv);
        if !game.position().has_legal_move() {
            return true;
        }
        let defence = search(engine, &game, &Goal::Avoid(Vec::new()), settings);
        let Some(mv) = defence.mv else { return false };
        game.play(mv);
    }
    false
}
