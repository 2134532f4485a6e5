//! The engine league of the UCCI protocol (2005, 2007).
//!
//! Only the man that moved can chase, and rooks and cannons only across the direction of their
//! move. Any enemy man that bears on the victim guards it, pinned or not.

use crate::position::Position;
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;
use crate::rules::{Window, chase};
use crate::types::{Bitboard, PieceType, Square};

/// Fifty full moves; no check counts, nor the move that answers it.
pub(super) static SET: Definition = Definition {
    name: "ucci",
    aliases: &["uccileague"],
    summary: "UCCI engine league: fourth occurrence, only the man that moved can chase",
    occurrences: Some(4),
    natural_limit: Some(100),
    counted_checks: Some(0),
    judge: &Graded::chasing(by_mover),
    series: None,
};

/// Whether the league looks at this attack at all.
fn is_listed(attacker: PieceType, victim: PieceType) -> bool {
    use PieceType::{Cannon, Knight, Pawn, Rook};
    match attacker {
        Knight => matches!(victim, Rook | Cannon | Pawn),
        Rook => matches!(victim, Knight | Cannon | Pawn),
        Cannon => matches!(victim, Rook | Knight | Pawn),
        _ => false,
    }
}

fn by_mover(
    window: &Window<'_>,
    ply: usize,
    victims: Bitboard,
    found: &mut dyn FnMut(Square, Square),
) {
    let after = window.position(ply + 1);
    let (from, a) = (window.mv(ply).from(), window.mv(ply).to());
    let Some(attacker) = after.piece_on(a) else { return };
    let lines = match attacker.kind() {
        PieceType::Rook | PieceType::Cannon if from.file() == a.file() => Bitboard::rank(a.rank()),
        PieceType::Rook | PieceType::Cannon => Bitboard::file(a.file()),
        _ => Bitboard::ALL,
    };
    for v in after.attacks_from(a) & lines & victims & chase::targets(after, after.side()) {
        let Some(victim) = after.piece_on(v) else { continue };
        if is_listed(attacker.kind(), victim.kind())
            && (victim.kind() == PieceType::Rook || !is_guarded(after, v))
        {
            found(a, v);
        }
    }
}

/// Whether another man of the same side bears on a man.
fn is_guarded(pos: &Position, v: Square) -> bool {
    (pos.attackers_to(v, pos.occupied()) & pos.color(pos.side())).any()
}
