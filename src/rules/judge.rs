//! The seam between what is common to all rule sets and what each decides for itself.

use super::{Ruling, Window};
use crate::types::Color;

/// Decides over the moves between two occurrences of a position.
pub trait Judge: Sync {
    /// The full ruling with the class of every move, for adjudication. May take milliseconds.
    fn judge(&self, window: &Window<'_>) -> Ruling;

    /// The side at fault, for the search, which asks in the middle of the tree: microseconds. It
    /// may be coarser than [`Judge::judge`] where that is too slow.
    ///
    /// `matters` names the only side whose fault is of interest, if there is one: the answer `None`
    /// is right whenever that side is not at fault.
    fn fault(&self, window: &Window<'_>, matters: Option<Color>) -> Option<Color>;
}
