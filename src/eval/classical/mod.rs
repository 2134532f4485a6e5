//! The hand-made evaluation: material and place, mobility, threats, king attack, endgame scaling.
//!
//! Everything is computed anew from the position. Each term is worked out for one side and then for
//! the other with the same code, which keeps the evaluation symmetric.

mod force;
mod king;
mod tables;
mod weight;

use force::Force;
use weight::{Weight, w};

use super::scale;
use crate::position::Position;
use crate::types::{Color, PieceType};

/// Values over this are logits of the expected result. Fitted to self-play at 300 nodes a move.
pub(super) const SCALE: i32 = 253;

/// For the side to move, in centipawns.
const TEMPO: i32 = 8;

/// Game phase by the attacking men on the board, both sides together.
const PHASE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];
const FULL_PHASE: i32 = 32;

/// The value for the side to move, in centipawns, not yet clamped.
pub(super) fn evaluate(pos: &Position) -> i32 {
    let reach = Color::ALL.map(|side| force::pawn_reach(pos.pieces(side, PieceType::Pawn), side));
    let red = Force::new(pos, Color::Red, reach);
    let black = Force::new(pos, Color::Black, reach);
    let mut sum = red.score - black.score;
    sum += force::threats(pos, Color::Red, &red, &black);
    sum -= force::threats(pos, Color::Black, &black, &red);
    sum += material(pos, Color::Red) - material(pos, Color::Black);
    sum += king::attack(pos, &red, &black) - king::attack(pos, &black, &red);
    let phase: i32 = [PieceType::Knight, PieceType::Rook, PieceType::Cannon]
        .into_iter()
        .map(|kind| PHASE[kind.index()] * pos.kind(kind).count() as i32)
        .sum();
    let phase = phase.min(FULL_PHASE);
    let red_view = (sum.mg() * phase + sum.eg() * (FULL_PHASE - phase)) / FULL_PHASE;
    let view = red_view * pos.side().sign() + TEMPO;
    scale::scaled(pos, view)
}

/// No rook against at least one.
const ROOKLESS: Weight = w(-31, -27);
/// A knight and a cannon help each other more than two of a kind.
const MIXED_PAIR: Weight = w(5, 20);
/// Each cannon, for each man on the board beyond [`SCREENS_BASE`]: screens come and go with men.
const SCREENS: Weight = w(1, 6);
const SCREENS_BASE: i32 = 20;

/// Material beyond the sum of its parts.
fn material(pos: &Position, us: Color) -> Weight {
    let cannons = pos.pieces(us, PieceType::Cannon);
    let mut sum =
        SCREENS * (cannons.count() as i32 * (pos.occupied().count() as i32 - SCREENS_BASE));
    if cannons.any() && pos.pieces(us, PieceType::Knight).any() {
        sum += MIXED_PAIR;
    }
    let rooks = pos.kind(PieceType::Rook);
    if rooks.any() && (rooks & pos.color(us)).is_empty() {
        sum += ROOKLESS;
    }
    sum
}
