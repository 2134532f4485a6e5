//! Principal variations while they are being found.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move};

/// The best line below each ply.
#[derive(Debug)]
pub(super) struct PvTable(Vec<ArrayVec<Move, MAX_PLY>>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable(vec![ArrayVec::new(); MAX_PLY + 2])
    }

    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `mv` and the line below it the line of `ply`.
    #[inline]
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ply + 1);
        let (line, below) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        line.extend(below.iter().copied().take(MAX_PLY - 1));
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
