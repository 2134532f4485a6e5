//! Layer 3: static evaluation, behind one interface.
//!
//! The search owns one [`Evaluator`] per worker and asks it for the value of quiet positions; what
//! answers (the hand-made evaluation here, a network one day) is not its concern.

mod classical;
pub mod nnue;

use crate::position::Position;
use crate::types::Score;

/// Values positions. One per search worker: an evaluation may keep state between calls, though the
/// classical one needs none.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// An evaluator for one worker.
    pub fn new() -> Evaluator {
        Evaluator {}
    }

    /// The static value from the side to move, within ±[`Score::EVAL_MAX`]. The same for a
    /// position, its mirror image and its colour-flipped twin.
    ///
    /// Meant for positions without check: a king under attack is not seen as such.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        Score::eval(classical::evaluate(pos))
    }
}
