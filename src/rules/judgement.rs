//! Everything the rules say of a game, as plain data.

use serde::{Serialize, Serializer};

use super::facts::text;
use super::{Man, MoveClass, Reason, Verdict};
use crate::types::{Color, Move};

/// A move of the stretch that was judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JudgedMove {
    /// Its number in the game, from 0.
    pub ply: usize,
    /// Who made it.
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// The move.
    #[serde(rename = "move", serialize_with = "text")]
    pub mv: Move,
    /// What it is, and why.
    #[serde(flatten)]
    pub class: MoveClass,
}

/// The adjudication of a game as it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Judgement {
    /// Name of the rule set.
    pub rules: &'static str,
    /// The verdict; written `red_loss`, `black_loss`, `draw` or `undecided`.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// How often the position on the board has occurred since the last capture, now included.
    pub occurrences: u32,
    /// Plies that count towards the natural limit.
    pub clock: u16,
    /// The stretch that was judged, as numbers of positions: the moves from the first, inclusive,
    /// to the last, exclusive, lead from one to the other. `None` when no series of moves decided.
    pub window: Option<(usize, usize)>,
    /// Its moves.
    pub moves: Vec<JudgedMove>,
    /// The men chased by every move of the side at fault, or of either side in a mutual chase,
    /// where they stand now.
    pub victims: Vec<Man>,
    /// Legal moves that would lose at once by completing a forbidden repetition or series.
    #[serde(serialize_with = "moves")]
    pub banned: Vec<Move>,
}

impl Verdict {
    /// The machine word: `red_loss`, `black_loss`, `draw` or `undecided`.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Ongoing => "undecided",
            Verdict::Draw(_) => "draw",
            Verdict::Win(Color::Black, _) => "red_loss",
            Verdict::Win(Color::Red, _) => "black_loss",
        }
    }

    /// Why; [`Reason::None`] while the game goes on.
    pub const fn reason(self) -> Reason {
        match self {
            Verdict::Ongoing => Reason::None,
            Verdict::Draw(reason) | Verdict::Win(_, reason) => reason,
        }
    }

    /// The verdict when `at_fault` loses, or nobody does.
    pub(super) fn from_fault(at_fault: Option<Color>, reason: Reason) -> Verdict {
        at_fault.map_or(Verdict::Draw(reason), |side| Verdict::Win(!side, reason))
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.word())
    }
}

fn color<S: Serializer>(color: &Color, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(match color {
        Color::Red => "red",
        Color::Black => "black",
    })
}

fn moves<S: Serializer>(moves: &[Move], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(moves.iter().map(Move::to_string))
}
