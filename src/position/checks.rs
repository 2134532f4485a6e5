//! King safety: what attacks a king, and which restrictions that lays on its own men.
//!
//! | enemy man on a line of the king, or a leap away | men between | effect |
//! |---|---|---|
//! | rook, or king on the file | 0 | check |
//! | rook, king | 1, own | that man stays between or takes the rook |
//! | cannon | 0 (*hollow*) | no own man may step between: he would be the screen |
//! | cannon | 1 | check |
//! | cannon | 2 | an own man of the two stays on empty points between or takes the cannon |
//! | knight | leg free | check |
//! | knight | leg held by an own man | that man may only take the knight |
//! | pawn | next to the king, facing it | check |

use arrayvec::ArrayVec;

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// At most two rooks, two cannons and a king, each holding up to two men, and two knights.
const MAX_PINS: usize = 12;

/// What the enemy's men mean for the king of the side to move.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// Enemy men that give check.
    pub checkers: Bitboard,
    /// Points no own man may step on: the gap of a hollow cannon.
    pub forbidden: Bitboard,
    /// Own men whose freedom is limited.
    pub pinned: Bitboard,
    pins: ArrayVec<(Square, Bitboard), MAX_PINS>,
}

impl CheckInfo {
    /// Points the man on `sq` may go to as far as its pins are concerned.
    #[inline]
    pub fn pin_mask(&self, sq: Square) -> Bitboard {
        let mut mask = Bitboard::ALL;
        for &(pinned, allowed) in &self.pins {
            if pinned == sq {
                mask &= allowed;
            }
        }
        mask
    }

    #[inline]
    fn pin(&mut self, men: Bitboard, allowed: Bitboard) {
        for sq in men {
            self.pinned |= Bitboard::from(sq);
            // MAX_PINS bounds what a full set can hold; a push cannot fail on a valid position.
            let _ = self.pins.try_push((sq, allowed));
        }
    }
}

impl Position {
    /// Checks, pins and forbidden points of the side to move.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        let (us, them) = (self.side, !self.side);
        let (own, enemy, occupied) = (self.color(us), self.color(them), self.occupied());
        let king = self.king(us);
        let mut info = CheckInfo {
            checkers: attacks::pawn_attackers(them, king) & self.pieces(them, PieceType::Pawn),
            forbidden: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            pins: ArrayVec::new(),
        };
        let rooks = self.kind(PieceType::Rook) | self.kind(PieceType::King);
        let cannons = self.kind(PieceType::Cannon);
        for sniper in attacks::line(king) & (rooks | cannons) & enemy {
            let gap = attacks::between(king, sniper);
            let men = gap & occupied;
            if cannons.has(sniper) {
                match men.count() {
                    0 => info.forbidden |= gap,
                    1 => info.checkers |= Bitboard::from(sniper),
                    2 => info.pin(men & own, (gap - men) | Bitboard::from(sniper)),
                    _ => {}
                }
            } else if men.is_empty() {
                info.checkers |= Bitboard::from(sniper);
            } else if !men.several() {
                info.pin(men & own, gap | Bitboard::from(sniper));
            }
        }
        let knights =
            self.pieces(them, PieceType::Knight) & attacks::knight_attackers(king, Bitboard::EMPTY);
        for knight in knights {
            let leg = Bitboard::from(attacks::knight_leg(knight, king));
            if (leg & occupied).is_empty() {
                info.checkers |= Bitboard::from(knight);
            } else {
                info.pin(leg & own, Bitboard::from(knight));
            }
        }
        info
    }

    /// Men of `enemy` that attack `king` under an occupancy; `enemy` may lack a man just captured.
    /// Kings facing each other on an open file count.
    #[inline]
    pub(super) fn king_attackers(
        &self,
        king: Square,
        by: Color,
        enemy: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let reach = attacks::reach(king, occupied);
        let rooks = self.kind(PieceType::Rook) | self.kind(PieceType::King);
        let men = (reach.rook & rooks)
            | (reach.cannon & self.kind(PieceType::Cannon))
            | (attacks::knight_attackers(king, occupied) & self.kind(PieceType::Knight))
            | (attacks::pawn_attackers(by, king) & self.kind(PieceType::Pawn));
        men & enemy
    }

    /// Enemy men that give check to the side to move, facing kings included.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let them = !self.side;
        self.king_attackers(self.king(self.side), them, self.color(them), self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move could take the enemy king, facing kings included: such a position
    /// cannot arise from legal moves.
    pub fn can_take_king(&self) -> bool {
        let us = self.side;
        self.king_attackers(self.king(!us), us, self.color(us), self.occupied()).any()
    }

    /// Whether the mover's king is safe after a pseudo-legal move.
    #[inline]
    pub(super) fn is_safe(&self, from: Square, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let (from_bit, to_bit) = (Bitboard::from(from), Bitboard::from(to));
        let occupied = (self.occupied() - from_bit) | to_bit;
        let king = if self.kind(PieceType::King).has(from) { to } else { self.king(us) };
        self.king_attackers(king, them, self.color(them) - to_bit, occupied).is_empty()
    }

    /// Whether a legal move gives check, by the man that moves or by any other.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let (us, them) = (self.side, !self.side);
        let (from, to) = (mv.from(), mv.to());
        let (from_bit, to_bit) = (Bitboard::from(from), Bitboard::from(to));
        let king = self.king(them);
        let occupied = (self.occupied() - from_bit) | to_bit;
        let knights = self.kind(PieceType::Knight);
        if ((from_bit | to_bit) & attacks::king_neighbourhood(king)).is_empty() {
            // Neither a line of the king nor a leg changes: only the man itself can check, and a
            // pawn would stand next to the king.
            return knights.has(from) && (attacks::knight_attackers(king, occupied) & to_bit).any();
        }
        let reach = attacks::reach(king, occupied);
        let after = |kind: PieceType| {
            let men = self.pieces(us, kind);
            if men.has(from) { (men - from_bit) | to_bit } else { men }
        };
        (reach.rook & (after(PieceType::Rook) | after(PieceType::King))).any()
            || (reach.cannon & after(PieceType::Cannon)).any()
            || (attacks::knight_attackers(king, occupied) & after(PieceType::Knight)).any()
            || (attacks::pawn_attackers(us, king) & after(PieceType::Pawn)).any()
    }
}
