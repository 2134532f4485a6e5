//! First-layer sums along a line of play, brought up to date only when a value is asked for.
//!
//! A ply remembers what its move changed. To value a ply, the nearest earlier one with known sums is
//! carried forward; if the king of a perspective has moved to another view in between, the sums are
//! made from the *refresh cache*: per view the last board and its sums, patched by what differs now.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{self, MAX_ACTIVE, PER_BUCKET, View};
use super::kernel::{Block, UNIT};
use super::network::Network;
use super::simd::Backend;
use crate::position::{Observer, Position};
use crate::types::{Bitboard, Color, MAX_PLY, Move, Piece, PieceType, Square};

/// Plies a line may have, the root included.
const PLIES: usize = MAX_PLY + 2;

/// What a move changed on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    moved: Option<(Piece, Square, Square)>,
    captured: Option<(Piece, Square)>,
}

impl Observer for Change {
    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.moved = Some((piece, from, to));
    }

    #[inline]
    fn captured(&mut self, piece: Piece, sq: Square) {
        self.captured = Some((piece, sq));
    }
}

/// One ply of the line.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// Key of the position, to notice a line that is not the caller's.
    key: u64,
    /// What led here.
    change: Change,
    views: [View; 2],
    /// Whether the sums of each perspective are known.
    known: [bool; 2],
}

/// A board of the refresh cache.
#[derive(Clone, Copy, Debug, Default)]
struct Board {
    colors: [Bitboard; 2],
    kinds: [Bitboard; 7],
}

/// A network with the sums of one line of play.
#[derive(Clone, Debug)]
pub struct State {
    network: Arc<Network>,
    backend: Backend,
    plies: Vec<Ply>,
    /// `[ply][perspective][row]`.
    sums: Vec<Block>,
    boards: Vec<Board>,
    /// `[view][row]`, the sums of `boards`.
    cached: Vec<Block>,
}

impl State {
    /// Sums for a network, computed with the fastest instructions of this processor.
    pub fn new(network: Arc<Network>) -> State {
        State::with_backend(network, Backend::best())
    }

