//! What a search tells the outside.

use std::time::Duration;

use crate::types::{Move, Score};

/// One line of a completed iteration.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// Iteration, from 1.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of the line, from 1; lines of one depth come together and in order.
    pub multipv: usize,
    /// From the side to move.
    pub score: Score,
    /// Nodes of all workers since the start of the search.
    pub nodes: u64,
    /// Since the start of the search.
    pub time: Duration,
    /// Occupied part of the hash table in per mille.
    pub hashfull: u32,
    /// Legal moves from the root, at least one.
    pub pv: &'a [Move],
}

/// Takes what the main worker reports, on the worker's thread.
pub trait InfoSink {
    /// A line of a completed iteration.
    fn info(&mut self, info: &Info<'_>);

    /// A root move is about to be searched; `number` from 1.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
}

/// A sink that drops everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl InfoSink for Silent {
    fn info(&mut self, _: &Info<'_>) {}
}

/// What one worker found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Completed depth; 0 when the search was stopped before the first was complete.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Value of the best line from the side to move.
    pub score: Score,
    /// The best line, never empty: its first move is the answer, its second the move to ponder on.
    pub pv: Vec<Move>,
}
