//! What a node leaves for its children and siblings, one frame a ply.

use crate::history::PieceTo;
use crate::types::{MAX_PLY, Move, Score};

/// One ply of the path being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The man moved from this ply and where to; `None` for a pass.
    pub moved: Option<PieceTo>,
    /// The move from this ply; stale after a pass.
    pub mv: Option<Move>,
    /// Quiet moves that refuted a sibling.
    pub killers: [Option<Move>; 2],
    /// Left out of the search at this ply, while it is asked whether others are as good.
    pub excluded: Option<Move>,
}

const EMPTY: Frame =
    Frame { eval: None, moved: None, mv: None, killers: [None; 2], excluded: None };

/// Frames of all plies, with room before the root so that `ply - 4` always exists.
#[derive(Debug)]
pub(super) struct Stack(Box<[Frame; MAX_PLY + Stack::BEFORE + 4]>);

impl Stack {
    const BEFORE: usize = 4;

    pub(super) fn new() -> Stack {
        Stack(Box::new([EMPTY; MAX_PLY + Stack::BEFORE + 4]))
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(EMPTY);
    }

    #[inline]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + Stack::BEFORE]
    }

    /// The frame `back` plies before `ply`, 1..=4.
    #[inline]
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + Stack::BEFORE - back]
    }
}
