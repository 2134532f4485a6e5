//! The native protocol of XBoard and WinBoard (CECP, version 2), so that they need no adapter.
//!
//! It differs from the others in more than words: the engine keeps the game, decides by itself when
//! to think, and ponders or analyses whenever it has nothing else to do. So it has a grammar of its
//! own ([`order`]), a memory of what was agreed ([`table`]) and conduct of its own ([`play`]); the
//! search, the options and the game are the same.

mod claim;
mod features;
pub mod order;
mod play;
mod table;

pub(super) use order::{Order, read};
pub(super) use table::Table;

use std::fmt::Write;

use super::mode::Report;
use crate::types::Score;

/// From here on a score means mate: 100000 plus the number of moves to it.
const MATE: i32 = 100_000;

/// Depth, score, centiseconds, nodes; the moves follow.
pub(super) fn info(report: &Report) -> String {
    let Report { depth, nodes, millis, .. } = report;
    format!("{depth} {} {} {nodes}", score(report.score), millis / 10)
}

fn score(score: Score) -> i32 {
    match score.mate_plies() {
        Some(plies) if score.is_win() => MATE + (plies + 1) / 2,
        Some(plies) => -(MATE + plies / 2),
        None => score.shown(),
    }
}

/// The answer to `.`: centiseconds, nodes, depth, root moves left, root moves, the one looked at.
pub(super) fn status(
    millis: u64,
    nodes: u64,
    depth: u32,
    (number, total): (usize, usize),
    current: Option<String>,
) -> String {
    let left = total.saturating_sub(number);
    let mut line = format!("stat01: {} {nodes} {depth} {left} {total}", millis / 10);
    if let Some(mv) = current {
        // Writing to a string cannot fail.
        let _ = write!(line, " {mv}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_mates() {
        for (given, want) in [
            (Score::new(-32), -32),
            (Score::mate_in(1), 100_001),
            (Score::mate_in(4), 100_002),
            (Score::mated_in(4), -100_002),
        ] {
            assert_eq!(score(given), want);
        }
        assert_eq!(status(1234, 5, 6, (3, 44), None), "stat01: 123 5 6 41 44");
    }
}
