//! Mate by consecutive checks.

use crate::position::Position;
use crate::types::Move;

/// How far to look for a mate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Checks in a row.
    pub(super) checks: u8,
    /// Positions looked at before it counts as not found.
    pub(super) nodes: u32,
}

/// For the question whether a move threatens mate. The text of the rules sets no bound.
pub(super) const THREAT: Limit = Limit { checks: 8, nodes: 20_000 };
/// For the question whether a capture is answered by mate.
pub(super) const ANSWER: Limit = Limit { checks: 2, nodes: 4_000 };

/// Whether the side to move mates by consecutive checks, without any of the `barred` moves.
/// Stalemate does not count.
pub(super) fn mates(pos: &Position, limit: Limit, barred: &[Move]) -> bool {
    let mut hunt = Hunt { barred, nodes: limit.nodes };
    // Shorter mates first: nearly all are found at the first depth.
    (1..=limit.checks).any(|depth| hunt.mates_in(pos, depth))
}

struct Hunt<'a> {
    barred: &'a [Move],
    /// Positions that may still be looked at.
    nodes: u32,
}

impl Hunt<'_> {
    fn mates_in(&mut self, pos: &Position, checks: u8) -> bool {
        if self.nodes == 0 {
            return false;
        }
        self.nodes -= 1;
        pos.legal_moves().iter().any(|&mv| {
            !self.barred.contains(&mv)
                && pos.gives_check(mv)
                && self.is_lost(&pos.make(mv), checks - 1)
        })
    }

    /// Whether the side in check is mated by at most `checks` further checks.
    fn is_lost(&mut self, pos: &Position, checks: u8) -> bool {
        let moves = pos.legal_moves();
        moves.is_empty()
            || (checks > 0 && moves.iter().all(|&mv| self.mates_in(&pos.make(mv), checks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_counted_and_stalemate_is_no_mate() {
        let mates = |fen: &str, checks: u8| {
            let limit = Limit { checks, ..THREAT };
            super::mates(&Position::from_fen(fen).expect("a position"), limit, &[])
        };
        let two_rooks = "4k4/9/9/R8/1R7/9/9/9/9/3K5 w";
        assert!(!mates(two_rooks, 1) && mates(two_rooks, 2));
        // the only way to end the game is to leave the king without a move
        assert!(!mates("3k5/5P3/9/9/9/9/9/9/9/4K4 w", 4));
        let one = "4k4/R8/9/1R7/9/9/9/9/9/3K5 w";
        assert!(mates(one, 1));
        let mate: Move = "b6b9".parse().expect("a move");
        let pos = Position::from_fen(one).expect("a position");
        assert!(!super::mates(&pos, Limit { checks: 1, ..THREAT }, &[mate]));
    }
}
