//! Layer 3: verdicts over a sequence of positions.
//!
//! [`Game`] keeps every position of a game and adjudicates it; [`Line`] is its light form inside the
//! search. Only this module makes a [`Verdict`].

mod game;
mod line;
mod ruleset;

pub use game::Game;
pub use line::{Line, Repetition};
pub use ruleset::{RepetitionRule, RuleSet};

use std::fmt;

use crate::types::Color;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move; it loses all the same.
    Stalemate,
    /// The loser gave check with every move of a repetition, the other side did not.
    PerpetualCheck,
    /// The position has occurred too often and neither side is at fault.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a man that can cross the river.
    BareMaterial,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::PerpetualCheck => "perpetual check",
            Reason::Repetition => "repetition",
            Reason::NaturalLimit => "too many moves without a capture",
            Reason::BareMaterial => "no attacking men left",
        })
    }
}

/// The state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Play goes on.
    Ongoing,
    /// Nobody wins.
    Draw(Reason),
    /// The named side wins.
    Win(Color, Reason),
}
