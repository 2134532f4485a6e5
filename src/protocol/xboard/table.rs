//! What was agreed with the interface: who plays, by which clock, what is shown.

use std::time::Duration;

use crate::protocol::go::Go;
use crate::types::{Color, Move};

/// Time for a move while nothing was said about clocks, in milliseconds.
const UNTOLD: i64 = 5000;

/// The engine's clock.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Clock {
    /// Moves in a session, 0 for the whole game.
    moves: i64,
    /// Milliseconds of a session; `None` before any was set.
    base: Option<i64>,
    increment: i64,
    /// Milliseconds for each move, instead of all that.
    per_move: Option<i64>,
    depth: Option<i64>,
    /// What is left, as far as it is known.
    left: Option<i64>,
}

impl Clock {
    /// `level`
    pub(super) fn set_level(&mut self, moves: i64, base: i64, increment: i64) {
        *self = Clock { moves, base: Some(base), increment, depth: self.depth, ..Clock::default() };
    }

    /// `st`
    pub(super) fn set_per_move(&mut self, millis: i64) {
        self.per_move = Some(millis);
    }

    /// `sd`; 0 or less for no limit.
    pub(super) fn set_depth(&mut self, depth: i64) {
        self.depth = (depth > 0).then_some(depth);
    }

    /// `time`
    pub(super) fn set_left(&mut self, millis: i64) {
        self.left = Some(millis);
    }

    /// A new game: full clock, no depth limit.
    pub(super) fn reset(&mut self) {
        self.left = None;
        self.depth = None;
    }

    /// A move of ours is done: an estimate of the clock until we are told.
    pub(super) fn spend(&mut self, spent: Duration) {
        let spent = i64::try_from(spent.as_millis()).unwrap_or(i64::MAX);
        let left = self.left.or(self.base);
        self.left = left.map(|left| left.saturating_sub(spent).saturating_add(self.increment));
    }

    /// Limits for a move of `side`, which has played `played` moves in this game.
    pub(super) fn go(&self, side: Color, played: usize) -> Go {
        let mut go = Go { depth: self.depth, ..Go::default() };
        if self.per_move.is_some() {
            go.movetime = self.per_move;
        } else if let Some(left) = self.left.or(self.base) {
            let (time, increment) = match side {
                Color::Red => (&mut go.wtime, &mut go.winc),
                Color::Black => (&mut go.btime, &mut go.binc),
            };
            *time = Some(left);
            *increment = Some(self.increment);
            let played = i64::try_from(played).unwrap_or(0);
            go.movestogo = (self.moves > 0).then(|| self.moves - played % self.moves);
        } else if self.depth.is_none() {
            go.movetime = Some(UNTOLD);
        }
        go
    }
}

/// The state of the conversation.
#[derive(Default, Debug)]
pub(in crate::protocol) struct Table {
    /// The side the engine plays; `None` when it only keeps the board.
    pub(super) side: Option<Color>,
    pub(super) analysing: bool,
    /// Whether thinking is shown.
    pub(super) post: bool,
    pub(super) clock: Clock,
    /// The answer expected to our last move, for pondering and hints.
    pub(super) expected: Option<Move>,
    /// Score of our last search in centipawns, for draw offers.
    pub(super) score: Option<i32>,
}

impl Table {
    /// Whether what the search finds is shown: always in analysis.
    pub(in crate::protocol) fn shows_thinking(&self) -> bool {
        self.post || self.analysing
    }

    /// `force`, `result`, end of analysis: the engine keeps the board and nothing else.
    pub(super) fn leave(&mut self) {
        self.side = None;
        self.analysing = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_increments_and_fixed_times() {
        let mut clock = Clock::default();
        assert_eq!(clock.go(Color::Red, 0).movetime, Some(UNTOLD));
        clock.set_level(40, 300_000, 0);
        let go = clock.go(Color::Black, 41);
        assert_eq!((go.btime, go.movestogo, go.wtime), (Some(300_000), Some(39), None));
        clock.set_left(20_000);
        assert_eq!(clock.go(Color::Red, 39).wtime, Some(20_000));
        assert_eq!(clock.go(Color::Red, 39).movestogo, Some(1));
        clock.set_level(0, 60_000, 2000);
        clock.spend(Duration::from_millis(500));
        let go = clock.go(Color::Red, 7);
        assert_eq!((go.wtime, go.winc, go.movestogo), (Some(61_500), Some(2000), None));
        clock.set_per_move(3000);
        clock.set_depth(5);
        let go = clock.go(Color::Red, 7);
        assert_eq!((go.movetime, go.depth, go.wtime), (Some(3000), Some(5), None));
        clock.set_level(0, 60_000, 0);
        assert_eq!(clock.go(Color::Red, 7).movetime, None);
        clock.reset();
        assert_eq!(clock.go(Color::Red, 7).depth, None);
    }
}
