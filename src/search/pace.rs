//! How much of the planned time a position deserves, judged after each iteration.

use super::params::*;
use super::root::RootMove;
use crate::types::{Move, Score};

/// What the iterations so far say about how settled the choice is.
#[derive(Debug, Default)]
pub(super) struct Pace {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stable: i32,
    previous: Option<Score>,
    scale: f64,
}

/// Iterations after which an unchanged best move gains no more trust.
const STABLE_ENOUGH: i32 = 8;
/// A fall of the value by more than this, in centipawns, asks for no more time than this does.
const LARGEST_FALL: i32 = 60;

impl Pace {
    /// Learns from a completed iteration. `nodes` is what this worker has searched for all moves.
    pub(super) fn learn(&mut self, best: &RootMove, nodes: u64) {
        self.stable = if self.best == Some(best.mv) { self.stable + 1 } else { 0 };
        self.best = Some(best.mv);
        let percent = |value: i32| f64::from(value) / 100.0;
        let settled = f64::from(self.stable.min(STABLE_ENOUGH)) / f64::from(STABLE_ENOUGH);
        let stability = percent(pace_unstable()) - percent(pace_stability_gain()) * settled;
        // a move on which all effort goes has no rival
        let effort = best.nodes as f64 / nodes.max(1) as f64;
        let rivalry = percent(pace_rivalry()) - percent(pace_effort_gain()) * effort;
        let fall = match self.previous {
            Some(then) if !then.is_decisive() && !best.score.is_decisive() => {
                (then - best.score).clamp(-LARGEST_FALL / 2, LARGEST_FALL)
            }
            _ => 0,
        };
        let alarm = 1.0 + f64::from(fall) * f64::from(pace_fall()) / 10_000.0;
        self.previous = Some(best.score);
        self.scale = (stability * rivalry * alarm).max(0.1);
    }

    /// Factor for the planned time; its mean over a game is near 1.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}
