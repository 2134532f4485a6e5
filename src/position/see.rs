//! Static exchange evaluation: what a sequence of captures on one point is worth.
//!
//! Xiangqi makes this less simple than in chess. Cannons capture over a screen, so each removal on
//! their line may give or take an attacker; a man that leaves may free a knight's leg or an
//! elephant's eye; a man pinned to its king may not join in while the pinning man stands; a capture
//! may uncover a check that forbids the answer; and the enemy king guards every point of its open
//! file against ours. So attackers are looked up anew after every removal.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// Exchange values in centipawns, by piece type. A king is worth more than all else together.
const VALUE: [i32; 7] = [10_000, 120, 120, 270, 600, 285, 60];

/// The least valuable attacker captures first.
const ORDER: [PieceType; 7] = [
    PieceType::Pawn,
    PieceType::Advisor,
    PieceType::Elephant,
    PieceType::Knight,
    PieceType::Cannon,
    PieceType::Rook,
    PieceType::King,
];

/// What a man counts in an exchange, in centipawns.
#[inline]
pub const fn exchange_value(kind: PieceType) -> i32 {
    VALUE[kind as usize]
}

impl Position {
    /// Whether the captures on the target of `mv`, starting with `mv`, gain at least `threshold`
    /// centipawns for the mover when both sides may stop at any time.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else { return false };
        let gain = self.piece_on(to).map_or(0, |victim| exchange_value(victim.kind()));
        // `balance` is what the side to capture next must make good, seen from that side.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance = exchange_value(mover.kind()) - balance;
        if balance <= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - Bitboard::from(from)) | Bitboard::from(to);
        let mut side = !self.side;
        // Points the last capture has changed: only through them can it have uncovered a check.
        let mut changed = Bitboard::from(from) | Bitboard::from(to);
        // Whether the side that moved last (at first the mover) has reached the threshold.
        let mut mover_wins = true;
        while let Some((kind, sq)) = self.next_capture(side, to, occupied, changed) {
            mover_wins = !mover_wins;
            balance = exchange_value(kind) - balance;
            changed = Bitboard::from(sq);
            occupied ^= changed;
            // Ties count for the mover: only a strictly better balance saves the opponent.
            if balance < i32::from(mover_wins) {
                break;
            }
            side = !side;
        }
        mover_wins
    }

    /// The least valuable man of `side` that may capture on `to`.
    #[inline]
    fn next_capture(
        &self,
        side: Color,
        to: Square,
        occupied: Bitboard,
        changed: Bitboard,
    ) -> Option<(PieceType, Square)> {
        let attackers = self.attackers_to(to, occupied) & (self.color(side) - Bitboard::from(to));
        if attackers.is_empty() {
            return None;
        }
        let king = self.king(side);
        let enemy = (self.color(!side) & occupied) - Bitboard::from(to);
        let neighbourhood = attacks::king_neighbourhood(king);
        // Men whose leaving may uncover a check; all of them when another man than the one on the
        // target gives check already.
        let suspects = if (neighbourhood & changed).any()
            && self.king_attackers(king, !side, enemy, occupied).any()
        {
            attackers
        } else {
            (neighbourhood | Bitboard::from(king)) & attackers
        };
        for kind in ORDER {
            let mut men = attackers & self.kind(kind);
            while let Some(sq) = men.pop() {
                if !suspects.has(sq) || self.is_safe_recapture(side, sq, to, enemy, occupied) {
                    return Some((kind, sq));
                }
            }
        }
        None
    }

    /// Whether a capture on `to` by the man on `sq` leaves its own king safe from `enemy`.
    #[inline]
    fn is_safe_recapture(
        &self,
        side: Color,
        sq: Square,
        to: Square,
        enemy: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        let king = if sq == self.king(side) { to } else { self.king(side) };
        self.king_attackers(king, !side, enemy, occupied - Bitboard::from(sq)).is_empty()
    }
}
