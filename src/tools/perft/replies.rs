//! Counts the replies to all moves of a position at once.
//!
//! Most moves leave most enemy men alone: a man's targets change only when a point he *watches* is
//! vacated or filled (his lines as far as they matter, his legs, his eyes), and his duties to his
//! king only when the move touches the king's surroundings. So the replies are counted once as if
//! the mover had passed; each move then costs a recount of the few men it disturbs, and moves that
//! disturb none are counted together. Only checks, and moves that open or close the line of a hollow
//! cannon, are made and counted in full.

use arrayvec::ArrayVec;

use crate::attacks;
use crate::position::{CheckInfo, Position};
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
    /// The number of his targets on a changed board, `own` being the men of his `side`.
    fn targets(&self, side: Color, occupied: Bitboard, own: Bitboard, allowed: Bitboard) -> u32 {
        let reached = match self.kind {
            PieceType::Rook => attacks::rook(self.sq, occupied),
            PieceType::Cannon => {
                let reach = attacks::reach(self.sq, occupied);
                (reach.rook - occupied) | (reach.cannon & occupied)
            }
            _ => leaps(self.kind, side, self.sq, occupied),
        };
        ((reached & allowed) - own).count()
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
    /// Pins and forbidden points.
    info: CheckInfo,
    /// A move that touches these may change the pins, or give check.
    near: Bitboard,
    /// A move that touches these may change the steps of the king; includes `near`.
    zone: Bitboard,
    king: Square,
    /// Legal steps of the king.
    steps: u32,
    /// Legal replies in all.
    total: u32,
}

/// Where pins and hollow cannons let a man go.
fn allowed(info: &CheckInfo, sq: Square) -> Bitboard {
    let pins = if info.pinned.has(sq) { info.pin_mask(sq) } else { Bitboard::ALL };
    pins - info.forbidden
}

fn count_all(pos: &Position, info: &CheckInfo) -> u64 {
    let mut count = 0;
    pos.for_each_target(info, Bitboard::ALL, |_, targets| count += targets.count());
    count.into()
}

impl<'a> Replies<'a> {
    fn new(pos: &'a Position) -> Replies<'a> {
        let side = !pos.side();
        let passed = pos.make_null();
        let (king, occupied, own) = (pos.king(side), pos.occupied(), pos.color(side));
        // A pin lies behind two men at most: a cannon's.
        let near = surroundings(king, occupied, 2);
        let without_king = occupied - Bitboard::from(king);
        let mut zone = near;
        for step in attacks::king(king) - own {
            zone |= surroundings(step, without_king, 1);
        }
        let mut replies = Replies {
            pos,
            side,
            occupied,
            own,
            men: ArrayVec::new(),
            watchers: [0; 90],
            guards: [0; 90],
            watched: Bitboard::EMPTY,
            info: passed.check_info(),
            near,
            zone,
            king,
            steps: 0,
            total: 0,
        };
        let info = replies.info.clone();
        passed.for_each_target(&info, Bitboard::ALL, |sq, targets| {
            replies.total += targets.count();
            if sq == king {
                replies.steps = targets.count();
            } else {
                replies.add(sq, allowed(&info, sq), targets.count());
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
        let disturbed = self.watchers[from.index()];
        if self.zone.has(from) {
            return targets.into_iter().map(|to| self.after_one(from, to, disturbed)).sum();
        }
        let vacated = self.occupied - Bitboard::from(from);
        let mut special = self.watched | self.zone | self.own;
        let mut total = self.total;
        for man in self.men_of(disturbed) {
            // He now sees further through the vacated point.
            special |= man.watched(vacated);
            total = total - man.count + man.targets(self.side, vacated, self.own, man.allowed);
        }
        let alike = u64::from((targets - special).count()) * u64::from(total);
        let others = (targets & special).into_iter();
        alike + others.map(|to| self.after_one(from, to, disturbed)).sum::<u64>()
    }

    /// Replies to one move; `disturbed` are the men who watch its origin.
    fn after_one(&self, from: Square, to: Square, mut disturbed: u16) -> u64 {
        let touched = Bitboard::from(from) | Bitboard::from(to);
        let occupied = (self.occupied - Bitboard::from(from)) | Bitboard::from(to);
        let own = self.own - Bitboard::from(to);
        disturbed |= self.watchers[to.index()];
        let mut new_info = None;
        if (self.near & touched).any() {
            let next = self.pos.make(Move::new(from, to));
            let info = next.check_info();
            if info.checkers.any() || info.forbidden != self.info.forbidden {
                return count_all(&next, &info);
            }
            disturbed |= self.men_on(info.pinned | self.info.pinned);
            new_info = Some(info);
        }
        let mut total = self.total;
        if (self.zone & touched).any() {
            total = total - self.steps + self.steps_after(from, to, occupied, own);
        }
        if self.own.has(to) {
            let victim = self.men_on(Bitboard::from(to));
            disturbed &= !victim;
            total -= self.men_of(victim).map(|man| man.count).sum::<u32>();
            total += (self.guards[to.index()] & !disturbed & !victim).count_ones();
        }
        for man in self.men_of(disturbed) {
            let allowed = new_info.as_ref().map_or(man.allowed, |info| allowed(info, man.sq));
            total = total - man.count + man.targets(self.side, occupied, own, allowed);
        }
        total.into()
    }

    /// Legal steps of the king after a move that leads to the boards `occupied` and `own`.
    fn steps_after(&self, from: Square, to: Square, occupied: Bitboard, own: Bitboard) -> u32 {
        let enemy = self.pos.side();
        let moved = |kind: PieceType| {
            let men = self.pos.pieces(enemy, kind);
            if men.has(from) { men | Bitboard::from(to) } else { men }
        };
        let rooks = moved(PieceType::Rook) | moved(PieceType::King);
        let (cannons, knights) = (moved(PieceType::Cannon), moved(PieceType::Knight));
        let pawns = moved(PieceType::Pawn);
        let enemies = occupied - own;
        let without_king = occupied - Bitboard::from(self.king);
        let is_safe = |&step: &Square| {
            let reach = attacks::reach(step, without_king | Bitboard::from(step));
            let attackers = (reach.rook & rooks)
                | (reach.cannon & cannons)
                | (attacks::knight_attackers(step, without_king) & knights)
                | (attacks::pawn_attackers(enemy, step) & pawns);
            (attackers & enemies).is_empty()
        };
        (attacks::king(self.king) - own).into_iter().filter(is_safe).count() as u32
    }

    /// The men on these points, as bits of their index.
    fn men_on(&self, points: Bitboard) -> u16 {
        if points.is_empty() {
            return 0;
        }
        let men = self.men.iter().enumerate().filter(|(_, man)| points.has(man.sq));
        men.fold(0, |bits, (i, _)| bits | 1 << i)
    }

    fn men_of(&self, mut bits: u16) -> impl Iterator<Item = &Man> {
        std::iter::from_fn(move || {
            let man = self.men.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(man)
        })
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
