//! Moves of `XGR2`: which of the legal moves, in ascending order of origin and target.
//!
//! A move's share grows with the sum of the weights of its features (2^sum, a softmax); after each
//! move the weights of its features go up and those of all moves offered go down by their shares
//! (gradient ascent on the likelihood). All in whole numbers, so that every machine does the same.

use std::sync::LazyLock;

use super::coder::{Coder, WHOLE};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveList, Square};

/// Weights count in units of 1 / 2^16: with 2^16 more a move is twice as likely.
const ONE: i32 = 1 << 16;
/// Weights stay within 12 either way.
const HEAVIEST: i32 = 12 * ONE;

/// What a weight changes by at most when a move is told, after many moves, and what is added at the
/// beginning. The figures were chosen by size of the result, which hardly depends on them.
const LAST_RATE: i32 = 1_500;
const FIRST_RATE: i32 = 16_000;
/// Moves after which half of [`FIRST_RATE`] is left.
const HALVED_AFTER: i32 = 256;
const MOST_TOLD: i32 = 1 << 20;

const FEATURES: usize = 5;
/// Points when left and right are the same.
const POINTS: usize = 50;
const TO: usize = 0;
const FROM: usize = TO + 7 * POINTS;
const TAKEN: usize = FROM + 7 * POINTS;
const DANGER: usize = TAKEN + 7 * 8 * 2;
const HISTORY: usize = DANGER + 7 * 4;
const WEIGHTS: usize = HISTORY + 7 * 4;

/// round(2^16 · 2^(-i / 256)).
static POWERS: LazyLock<[u32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|i| libm::round(65_536.0 * libm::exp2(i as f64 / -256.0)) as u32)
});

/// Adaptive model of the moves of one game after another.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    weights: Vec<i32>,
    /// Moves told so far.
    told: i32,
    /// The last two moves of the game, newest first.
    last: [Option<Move>; 2],
    features: Vec<[u16; FEATURES]>,
    shares: Vec<u32>,
}

impl Choice {
    pub(super) fn new() -> Choice {
        Choice {
            weights: vec![0; WEIGHTS],
            told: 0,
            last: [None; 2],
            features: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Before the first move of a game.
    pub(super) fn begin(&mut self) {
        self.last = [None; 2];
    }

    /// Tells a move; `None` when it is not legal or there is no legal move.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        pos: &Position,
        mv: Option<Move>,
    ) -> Option<Move> {
        let mut moves = pos.legal_moves();
        moves.sort_unstable_by_key(|mv| mv.from().index() * 128 + mv.to().index());
        if moves.is_empty() {
            return None;
        }
        let told = match mv {
            Some(mv) => moves.iter().position(|&legal| legal == mv)?,
            None => 0,
        };
        self.look(pos, &moves);
        self.share();
        let told = coder.symbol(&self.shares, told);
        self.learn(told);
        self.last = [Some(moves[told]), self.last[0]];
        Some(moves[told])
    }

    /// The features of the legal moves.
    fn look(&mut self, pos: &Position, moves: &MoveList) {
        let us = pos.side();
        let occupied = pos.occupied();
        let enemies = pos.color(!us);
        let [theirs, ours] = self.last;
        self.features.clear();
        for &mv in moves {
            let (from, to) = (mv.from(), mv.to());
            let kind = pos.piece_on(from).map_or(0, |piece| piece.kind().index());
            let taken = pos.captured(mv).map_or(0, |piece| 1 + piece.kind().index());
            let left = occupied - Bitboard::from(from);
            let guards = pos.attackers_to(to, left);
            let guarded = (guards & enemies).any() as usize;
            let attacked = (pos.attackers_to(from, occupied) & enemies).any() as usize;
            let history = match (theirs, ours) {
                (Some(theirs), _) if theirs.to() == to => 1,
                (_, Some(ours)) if ours.to() == from && ours.from() == to => 2,
                (_, Some(ours)) if ours.to() == from => 3,
                _ => 0,
            };
            self.features.push([
                (TO + kind * POINTS + point(to, us)) as u16,
                (FROM + kind * POINTS + point(from, us)) as u16,
                (TAKEN + (kind * 8 + taken) * 2 + guarded) as u16,
                (DANGER + kind * 4 + attacked * 2 + guarded) as u16,
                (HISTORY + kind * 4 + history) as u16,
            ]);
        }
    }

    fn share(&mut self) {
        let weights = &self.weights;
        let sums = self
            .features
            .iter()
            .map(|features| features.iter().map(|&feature| weights[feature as usize]).sum::<i32>());
        self.shares.clear();
        let mut highest = i32::MIN;
        for sum in sums {
            highest = highest.max(sum);
            self.shares.push(sum as u32);
        }
        let powers = &*POWERS;
        let mut total = 0;
        for share in &mut self.shares {
            let below = (highest - *share as i32) as usize >> 8;
            *share = powers[below & 255].checked_shr((below >> 8) as u32).unwrap_or(0);
            total += u64::from(*share);
        }
        let free = u64::from(WHOLE) - self.shares.len() as u64;
        let mut left = WHOLE;
        for share in &mut self.shares {
            *share = 1 + (u64::from(*share) * free / total) as u32;
            left -= *share;
        }
        if let Some(last) = self.shares.last_mut() {
            *last += left;
        }
    }

    fn learn(&mut self, told: usize) {
        self.told = (self.told + 1).min(MOST_TOLD);
        let rate = LAST_RATE + FIRST_RATE * HALVED_AFTER / (HALVED_AFTER + self.told);
        for (features, &share) in self.features.iter().zip(&self.shares) {
            let step = (i64::from(share) * i64::from(rate) / i64::from(WHOLE)) as i32;
            for &feature in features {
                let weight = &mut self.weights[usize::from(feature)];
                *weight = (*weight - step).max(-HEAVIEST);
            }
        }
        for &feature in &self.features[told] {
            let weight = &mut self.weights[feature as usize];
            *weight = (*weight + rate).min(HEAVIEST);
        }
    }
}

/// A point from its own side, left and right the same.
fn point(sq: Square, side: Color) -> usize {
    let file = usize::from(sq.file());
    usize::from(sq.relative(side).rank()) * 5 + file.min(8 - file)
}
