//! What a judge found, as plain data: the class of every move and the grounds for it. The words
//! for people are made elsewhere.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::Reason;
use crate::types::{Color, Piece, Square};

/// A man and the point it stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Man {
    /// The man; written as its FEN letter.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
    /// Its point; written `a0`..`i9`.
    #[serde(serialize_with = "text")]
    pub square: Square,
}

/// The class of a move. Rule sets differ in which classes they tell apart: only the rules of the
/// Chinese association use the four between chase and idle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveKind {
    /// Attacks the king.
    Check,
    /// Threatens mate.
    Kill,
    /// Attacks a man the rule set protects from being chased.
    Chase,
    /// Offers to exchange.
    Exchange,
    /// Offers a man.
    Sacrifice,
    /// Stands in the way.
    Block,
    /// Stays close to a man without attacking it.
    Follow,
    /// Nothing of the above.
    Idle,
}

/// Why a man that could recapture does not count as a guard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FalseRoot {
    /// Its own king would be in check from a man that did not attack it before.
    Pinned,
    /// The capture uncovers a check by another man, which the recapture does not answer.
    DiscoveredCheck,
    /// It is the king and would step into attack.
    KingIntoAttack,
    /// A cannon whose screen is the attacker: once that has captured, the screen is gone.
    ScreenGone,
}

/// A man that seems to guard a victim and does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FalseGuard {
    /// The man.
    pub guard: Man,
    /// Why it cannot take back.
    pub why: FalseRoot,
}

/// Why an attack counts although, or because, of what guards the victim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Grounds {
    /// No man bears on the victim.
    Unguarded,
    /// Men bear on the victim, but none can legally take back.
    FalseRoot {
        /// All of them.
        guards: Vec<FalseGuard>,
    },
    /// The victim outranks its attacker, so guards do not matter.
    Stronger {
        /// A man that could legally take back, if any.
        guard: Option<Man>,
    },
    /// The victim is guarded, but the complete exchange wins material.
    Outnumbered,
    /// Material is won by some longer forced line.
    Combination,
}

/// One attack that makes a move a chase. Points are those after the move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chase {
    /// The man that could take; not always the man that moved.
    pub attacker: Man,
    /// The man that could be taken.
    pub victim: Man,
    /// Why the attack counts.
    pub grounds: Grounds,
    /// Two or more attackers are needed to win the victim.
    pub joint: bool,
}

/// The class of one move with its grounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveClass {
    /// The class.
    pub kind: MoveKind,
    /// Men that give check; empty unless `kind` is a check.
    pub checkers: Vec<Man>,
    /// The attacks that make it a chase; may be filled for other classes too.
    pub chases: Vec<Chase>,
}

impl MoveClass {
    /// A class without grounds.
    pub fn plain(kind: MoveKind) -> MoveClass {
        MoveClass { kind, checkers: Vec::new(), chases: Vec::new() }
    }
}

/// What a rule set says of a window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The side that loses; `None` is a draw.
    pub at_fault: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// One class a move, in order.
    pub classes: Vec<MoveClass>,
    /// The men chased by every move of the side at fault (of both sides in a mutual chase), where
    /// they stand in the last position.
    pub victims: Vec<Man>,
}

/// Serialises through `Display`.
pub(super) fn text<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

fn letter<S: Serializer>(piece: &Piece, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_char(piece.letter())
}