    /// Sums for a network, computed with certain instructions.
    pub fn with_backend(network: Arc<Network>, backend: Backend) -> State {
        let row = network.row;
        let view = View { side: Color::Red, mirror: false, king: 0 };
        let ply = Ply { key: 0, change: Change::default(), views: [view; 2], known: [false; 2] };
        let views = 2 * 2 * network.buckets;
        State {
            backend,
            plies: vec![ply; PLIES],
            sums: vec![Block::ZERO; PLIES * 2 * row],
            boards: vec![Board::default(); views],
            cached: network.bias.repeat(views),
            network,
        }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a line with `pos` at ply 0.
    pub fn reset(&mut self, pos: &Position) {
        self.plies[0] = Ply {
            key: pos.key(),
            change: Change::default(),
            views: Color::ALL.map(|side| View::of(pos, side)),
            known: [false; 2],
        };
    }

    /// Makes a move at `ply` of the line; the child is ply + 1, whatever was there before.
    #[inline]
    pub fn make(&mut self, pos: &Position, mv: Move, ply: usize) -> Position {
        let mut change = Change::default();
        let child = pos.make_observed(mv, &mut change);
        let mut views = self.plies[ply].views;
        if let Some((piece, _, to)) = change.moved
            && piece.kind() == PieceType::King
        {
            views[piece.color().index()] = View::new(piece.color(), to);
        }
        self.plies[ply + 1] = Ply { key: child.key(), change, views, known: [false; 2] };
        child
    }

    /// Makes a pass at `ply` of the line.
    #[inline]
    pub fn pass(&mut self, pos: &Position, ply: usize) -> Position {
        let child = pos.make_null();
        let (change, views) = (Change::default(), self.plies[ply].views);
        self.plies[ply + 1] = Ply { key: child.key(), change, views, known: [false; 2] };
        child
    }

    /// The value of `pos`, which stands at `ply` of the line, in centipawns for the side to move.
    pub fn evaluate_at(&mut self, pos: &Position, ply: usize) -> i32 {
        debug_assert_eq!(self.plies[ply].key, pos.key(), "not the position of ply {ply}");
        for side in Color::ALL {
            self.bring_up(pos, ply, side);
        }
        let (own, other) = (self.at(ply, pos.side()), self.at(ply, !pos.side()));
        self.output(pos, &self.sums[own], &self.sums[other])
    }

    /// The value of a position outside any line, in centipawns for the side to move.
    pub fn evaluate(&mut self, pos: &Position) -> i32 {
        let own = self.refresh(pos, View::of(pos, pos.side()));
        let other = self.refresh(pos, View::of(pos, !pos.side()));
        self.output(pos, &self.cached[own], &self.cached[other])
    }

    /// Where the sums of a perspective at a ply are kept.
    fn at(&self, ply: usize, side: Color) -> std::ops::Range<usize> {
        let row = self.network.row;
        let start = (2 * ply + side.index()) * row;
        start..start + row
    }

    /// The row of a feature of a view.
    #[inline]
    fn row(&self, view: View, piece: Piece, sq: Square) -> &[Block] {
        let row = self.network.row;
        let feature = view.bucket(self.network.buckets) * PER_BUCKET + view.feature(piece, sq);
        &self.network.weights[feature * row..][..row]
    }

    /// Makes the sums of one perspective known at `ply`.
    fn bring_up(&mut self, pos: &Position, ply: usize, side: Color) {
        let s = side.index();
        let view = self.plies[ply].views[s];
        let mut base = ply;
        while !self.plies[base].known[s] {
            if base == 0 || self.plies[base - 1].views[s] != view {
                let from = self.refresh(pos, view);
                let to = self.at(ply, side);
                self.sums[to].copy_from_slice(&self.cached[from]);
                self.plies[ply].known[s] = true;
                return;
            }
            base -= 1;
        }
        for next in base + 1..=ply {
            self.carry(next, side);
        }
    }

    /// Makes the sums of one perspective known at `ply` from those one ply before.
    fn carry(&mut self, ply: usize, side: Color) {
        let Ply { change, views, .. } = self.plies[ply];
        let view = views[side.index()];
        let (before, now) = (self.at(ply - 1, side), self.at(ply, side));
        // taken out for the call: rows and sums are parts of the same state
        let mut sums = std::mem::take(&mut self.sums);
        let (earlier, later) = sums.split_at_mut(now.start);
        let (from, out) = (&earlier[before.clone()], &mut later[..before.len()]);
        match change.moved {
            Some((piece, origin, target)) => {
                let taken = change.captured.map(|(victim, sq)| self.row(view, victim, sq));
                let (add, sub) = (self.row(view, piece, target), self.row(view, piece, origin));
                self.backend.update(out, from, add, sub, taken);
            }
            None => out.copy_from_slice(from),
        }
        self.sums = sums;
        self.plies[ply].known[side.index()] = true;
    }

    /// Brings the cache entry of a view to the board of `pos`, and says where its sums are.
    fn refresh(&mut self, pos: &Position, view: View) -> std::ops::Range<usize> {
        let network = &*self.network;
        let bucket = view.bucket(network.buckets);
        let entry = (2 * view.side.index() + view.mirror as usize) * network.buckets + bucket;
        let range = entry * network.row..(entry + 1) * network.row;
        let board = &mut self.boards[entry];
        let mut add: ArrayVec<u16, MAX_ACTIVE> = ArrayVec::new();
        let mut sub: ArrayVec<u16, MAX_ACTIVE> = ArrayVec::new();
        let index = |piece, sq| (bucket * PER_BUCKET + view.feature(piece, sq)) as u16;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let now = pos.pieces(color, kind);
                let then = board.colors[color.index()] & board.kinds[kind.index()];
                let piece = Piece::new(color, kind);
                add.extend((now - then).into_iter().map(|sq| index(piece, sq)));
                sub.extend((then - now).into_iter().map(|sq| index(piece, sq)));
            }
        }
        *board = Board {
            colors: Color::ALL.map(|color| pos.color(color)),
            kinds: PieceType::ALL.map(|kind| pos.kind(kind)),
        };
        let values = &mut self.cached[range.clone()];
        self.backend.refresh(values, &network.weights, &add, &sub);
        range
    }

    /// The output layer.
    fn output(&self, pos: &Position, own: &[Block], other: &[Block]) -> i32 {
        let network = &*self.network;
        let bucket = features::output_bucket(pos);
        let len = 2 * network.row;
        let weights = &network.output[bucket * len..][..len];
        let sum = self.backend.forward(own, other, weights);
        let unit = i64::from(UNIT);
        let value = sum + unit * i64::from(network.output_bias[bucket]);
        let scaled =
            value * i64::from(network.scale) / (unit * unit * i64::from(network.output_unit));
        // far beyond any evaluation, but no `as` may wrap
        scaled.clamp(-1_000_000, 1_000_000) as i32
    }
}
