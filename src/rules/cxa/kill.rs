//! Mate by consecutive checks.

use crate::position::Position;
use crate::types::Move;

/// Checks in a row that a threat of mate may take. The text of the rules sets no bound.
pub(super) const CHECKS: u8 = 4;

/// Positions looked at before a mate counts as not found.
const MAX_NODES: u32 = 20_000;

/// Whether the side to move mates by at most `checks` consecutive checks, without any of the
/// `barred` moves. Stalemate does not count.
pub(super) fn mates(pos: &Position, checks: u8, barred: &[Move]) -> bool {
    let mut hunt = Hunt { barred, nodes: 0 };
    // Shorter mates first: nearly all are found at the first depth.
    (1..=checks).any(|depth| hunt.mates_in(pos, depth))
}

struct Hunt<'a> {
    barred: &'a [Move],
    nodes: u32,
}

impl Hunt<'_> {
    fn mates_in(&mut self, pos: &Position, checks: u8) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return false;
        }
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
            super::mates(&Position::from_fen(fen).expect("a position"), checks, &[])
        };
        let two_rooks = "4k4/9/9/R8/1R7/9/9/9/9/3K5 w";
        assert!(!mates(two_rooks, 1) && mates(two_rooks, 2));
        // the only way to end the game is to leave the king without a move
        assert!(!mates("3k5/5P3/9/9/9/9/9/9/9/4K4 w", CHECKS));
        let one = "4k4/R8/9/1R7/9/9/9/9/9/3K5 w";
        assert!(mates(one, 1));
        let mate: Move = "b6b9".parse().expect("a move");
        let pos = Position::from_fen(one).expect("a position");
        assert!(!super::mates(&pos, 1, &[mate]));
    }
}
