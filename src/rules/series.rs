//! Rules that count over the whole game instead of waiting for a position to recur.

use super::{MoveClass, Reason};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Square};

/// How a counted rule ended the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesRuling {
    /// The side that loses; `None` is a draw.
    pub at_fault: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// The moves of the series that decided, as plies of the game: from the first, up to but not
    /// including the last.
    pub window: (usize, usize),
    /// One class for each of them.
    pub classes: Vec<MoveClass>,
}

/// A counted rule.
pub trait Series: Sync {
    /// The first ruling that the moves of a game bring about; `None` while the game goes on.
    /// `positions` has one element more than `moves`.
    fn judge(&self, positions: &[Position], moves: &[Move]) -> Option<SeriesRuling>;
}

/// Tells men apart over a whole game, captures included. A man's name is the point it stood on at
/// the start.
#[derive(Clone, Debug)]
pub(super) struct Names([Square; 90]);

impl Names {
    /// At the start of the game.
    pub(super) fn new() -> Names {
        Names(Square::ALL)
    }

    /// Follows a move.
    pub(super) fn play(&mut self, mv: Move) {
        self.0[mv.to().index()] = self.0[mv.from().index()];
    }

    /// The name of the man on a point.
    pub(super) fn of(&self, sq: Square) -> Square {
        self.0[sq.index()]
    }

    /// The names of all men on some points.
    pub(super) fn of_all(&self, set: Bitboard) -> Bitboard {
        set.into_iter().map(|sq| self.of(sq)).collect()
    }
}
