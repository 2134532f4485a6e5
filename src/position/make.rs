//! Making moves by copying.

use super::Position;
use crate::types::{Bitboard, Move, Piece, Square, zobrist};

/// Is told how a move changes the board, so that an evaluation can follow without this layer
/// knowing of it.
pub trait Observer {
    /// `piece` goes from one point to another; a captured man has been reported before.
    fn moved(&mut self, piece: Piece, from: Square, to: Square);
    /// `piece` is taken from the board.
    fn captured(&mut self, piece: Piece, sq: Square);
}

/// The observer that looks at nothing and compiles away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignore;

impl Observer for Ignore {
    #[inline]
    fn moved(&mut self, _: Piece, _: Square, _: Square) {}
    #[inline]
    fn captured(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// The position after a pseudo-legal move.
    ///
    /// # Panics
    /// When the origin is empty.
    #[inline]
    pub fn make(&self, mv: Move) -> Position {
        self.make_observed(mv, &mut Ignore)
    }

    /// [`Position::make`] with the changes told to an observer.
    #[inline]
    pub fn make_observed(&self, mv: Move, observer: &mut impl Observer) -> Position {
        let mut pos = *self;
        pos.apply(mv, observer);
        debug_assert!(pos.is_consistent(), "{mv} from {self:?}");
        pos
    }

    /// Works in place so that [`Position::make_observed`] can be inlined down to one copy.
    fn apply(&mut self, mv: Move, observer: &mut impl Observer) {
        let (from, to) = (mv.from(), mv.to());
        let (from_bit, to_bit) = (Bitboard::from(from), Bitboard::from(to));
        let Some(piece) = self.cells[from.index()] else { panic!("no man to move with {mv}") };
        self.rule60 = self.rule60.saturating_add(1);
        if let Some(victim) = self.cells[to.index()] {
            self.colors[victim.color().index()] ^= to_bit;
            self.kinds[victim.kind().index()] ^= to_bit;
            self.key ^= zobrist::piece(victim, to);
            self.rule60 = 0;
            observer.captured(victim, to);
        }
        let both = from_bit | to_bit;
        self.colors[self.side.index()] ^= both;
        self.kinds[piece.kind().index()] ^= both;
        self.cells[from.index()] = None;
        self.cells[to.index()] = Some(piece);
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::SIDE;
        self.fullmove = self.fullmove.saturating_add(self.side as u16);
        self.side = !self.side;
        observer.moved(piece, from, to);
    }

    /// The position after a pass. The clock stands still: a pass is not a move of the game.
    #[inline]
    pub fn make_null(&self) -> Position {
        let mut pos = *self;
        pos.side = !pos.side;
        pos.key ^= zobrist::SIDE;
        pos
    }

    /// The key after a move, without making it (to prefetch the hash table).
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key ^ zobrist::SIDE;
        if let Some(piece) = self.piece_on(from) {
            key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        if let Some(victim) = self.piece_on(to) {
            key ^= zobrist::piece(victim, to);
        }
        key
    }
}
