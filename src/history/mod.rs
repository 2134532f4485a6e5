//! Layer 1: statistics tables of the search.
//!
//! Every table moves its entries towards a bonus by the *gravity* rule
//! `entry += bonus - entry * |bonus| / LIMIT`, so that values stay within ±LIMIT and old news fades
//! (first described in Stockfish's history tables).

use crate::types::{Color, Move, Piece, PieceType, Square};

/// Entries stay within ± this.
pub const LIMIT: i32 = 16_384;

#[inline]
fn gravitate(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - *entry as i32 * bonus.abs() / LIMIT) as i16;
}

/// How well quiet moves did, by side, origin and target.
#[derive(Clone, Debug)]
pub struct QuietHistory(Box<[[i16; Move::INDEX_COUNT]; 2]>);

impl QuietHistory {
    /// All zero.
    pub fn new() -> QuietHistory {
        QuietHistory(boxed([0; Move::INDEX_COUNT]))
    }

    /// Within ±[`LIMIT`].
    #[inline]
    pub fn get(&self, side: Color, mv: Move) -> i32 {
        self.0[side.index()][mv.index()] as i32
    }

    /// Rewards (or, with a negative bonus, punishes) a move.
    #[inline]
    pub fn update(&mut self, side: Color, mv: Move, bonus: i32) {
        gravitate(&mut self.0[side.index()][mv.index()], bonus);
    }
}

/// How well captures did, by capturing man, target and victim type.
#[derive(Clone, Debug)]
pub struct CaptureHistory(Box<[[[i16; 7]; 90]; 14]>);

impl CaptureHistory {
    /// All zero.
    pub fn new() -> CaptureHistory {
        CaptureHistory(boxed([[0; 7]; 90]))
    }

    /// Within ±[`LIMIT`].
    #[inline]
    pub fn get(&self, piece: Piece, to: Square, victim: PieceType) -> i32 {
        self.0[piece.index()][to.index()][victim.index()] as i32
    }

    /// Rewards or punishes a capture.
    #[inline]
    pub fn update(&mut self, piece: Piece, to: Square, victim: PieceType, bonus: i32) {
        gravitate(&mut self.0[piece.index()][to.index()][victim.index()], bonus);
    }
}

/// How well a quiet move did after an earlier move: by that move's man and target, then by this
/// move's.
#[derive(Clone, Debug)]
pub struct ContinuationHistory(Box<[[[[i16; 90]; 14]; 90]; 14]>);

/// A man on the point it went to: one half of a continuation.
pub type PieceTo = (Piece, Square);

impl ContinuationHistory {
    /// All zero; 3.2 MB.
    pub fn new() -> ContinuationHistory {
        ContinuationHistory(boxed([[[0; 90]; 14]; 90]))
    }

    /// Within ±[`LIMIT`].
    #[inline]
    pub fn get(&self, before: PieceTo, now: PieceTo) -> i32 {
        let (piece, to) = before;
        self.0[piece.index()][to.index()][now.0.index()][now.1.index()] as i32
    }

    /// Rewards or punishes a move in the light of an earlier one.
    #[inline]
    pub fn update(&mut self, before: PieceTo, now: PieceTo, bonus: i32) {
        let (piece, to) = before;
        let entry = &mut self.0[piece.index()][to.index()][now.0.index()][now.1.index()];
        gravitate(entry, bonus);
    }
}

/// By how much the static evaluation of similar positions proved wrong, by side and a key that
/// groups positions (the placement of pawns, say).
#[derive(Clone, Debug)]
pub struct CorrectionHistory(Box<[[i16; CorrectionHistory::SIZE]; 2]>);

impl CorrectionHistory {
    const SIZE: usize = 1 << 14;
    /// Entries are in this fraction of a centipawn.
    const GRAIN: i32 = 128;

    /// All zero.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(boxed([0; CorrectionHistory::SIZE]))
    }

    /// Centipawns to add to the evaluation.
    #[inline]
    pub fn get(&self, side: Color, key: u64) -> i32 {
        self.0[side.index()][key as usize % Self::SIZE] as i32 / Self::GRAIN
    }

    /// Learns that the evaluation was `error` centipawns too low, from a search of `depth`.
    #[inline]
    pub fn update(&mut self, side: Color, key: u64, error: i32, depth: i32) {
        let bonus = error * depth * Self::GRAIN / 8;
        let limit = LIMIT / 4;
        gravitate(&mut self.0[side.index()][key as usize % Self::SIZE], bonus.clamp(-limit, limit));
    }
}

/// An array on the heap without a detour over the stack.
fn boxed<T: Copy, const N: usize>(element: T) -> Box<[T; N]> {
    match vec![element; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has the length of the array"),
    }
}

macro_rules! default_is_new {
    ($($table:ident)*) => {$(
        impl Default for $table {
            fn default() -> $table {
                $table::new()
            }
        }
    )*};
}

default_is_new! { QuietHistory CaptureHistory ContinuationHistory CorrectionHistory }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_approach_the_limit_and_come_back() {
        let mut history = QuietHistory::new();
        let mv = Move::new(Square::H2, Square::E2);
        for _ in 0..1000 {
            history.update(Color::Red, mv, 2000);
        }
        assert!((LIMIT * 9 / 10..=LIMIT).contains(&history.get(Color::Red, mv)));
        assert_eq!(history.get(Color::Black, mv), 0);
        for _ in 0..1000 {
            history.update(Color::Red, mv, -LIMIT * 3);
        }
        assert_eq!(history.get(Color::Red, mv), -LIMIT);
    }

    #[test]
    fn corrections_follow_the_error() {
        let mut history = CorrectionHistory::new();
        for _ in 0..200 {
            history.update(Color::Black, 5, 40, 8);
        }
        assert!(history.get(Color::Black, 5) > 10);
        assert_eq!(history.get(Color::Black, 6), 0);
    }
}
