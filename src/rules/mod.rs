//! Layer 3: verdicts over a sequence of positions.
//!
//! [`Game`] keeps every position of a game and adjudicates it; [`Line`] is its light form inside the
//! search. Only this module makes a [`Verdict`].
//!
//! A [`RuleSet`] says which rules apply. Each named set is one file below `sets/`: numbers, and a
//! [`Judge`] that rules on a [`Window`], the moves between two occurrences of a position. Most sets
//! share one judge that grades both sides (`graded`) over a common notion of threats (`chase`) and
//! differ in a few switches; others bring their own, or count series of moves ([`Series`]).

mod chase;
mod cxa;
mod facts;
mod game;
mod graded;
mod judge;
mod judgement;
mod limit;
mod line;
mod ruleset;
mod series;
mod sets;
mod window;

pub use facts::{Chase, FalseGuard, FalseRoot, Grounds, Man, MoveClass, MoveKind, Ruling};
pub use game::Game;
pub use judge::{Checks, Judge};
pub use judgement::{JudgedMove, Judgement};
pub use line::{Line, Repetition};
pub use ruleset::{Definition, DrawAward, RuleSet};
pub use series::{Series, SeriesRuling};
pub use window::Window;

use std::fmt;

use serde::Serialize;

use crate::types::Color;

/// Why a game is over, or that it is not. Serialises to the machine word of [`Reason::word`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The game is not over.
    None,
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move; it loses all the same.
    Stalemate,
    /// The loser gave check with every move of a repetition, the other side did not.
    PerpetualCheck,
    /// The loser gave check or threatened mate with every move.
    CheckAndMateThreat,
    /// The loser attacked one and the same man with every move.
    PerpetualChase,
    /// Every move of the loser was forbidden in one way or another.
    ForbiddenLoop,
    /// Every move of both sides was forbidden, the loser's more heavily.
    HeavierLoop,
    /// More checks in a row than the rules allow.
    TooManyChecks,
    /// More attacks in a row on one man than the rules allow.
    TooManyAttacks,
    /// Both sides gave check with every move.
    MutualPerpetualCheck,
    /// Both sides chased with every move.
    MutualPerpetualChase,
    /// Both sides are at fault in the same degree.
    MutualFault,
    /// The position has occurred too often and neither side is at fault.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Too many moves without a capture or a pawn stepping forward.
    NoProgress,
    /// Too many moves in all.
    MoveLimit,
    /// Neither side has a man that can cross the river.
    BareMaterial,
}

impl Reason {
    /// The machine word: lower case, `_` between words.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::None => "none",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::PerpetualCheck => "perpetual_check",
            Reason::CheckAndMateThreat => "check_and_mate_threat",
            Reason::PerpetualChase => "perpetual_chase",
            Reason::ForbiddenLoop => "forbidden_loop",
            Reason::HeavierLoop => "heavier_loop",
            Reason::TooManyChecks => "too_many_checks",
            Reason::TooManyAttacks => "too_many_attacks",
            Reason::MutualPerpetualCheck => "mutual_perpetual_check",
            Reason::MutualPerpetualChase => "mutual_perpetual_chase",
            Reason::MutualFault => "mutual_fault",
            Reason::Repetition => "repetition",
            Reason::NaturalLimit => "natural_limit",
            Reason::NoProgress => "no_progress",
            Reason::MoveLimit => "move_limit",
            Reason::BareMaterial => "bare_material",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::None => "the game goes on",
            Reason::NaturalLimit => "too many moves without a capture",
            Reason::BareMaterial => "no attacking men left",
            other => return f.write_str(&other.word().replace('_', " ")),
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
