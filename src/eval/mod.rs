//! Layer 3: static evaluation, behind one interface.
//!
//! The search owns one [`Evaluator`] per worker and asks it for the value of quiet positions; what
//! answers (a network, or the hand-made evaluation while there is none) is not its concern.

#[forbid(unsafe_code)]
mod calibration;
#[forbid(unsafe_code)]
mod classical;
pub mod nnue;
#[forbid(unsafe_code)]
mod scale;

pub use calibration::Calibration;

use std::sync::Arc;

use crate::position::Position;
use crate::types::{Move, Score};
use nnue::{Change, Network, State};

/// Values positions. One per search worker: it keeps state between calls.
///
/// The search tells it the line it is on, so that a network need not look at the whole board each
/// time: [`Evaluator::reset`] at the root, then [`Evaluator::make`] and [`Evaluator::pass`] at each
/// ply, with nothing to undo. [`Evaluator::evaluate`] values any position, without a line.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// `None` for the hand-made evaluation.
    state: Option<Box<State>>,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// An evaluator for one worker that asks the network that is built in, or the hand-made
    /// evaluation where there is none.
    pub fn new() -> Evaluator {
        nnue::embedded().map_or_else(Evaluator::classical, Evaluator::with_network)
    }

    /// An evaluator for one worker that asks the hand-made evaluation.
    pub fn classical() -> Evaluator {
        Evaluator { state: None }
    }

    /// An evaluator for one worker that asks a network.
    pub fn with_network(network: Arc<Network>) -> Evaluator {
        Evaluator { state: Some(Box::new(State::new(network))) }
    }

    /// The network that is asked, if any.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.state.as_ref().map(|state| state.network())
    }

    /// What the values mean.
    pub fn calibration(&self) -> Calibration {
        Calibration::of(self.network().map(|network| &**network))
    }

    /// Begins a line: `pos` stands at ply 0.
    pub fn reset(&mut self, pos: &Position) {
        if let Some(state) = &mut self.state {
            state.reset(pos);
        }
    }

    /// Makes a move from `pos`, which stands at `ply`; the child stands at `ply + 1`, in place of
    /// whatever stood there.
    #[inline]
    pub fn make(&mut self, pos: &Position, mv: Move, ply: usize) -> Position {
        let mut change = Change::default();
        let child = pos.make_observed(mv, &mut change);
        if let Some(state) = &mut self.state {
            state.push(&child, change, ply);
        }
        child
    }

    /// Makes a pass from `pos`, which stands at `ply`.
    #[inline]
    pub fn pass(&mut self, pos: &Position, ply: usize) -> Position {
        let child = pos.make_null();
        if let Some(state) = &mut self.state {
            state.push(&child, Change::default(), ply);
        }
        child
    }

    /// [`Evaluator::evaluate`] for the position that stands at `ply` of the line.
    #[inline]
    pub fn evaluate_at(&mut self, pos: &Position, ply: usize) -> Score {
        match &mut self.state {
            Some(state) => Score::eval(settled(pos, state.evaluate_at(pos, ply))),
            None => Score::eval(classical::evaluate(pos)),
        }
    }

    /// The static value from the side to move, within ±[`Score::EVAL_MAX`]. The same for a position
    /// and its colour-flipped twin; the hand-made evaluation gives it to the mirror image too.
    ///
    /// Meant for positions without check: a king under attack is not seen as such.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        match &mut self.state {
            Some(state) => Score::eval(settled(pos, state.evaluate(pos))),
            None => Score::eval(classical::evaluate(pos)),
        }
    }
}

/// Rooks, knights and cannons of both sides up to which the endings of [`scale`] are looked for.
const ENDING_MAJORS: usize = 4;

/// The value of a network with what it cannot know, the clock, and what it has hardly seen, since
/// such games are ended early: endings in which the better side has nothing to win with.
#[inline]
fn settled(pos: &Position, value: i32) -> i32 {
    // within the range of evaluations, so that no product overflows
    let value = Score::eval(value).value();
    if nnue::features::majors(pos) > ENDING_MAJORS {
        scale::faded(pos, value)
    } else {
        scale::scaled(pos, value)
    }
}
