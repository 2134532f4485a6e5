//! The statistics one worker gathers, and how a cut-off teaches them.

use super::params::{bonus_base, bonus_depth, bonus_max};
use super::stack::Stack;
use crate::history::{
    CaptureHistory, ContinuationHistory, CorrectionHistory, PieceTo, QuietHistory,
};
use crate::position::Position;
use crate::types::{Move, PieceType, Score};

/// Plies back whose moves give a quiet move its context.
const CONTINUATIONS: [usize; 2] = [1, 2];

/// All statistics of a worker.
#[derive(Debug, Default)]
pub(super) struct Histories {
    quiet: QuietHistory,
    capture: CaptureHistory,
    continuation: ContinuationHistory,
    correction: CorrectionHistory,
}

/// What a search of this depth is worth as evidence.
fn bonus(depth: i32) -> i32 {
    (bonus_depth() * depth + bonus_base()).min(bonus_max())
}

impl Histories {
    /// Order of a quiet move, about ±49,000.
    #[inline]
    pub(super) fn quiet_score(&self, pos: &Position, stack: &Stack, ply: usize, mv: Move) -> i32 {
        let mut score = self.quiet.get(pos.side(), mv);
        if let Some(now) = piece_to(pos, mv) {
            for back in CONTINUATIONS {
                if let Some(before) = stack.before(ply, back).moved {
                    score += self.continuation.get(before, now);
                }
            }
        }
        score
    }

    /// Order of a capture among captures of the same victim, within ±16,384.
    #[inline]
    pub(super) fn capture_score(&self, pos: &Position, mv: Move) -> i32 {
        match (pos.piece_on(mv.from()), pos.captured(mv)) {
            (Some(piece), Some(victim)) => self.capture.get(piece, mv.to(), victim.kind()),
            _ => 0,
        }
    }

    fn update_quiet(&mut self, pos: &Position, stack: &Stack, ply: usize, mv: Move, bonus: i32) {
        self.quiet.update(pos.side(), mv, bonus);
        if let Some(now) = piece_to(pos, mv) {
            for back in CONTINUATIONS {
                if let Some(before) = stack.before(ply, back).moved {
                    self.continuation.update(before, now, bonus);
                }
            }
        }
    }

    fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        if let (Some(piece), Some(victim)) = (pos.piece_on(mv.from()), pos.captured(mv)) {
            self.capture.update(piece, mv.to(), victim.kind(), bonus);
        }
    }

    /// Learns from a cut-off: `best` refuted, the moves in `tried` before it did not.
    pub(super) fn learn(
        &mut self,
        pos: &Position,
        stack: &Stack,
        ply: usize,
        depth: i32,
        best: Move,
        tried: &[Move],
    ) {
        let bonus = bonus(depth);
        let quiet = pos.captured(best).is_none();
        if quiet {
            self.update_quiet(pos, stack, ply, best, bonus);
        } else {
            self.update_capture(pos, best, bonus);
        }
        for &mv in tried {
            if pos.captured(mv).is_some() {
                self.update_capture(pos, mv, -bonus);
            } else if quiet {
                self.update_quiet(pos, stack, ply, mv, -bonus);
            }
        }
    }

    /// The static evaluation with what was learned about positions like this.
    #[inline]
    pub(super) fn corrected(&self, pos: &Position, eval: Score) -> Score {
        let side = pos.side();
        let correction =
            self.correction.get(side, pawn_key(pos)) + self.correction.get(side, minor_key(pos));
        Score::eval(eval.value() + correction)
    }

    /// Learns that a search of `depth` gave `score` where the evaluation said `eval`.
    pub(super) fn learn_correction(
        &mut self,
        pos: &Position,
        eval: Score,
        score: Score,
        depth: i32,
    ) {
        let (side, error) = (pos.side(), score - eval);
        self.correction.update(side, pawn_key(pos), error, depth);
        self.correction.update(side, minor_key(pos), error, depth);
    }
}

#[inline]
fn piece_to(pos: &Position, mv: Move) -> Option<PieceTo> {
    pos.piece_on(mv.from()).map(|piece| (piece, mv.to()))
}

/// Groups positions by their pawns.
#[inline]
fn pawn_key(pos: &Position) -> u64 {
    pos.structure_key(&[PieceType::Pawn])
}

/// Groups positions by knights and defenders; disjoint from pawn keys in what it looks at.
#[inline]
fn minor_key(pos: &Position) -> u64 {
    pos.structure_key(&[PieceType::Knight, PieceType::Advisor, PieceType::Elephant])
}
