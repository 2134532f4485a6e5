//! First-layer sums along a line of play, brought up to date only when a value is asked for.
//!
//! A ply remembers what its move changed. To value a ply, the nearest earlier one with known sums is
//! carried forward; if the king of a perspective has moved to another view in between, the sums are
//! made from the *refresh cache*: per view the last board and its sums, patched by what differs now.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{self, MAX_ACTIVE, PER_BUCKET, View};
use super::kernel::Block;
use super::network::Network;
use super::simd::Backend;
use crate::position::{Observer, Position};
use crate::types::{Color, MAX_PLY, Piece, PieceType, Square};

/// Plies a line may have, the root included.
const PLIES: usize = MAX_PLY + 2;

/// What a move changed on the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
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
    /// Rooks, knights and cannons of both sides.
    majors: u8,
    /// Whether a view is not that of the ply before.
    turned: bool,
    /// Whether the sums of each perspective are known.
    known: [bool; 2],
}

/// A network with the sums of one line of play.
#[derive(Clone, Debug)]
pub struct State {
    network: Arc<Network>,
    backend: Backend,
    plies: Vec<Ply>,
    /// `[ply][perspective][row]`.
    sums: Vec<Block>,
    /// `[view]`, the boards of the refresh cache.
    boards: Vec<Position>,
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
        let ply = Ply {
            key: 0,
            change: Change::default(),
            views: [view; 2],
            majors: 0,
            turned: true,
            known: [false; 2],
        };
        let views = 2 * 2 * network.buckets;
        State {
            backend,
            plies: vec![ply; PLIES],
            sums: vec![Block::ZERO; PLIES * 2 * row],
            boards: vec![Position::empty(); views],
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
            majors: features::majors(pos) as u8,
            turned: true,
            known: [false; 2],
        };
    }

    /// Notes that `child` stands at `ply + 1`, whatever was there before: `change` (nothing for a
    /// pass) leads to it from `ply`.
    #[inline]
    pub fn push(&mut self, child: &Position, change: Change, ply: usize) {
        let Ply { mut views, mut majors, .. } = self.plies[ply];
        let mut turned = false;
        if let Some((piece, _, to)) = change.moved
            && piece.kind() == PieceType::King
        {
            let view = View::new(piece.color(), to);
            turned = views[piece.color().index()] != view;
            views[piece.color().index()] = view;
        }
        if let Some((victim, _)) = change.captured {
            majors = majors.saturating_sub(features::is_major(victim.kind()) as u8);
        }
        self.plies[ply + 1] =
            Ply { key: child.key(), change, views, majors, turned, known: [false; 2] };
    }

    /// The value of `pos`, which stands at `ply` of the line, in centipawns for the side to move.
    pub fn evaluate_at(&mut self, pos: &Position, ply: usize) -> i32 {
        debug_assert_eq!(self.plies[ply].key, pos.key(), "not the position of ply {ply}");
        debug_assert_eq!(self.plies[ply].majors as usize, features::majors(pos));
        let bucket = features::output_bucket_of(self.plies[ply].majors as usize);
        let sum = match self.step(pos.side(), ply, bucket) {
            Some(sum) => sum,
            None => {
                for side in Color::ALL {
                    self.bring_up(pos, ply, side);
                }
                let (own, other) = (self.at(ply, pos.side()), self.at(ply, !pos.side()));
                let weights = self.network.output_weights(bucket);
                self.backend.forward(&self.sums[own], &self.sums[other], weights)
            }
        };
        self.network.value(sum, bucket)
    }

    /// The usual case in one go: both sums of the ply before are known and a move led here that
    /// turned no view.
    #[inline]
    fn step(&mut self, side: Color, ply: usize, bucket: usize) -> Option<i64> {
        let Ply { change, views, turned, known, .. } = self.plies[ply];
        let (piece, origin, target) = change.moved?;
        if turned || known != [false; 2] || self.plies[ply.checked_sub(1)?].known != [true; 2] {
            return None;
        }
        let network = &*self.network;
        let rows = |view| network.rows_of(view, piece, [origin, target], change.captured);
        let rows = [rows(views[0]), rows(views[1])];
        let row = network.row;
        let (own, other) = network.output_weights(bucket).split_at(row);
        let weights = if side == Color::Red { [own, other] } else { [other, own] };
        let (from, out) = self.sums[2 * (ply - 1) * row..2 * (ply + 1) * row].split_at_mut(2 * row);
        let (from, out) = (from.split_at(row), out.split_at_mut(row));
        self.plies[ply].known = [true; 2];
        Some(self.backend.step([out.0, out.1], [from.0, from.1], rows, weights))
    }

    /// The value of a position outside any line, in centipawns for the side to move.
    pub fn evaluate(&mut self, pos: &Position) -> i32 {
        let own = self.refresh(pos, View::of(pos, pos.side()));
        let other = self.refresh(pos, View::of(pos, !pos.side()));
        let bucket = features::output_bucket(pos);
        let weights = self.network.output_weights(bucket);
        let sum = self.backend.forward(&self.cached[own], &self.cached[other], weights);
        self.network.value(sum, bucket)
    }

    /// Where the sums of a perspective at a ply are kept.
    fn at(&self, ply: usize, side: Color) -> std::ops::Range<usize> {
        let row = self.network.row;
        let start = (2 * ply + side.index()) * row;
        start..start + row
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
        let network = &*self.network;
        let (earlier, later) = self.sums.split_at_mut(now.start);
        let (from, out) = (&earlier[before], &mut later[..network.row]);
        match change.moved {
            Some((piece, origin, target)) => {
                let rows = network.rows_of(view, piece, [origin, target], change.captured);
                self.backend.update(out, from, rows);
            }
            None => out.copy_from_slice(from),
        }
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
        for sq in pos.differences(board) {
            add.extend(pos.piece_on(sq).map(|piece| index(piece, sq)));
            sub.extend(board.piece_on(sq).map(|piece| index(piece, sq)));
        }
        *board = *pos;
        let values = &mut self.cached[range.clone()];
        self.backend.refresh(values, &network.weights, &add, &sub);
        range
    }
}
