//! Counts the replies to all moves of a position at once.
//!
//! Most moves leave most enemy men alone: a man's targets change only when a point he *watches* is
//! vacated or filled (his lines as far as they matter, his legs, his eyes), and his duties to his
//! king only when the move touches the king's surroundings. So the replies are counted once as if
//! the mover had passed; each move then costs a recount of the few men it disturbs, and moves that
//! disturb none are counted together. Moves near the enemy king are made and counted in full.

use arrayvec::ArrayVec;

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// Sum over all legal moves of the number of legal replies: the leaves two plies below.
pub(super) fn count_replies(pos: &Position) -> u64 {
    let replies = Replies::new(pos);
    let mut nodes = 0;
    pos.for_each_target(&pos.check_info(), Bitboard::ALL, |from, targets| {
        if targets.any() {
            nodes += replies.after(from, targets);
        }
    });
    nodes
}

/// A man of the replying side other than the king.
struct Man {
    kind: PieceType,
    sq: Square,
    /// Where pins and hollow cannons let him go.
    allowed: Bitboard,
    /// His legal targets if the mover passed.
    count: u32,
}

impl Man {
    /// The number of his targets on a changed board.
    fn targets(&self, side: Color, occupied: Bitboard, own: Bitboard) -> u32 {
        let reached = match self.kind {
            PieceType::Rook => attacks::rook(self.sq, occupied),
            PieceType::Cannon => {
                let reach = attacks::reach(self.sq, occupied);
                (reach.rook - occupied) | (reach.cannon & occupied)
            }
            _ => leaps(self.kind, side, self.sq, occupied),
        };
        (reached & self.allowed & !own).count()
    }

    /// The points whose occupancy decides what he reaches. A leaper's targets are not among them.
    fn watched(&self, occupied: Bitboard) -> Bitboard {
        match self.kind {
            PieceType::Rook => attacks::rook(self.sq, occupied),
            PieceType::Cannon => lines(self.sq, occupied, 1),
            PieceType::Knight => attacks::rook(self.sq, Bitboard::ALL),
            PieceType::Elephant => diagonals(self.sq),
            PieceType::King | PieceType::Advisor | PieceType::Pawn => Bitboard::EMPTY,
        }
    }
}

fn leaps(kind: PieceType, side: Color, sq: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Knight => attacks::knight(sq, occupied),
        PieceType::Elephant => attacks::elephant(sq, occupied),
        PieceType::Advisor => attacks::advisor(sq),
        PieceType::Pawn => attacks::pawn(side, sq),
        PieceType::King | PieceType::Rook | PieceType::Cannon => Bitboard::EMPTY,
    }
}

/// Points of file and rank as far as one sees through `through` men, the man behind them included.
fn lines(sq: Square, occupied: Bitboard, through: usize) -> Bitboard {
    let mut left = occupied;
    let mut seen = attacks::rook(sq, left);
    for _ in 0..through {
        left = left - seen;
        seen = attacks::rook(sq, left);
    }
    seen
}

fn diagonals(sq: Square) -> Bitboard {
    attacks::king_neighbourhood(sq) - attacks::line(sq)
}

/// Points on which an attack on a king at `sq` depends: lines through so many men, knights and
/// their legs. Pawns stand on the lines.
fn surroundings(sq: Square, occupied: Bitboard, through: usize) -> Bitboard {
    lines(sq, occupied, through)
        | diagonals(sq)
        | attacks::knight_attackers(sq, Bitboard::EMPTY)
        | Bitboard::from(sq)
}

/// The replies to a pass, and what each depends on.
struct Replies<'a> {
    pos: &'a Position,
    side: Color,
    occupied: Bitboard,
    own: Bitboard,
    men: ArrayVec<Man, 16>,
    /// By point: the men who watch it, as bits of their index.
    watchers: [u16; 90],
    /// By point held by an own man: the leapers who could take there once he is captured.
    guards: [u16; 90],
    /// All points with a watcher.
    watched: Bitboard,
    /// A move that touches these may change the duties of men or the steps of the king.
    zone: Bitboard,
    total: u32,
}

