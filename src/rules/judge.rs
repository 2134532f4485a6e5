//! The seam between what is common to all rule sets and what each decides for itself.

use super::{Reason, Ruling, Window};
use crate::types::Color;

/// What the moves of one side in a window have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// All of them give check.
    pub all: bool,
    /// At least one gives check.
    pub any: bool,
}

impl Checks {
    /// Of the moves of both sides, Red first.
    pub fn of(window: &Window<'_>) -> [Checks; 2] {
        Color::ALL.map(|side| Checks {
            all: window.own_plies(side).all(|ply| window.gives_check(ply)),
            any: window.own_plies(side).any(|ply| window.gives_check(ply)),
        })
    }
}

/// Decides over the moves between two occurrences of a position.
pub trait Judge: Sync {
    /// The full ruling with the class of every move, for adjudication. May take milliseconds.
    fn judge(&self, window: &Window<'_>) -> Ruling;

    /// Fault and reason of [`Judge::judge`] alone, where they can be had for less.
    fn brief(&self, window: &Window<'_>) -> (Option<Color>, Reason) {
        let ruling = self.judge(window);
        (ruling.at_fault, ruling.reason)
    }

    /// The side at fault, for the search, which asks in the middle of the tree: microseconds. It
    /// may be coarser than [`Judge::judge`] where that is too slow.
    ///
    /// `matters` names the only side whose fault is of interest, if there is one: the answer `None`
    /// is right whenever that side is not at fault.
    fn fault(&self, window: &Window<'_>, matters: Option<Color>) -> Option<Color>;

    /// The answer of [`Judge::fault`] when it follows from the checks alone, which a search knows
    /// without looking at the board; `None` when it does not.
    fn by_checks(&self, checks: [Checks; 2], matters: Option<Color>) -> Option<Option<Color>> {
        let _ = (checks, matters);
        None
    }
}
