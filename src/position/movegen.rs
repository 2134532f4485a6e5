//! Fully legal move generation.
//!
//! Without check every target set is masked by pins and forbidden points, so it is legal before any
//! move exists and a leaf can be counted without making it. A single check narrows the sets to the
//! points that answer it, which pins leave exact; in double check (rare) each target is tested.

use bitflags::bitflags;

use super::{CheckInfo, Position};
use crate::attacks;
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceType, Square};

bitflags! {
    /// Which moves to generate.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct MoveKinds: u8 {
        /// Moves that take a man.
        const CAPTURES = 1;
        /// Moves that do not.
        const QUIETS = 2;
    }
}

impl Position {
    /// Calls `sink` with each man of the side to move and the set of its legal targets among
    /// `within`; sets may be empty.
    #[inline]
    pub fn for_each_target(
        &self,
        info: &CheckInfo,
        within: Bitboard,
        mut sink: impl FnMut(Square, Bitboard),
    ) {
        let us = self.side;
        let king = self.king(us);
        let steps = attacks::king(king) & (within - self.color(us));
        sink(king, steps.into_iter().filter(|&to| self.is_safe(king, to)).collect());
        let allowed = within - self.color(us) - info.forbidden;
        if info.checkers.is_empty() {
            self.free_targets(us, info, allowed, sink);
        } else {
            self.evasions(us, info, allowed, sink);
        }
    }

    /// Targets of all men but the king when there is no check.
    #[inline]
    fn free_targets(
        &self,
        us: Color,
        info: &CheckInfo,
        allowed: Bitboard,
        mut sink: impl FnMut(Square, Bitboard),
    ) {
        let occupied = self.occupied();
        let mut emit = |sq: Square, targets: Bitboard| {
            let mask = if info.pinned.has(sq) { info.pin_mask(sq) } else { Bitboard::ALL };
            sink(sq, targets & allowed & mask);
        };
        for sq in self.pieces(us, PieceType::Rook) {
            emit(sq, attacks::rook(sq, occupied));
        }
        for sq in self.pieces(us, PieceType::Cannon) {
            let reach = attacks::reach(sq, occupied);
            emit(sq, (reach.rook - occupied) | (reach.cannon & occupied));
        }
        for sq in self.pieces(us, PieceType::Knight) {
            emit(sq, attacks::knight(sq, occupied));
        }
        for sq in self.pieces(us, PieceType::Pawn) {
            emit(sq, attacks::pawn(us, sq));
        }
        for sq in self.pieces(us, PieceType::Elephant) {
            emit(sq, attacks::elephant(sq, occupied));
        }
        for sq in self.pieces(us, PieceType::Advisor) {
            emit(sq, attacks::advisor(sq));
        }
    }

    /// Targets of all men but the king when in check.
    #[inline(never)]
    fn evasions(
        &self,
        us: Color,
        info: &CheckInfo,
        allowed: Bitboard,
        mut sink: impl FnMut(Square, Bitboard),
    ) {
        let single = if info.checkers.several() { None } else { info.checkers.first() };
        let Some(checker) = single else {
            return self.free_targets(us, info, allowed, |sq, targets| {
                sink(sq, targets.into_iter().filter(|&to| self.is_safe(sq, to)).collect());
            });
        };
        let king = self.king(us);
        let occupied = self.occupied();
        let gap = attacks::between(king, checker);
        let (blocks, screen) = match self.piece_on(checker).map(Piece::kind) {
            Some(PieceType::Knight) => {
                (Bitboard::from(attacks::knight_leg(checker, king)), Bitboard::EMPTY)
            }
            // A second man between stops a cannon, and so does a screen that leaves.
            Some(PieceType::Cannon) => (gap - occupied, gap & occupied),
            _ => (gap, Bitboard::EMPTY),
        };
        let answers = blocks | Bitboard::from(checker);
        self.free_targets(us, info, allowed, |sq, targets| {
            sink(sq, targets & if screen.has(sq) { !gap } else { answers });
        });
    }

    /// Appends the legal moves of the wanted kinds.
    #[inline]
    pub fn generate(&self, info: &CheckInfo, kinds: MoveKinds, mut sink: impl FnMut(Move)) {
        let mut within = Bitboard::EMPTY;
        if kinds.contains(MoveKinds::CAPTURES) {
            within |= self.color(!self.side);
        }
        if kinds.contains(MoveKinds::QUIETS) {
            within |= !self.occupied();
        }
        self.for_each_target(info, within, |from, targets| {
            for to in targets {
                sink(Move::new(from, to));
            }
        });
    }

    /// All legal moves. None means the side to move has lost, in check or not.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.check_info(), MoveKinds::all(), |mv| list.push(mv));
        list
    }

    /// Number of legal moves, without making a list.
    #[inline]
    pub fn count_legal(&self) -> u32 {
        let mut count = 0;
        self.for_each_target(&self.check_info(), Bitboard::ALL, |_, targets| {
            count += targets.count();
        });
        count
    }

    /// Whether the side to move has any legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Whether a move is legal. Any move at all may be asked about, also one that belongs to
    /// another position.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        piece.color() == self.side
            && !self.color(self.side).has(to)
            && self.reached(piece, from, self.occupied()).has(to)
            && self.is_safe(from, to)
    }
}