impl<'a> Replies<'a> {
    fn new(pos: &'a Position) -> Replies<'a> {
        let side = !pos.side();
        let passed = pos.make_null();
        let info = passed.check_info();
        let mut replies = Replies {
            pos,
            side,
            occupied: pos.occupied(),
            own: pos.color(side),
            men: ArrayVec::new(),
            watchers: [0; 90],
            guards: [0; 90],
            watched: Bitboard::EMPTY,
            zone: Bitboard::EMPTY,
            total: 0,
        };
        let king = pos.king(side);
        // A pin lies behind two men at most: a cannon's.
        replies.zone = surroundings(king, replies.occupied, 2);
        let without_king = replies.occupied - Bitboard::from(king);
        for step in attacks::king(king) - replies.own {
            replies.zone |= surroundings(step, without_king, 1);
        }
        passed.for_each_target(&info, Bitboard::ALL, |sq, targets| {
            replies.total += targets.count();
            if sq != king {
                let pins = if info.pinned.has(sq) { info.pin_mask(sq) } else { Bitboard::ALL };
                replies.add(sq, pins - info.forbidden, targets.count());
            }
        });
        replies
    }

    fn add(&mut self, sq: Square, allowed: Bitboard, count: u32) {
        let Some(piece) = self.pos.piece_on(sq) else { return };
        let man = Man { kind: piece.kind(), sq, allowed, count };
        let bit = 1 << self.men.len();
        let watched = man.watched(self.occupied);
        for point in watched {
            self.watchers[point.index()] |= bit;
        }
        self.watched |= watched;
        for point in leaps(man.kind, self.side, sq, self.occupied) & allowed & self.own {
            self.guards[point.index()] |= bit;
        }
        self.men.push(man);
    }

    /// Replies to all moves of one man, summed.
    fn after(&self, from: Square, targets: Bitboard) -> u64 {
        if self.zone.has(from) {
            return targets.into_iter().map(|to| self.in_full(from, to)).sum();
        }
        let vacated = self.occupied - Bitboard::from(from);
        let disturbed = self.watchers[from.index()];
        let mut special = self.watched | self.zone | self.own;
        let mut total = self.total;
        for man in self.men_of(disturbed) {
            // He now sees further through the vacated point.
            special |= man.watched(vacated);
            total = total - man.count + man.targets(self.side, vacated, self.own);
        }
        let mut nodes = u64::from((targets - special).count()) * u64::from(total);
        for to in targets & special {
            nodes += if self.zone.has(to) {
                self.in_full(from, to)
            } else {
                self.one_by_one(vacated, to, disturbed)
            };
        }
        nodes
    }

    /// Replies to one move away from the king; `disturbed` are those who watch its origin.
    fn one_by_one(&self, vacated: Bitboard, to: Square, disturbed: u16) -> u64 {
        let occupied = vacated | Bitboard::from(to);
        let own = self.own - Bitboard::from(to);
        let mut disturbed = disturbed | self.watchers[to.index()];
        let mut total = self.total;
        if self.own.has(to)
            && let Some(victim) = self.men.iter().position(|man| man.sq == to)
        {
            disturbed &= !(1 << victim);
            total -= self.men[victim].count;
            total += (self.guards[to.index()] & !disturbed & !(1 << victim)).count_ones();
        }
        for man in self.men_of(disturbed) {
            total = total - man.count + man.targets(self.side, occupied, own);
        }
        total.into()
    }

    fn men_of(&self, mut bits: u16) -> impl Iterator<Item = &Man> {
        std::iter::from_fn(move || {
            let man = self.men.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(man)
        })
    }

    fn in_full(&self, from: Square, to: Square) -> u64 {
        self.pos.make(Move::new(from, to)).count_legal().into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EpdLine, suite::BUILT_IN};
    use super::*;

    #[test]
    fn equals_the_sum_over_moves() {
        let mut positions = 0;
        for line in BUILT_IN.lines().filter_map(EpdLine::parse).flatten() {
            let mut pos = line.position;
            // a short game that takes the first, middle or last move in turn
            for ply in 0..16 {
                let moves = pos.legal_moves();
                let one_by_one = |&mv: &Move| u64::from(pos.make(mv).count_legal());
                let expected: u64 = moves.iter().map(one_by_one).sum();
                assert_eq!(count_replies(&pos), expected, "{pos}");
                positions += 1;
                let choice = [0, moves.len() / 2, moves.len().saturating_sub(1)][ply % 3];
                let Some(&mv) = moves.get(choice) else { break };
                pos = pos.make(mv);
            }
        }
        assert!(positions > 5000, "{positions}");
    }
}
