//! Layer 4: opening books. A [`Book`] is a file in the BOOK.DAT format of XQWizard: positions by a
//! 32-bit key, each with moves and weights.

mod key;
mod read;

pub use key::key;
pub use read::{BookError, MAX_FILE};

use crate::position::Position;
use crate::types::{Move, Square};

/// A move of a book and how much the book likes it, above 0; weights of one position compare, others
/// do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight.
    pub weight: u16,
}

/// One record of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Record {
    /// Third key of the position.
    lock: u32,
    mv: Move,
    weight: u16,
}

/// An opening book in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// Sorted by lock; those of one lock in the order of the file.
    records: Vec<Record>,
}

impl Book {
    /// How many records it has.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has none; a book that was read has some.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The moves for a position, highest weight first, equal weights in the order of the file. Only
    /// when the position has no record is its mirror image looked up, and the moves mirrored. Moves
    /// that are not legal or have no weight are left out: two positions may share a key, and a
    /// weight of 0 says that a move is not to be played.
    pub fn moves(&self, pos: &Position) -> Vec<BookMove> {
        let exact = self.records_of(pos);
        let mirrored = if exact.is_empty() { self.records_of(&pos.mirror()) } else { &[] };
        let mirrored = mirrored.iter().map(|record| (record.mv.mirror(), record.weight));
        let all = exact.iter().map(|record| (record.mv, record.weight)).chain(mirrored);
        let mut moves: Vec<BookMove> = Vec::new();
        for (mv, weight) in all.filter(|&(mv, weight)| weight > 0 && pos.is_legal(mv)) {
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.max(weight),
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    fn records_of(&self, pos: &Position) -> &[Record] {
        let [_, _, lock] = key(pos);
        let first = self.records.partition_point(|record| record.lock < lock);
        let rest = self.records.get(first..).unwrap_or_default();
        let count = rest.partition_point(|record| record.lock == lock);
        rest.get(..count).unwrap_or_default()
    }
}

/// The index of a move drawn in proportion to the weights; `random` is uniform in 0..1. `None` when
/// there are no moves.
pub fn draw(moves: &[BookMove], random: f64) -> Option<usize> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    let mut rest = random * total as f64;
    for (index, known) in moves.iter().enumerate() {
        rest -= f64::from(known.weight);
        if rest < 0.0 {
            return Some(index);
        }
    }
    moves.len().checked_sub(1)
}

/// A square as the format numbers them: 16 a rank, from the far rank down, three to the left of the
/// board and three ranks above it.
fn square_number(sq: Square) -> u8 {
    (12 - sq.rank()) * 16 + sq.file() + 3
}

/// The square with this number, if it is on the board.
fn square_of(number: u8) -> Option<Square> {
    Square::from_coords((number & 15).checked_sub(3)?, 12u8.checked_sub(number >> 4)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_their_numbers() {
        for (sq, number) in [(Square::A9, 0x33), (Square::A0, 0xc3), (Square::I0, 0xcb)] {
            assert_eq!(square_number(sq), number);
        }
        let on_board = (0..=255).filter_map(square_of).count();
        assert_eq!(on_board, 90);
        assert!(Square::ALL.iter().all(|&sq| square_of(square_number(sq)) == Some(sq)));
    }

    #[test]
    fn moves_are_drawn_as_often_as_their_weights_say() {
        let moves = [("h2e2", 47), ("g3g4", 42), ("g0e2", 11)]
            .map(|(mv, weight)| BookMove { mv: mv.parse().unwrap(), weight });
        let mut counts = [0; 3];
        for i in 0..1000 {
            counts[draw(&moves, f64::from(i) / 1000.0).unwrap()] += 1;
        }
        assert_eq!(counts, [470, 420, 110]);
        assert_eq!(draw(&moves, 1.0), Some(2), "whatever rounding does");
        assert_eq!(draw(&[], 0.5), None);
    }
}
