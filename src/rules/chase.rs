//! When an attack is a threat, and when a move makes one.
//!
//! | term | meaning |
//! |---|---|
//! | *hit* | a man could legally capture another if the opponent passed |
//! | *root* | once it has, somebody could legally take back |
//! | *root\** | the same, by a man that bears on the point before the capture too: a line that only opens when the attacker leaves it does not count |
//! | *stronger* | the victim is worth so much more than the attacker that guards do not matter |
//! | *offer* | two men of one kind that can take each other |
//! | *target* | no king, and no pawn that is still on its own half |
//! | *threat* | a hit on a target, by neither king nor pawn, no offer, on a man that is stronger or has no root |

use super::{Chase, FalseGuard, FalseRoot, Grounds, Man, Window};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// Which pairs (attacker, victim) count whatever guards the victim.
pub(super) type Stronger = fn(PieceType, PieceType) -> bool;

/// Reports the pairs (attacker, victim) that a move chases, among victims on given points; both
/// where they stand after the move.
pub(super) type ChaseRule = fn(&Window<'_>, usize, Bitboard, &mut dyn FnMut(Square, Square));

/// Knight or cannon against a rook; advisor or elephant against a rook, knight or cannon.
pub(super) fn outranks(attacker: PieceType, victim: PieceType) -> bool {
    use PieceType::{Advisor, Cannon, Elephant, Knight, Rook};
    match attacker {
        Knight | Cannon => victim == Rook,
        Advisor | Elephant => matches!(victim, Rook | Knight | Cannon),
        _ => false,
    }
}

/// How a threat is weighed.
#[derive(Clone, Copy)]
pub(super) struct Weighing {
    /// Guards must bear on the point before the capture too (*root\**).
    pub star: bool,
    /// A capture that only leaves the mover in a check it is in already counts as possible.
    pub forgive_check: bool,
    /// Pairs for which guards do not matter.
    pub stronger: Stronger,
}

impl Weighing {
    /// The plain reading of the terms.
    pub(super) const PLAIN: Weighing =
        Weighing { star: false, forgive_check: false, stronger: outranks };
    /// For the question whether a threat stood before the move.
    pub(super) const BEFORE: Weighing =
        Weighing { star: true, forgive_check: true, stronger: outranks };
}

/// The position with `side` to move, by a pass if need be.
pub(super) fn with_side(pos: &Position, side: Color) -> Position {
    if pos.side() == side { *pos } else { pos.make_null() }
}

/// Men of `side` that may be chased.
pub(super) fn targets(pos: &Position, side: Color) -> Bitboard {
    let at_home = pos.pieces(side, PieceType::Pawn) & Bitboard::home(side);
    pos.color(side) - pos.pieces(side, PieceType::King) - at_home
}

/// Men of `side` that may chase: all but king and pawns.
pub(super) fn chasers(pos: &Position, side: Color) -> Bitboard {
    pos.color(side) - pos.kind(PieceType::King) - pos.kind(PieceType::Pawn)
}

/// All points the chasers of `side` reach.
pub(super) fn reached(pos: &Position, side: Color) -> Bitboard {
    chasers(pos, side)
        .into_iter()
        .fold(Bitboard::EMPTY, |reached, sq| reached | pos.attacks_from(sq))
}

/// Whether the man on `a` threatens the man on `v`; the attacker's side is to move. `v` must hold a
/// target.
pub(super) fn is_threat(pos: &Position, a: Square, v: Square, weighing: Weighing) -> bool {
    let (Some(attacker), Some(victim)) = (pos.piece_on(a), pos.piece_on(v)) else { return false };
    if !pos.attacks_from(a).has(v) {
        return false;
    }
    let capture = Move::new(a, v);
    let possible =
        pos.is_legal(capture) || (weighing.forgive_check && leaves_old_check(pos, capture));
    if !possible {
        return false;
    }
    if attacker.kind() == victim.kind() && pos.make_null().is_legal(Move::new(v, a)) {
        return false;
    }
    (weighing.stronger)(attacker.kind(), victim.kind()) || !has_root(pos, capture, weighing.star)
}

/// Whether a capture is illegal only because the mover is in check and would still be.
fn leaves_old_check(pos: &Position, capture: Move) -> bool {
    let before = pos.checkers();
    let after = pos.make(capture).make_null().checkers();
    before.any() && (after - before).is_empty()
}

/// Whether the other side can legally take back after a capture.
fn has_root(pos: &Position, capture: Move, star: bool) -> bool {
    let v = capture.to();
    let after = pos.make(capture);
    let mut guards = after.attackers_to(v, after.occupied()) & after.color(after.side());
    if star {
        guards &= pos.attackers_to(v, pos.occupied());
    }
    guards.into_iter().any(|guard| after.is_legal(Move::new(guard, v)))
}

/// Men that threaten the man on `v`; their side is to move.
pub(super) fn threateners(pos: &Position, v: Square, weighing: Weighing) -> Bitboard {
    (pos.attackers_to(v, pos.occupied()) & chasers(pos, pos.side()))
        .into_iter()
        .filter(|&a| is_threat(pos, a, v, weighing))
        .collect()
}

/// Chases as the World Xiangqi Federation has them, pair by pair: the pair is a threat after the
/// move, was none before it, and the answer ends it.
pub(super) fn by_pairs(
    window: &Window<'_>,
    ply: usize,
    victims: Bitboard,
    found: &mut dyn FnMut(Square, Square),
) {
    let us = window.mover(ply);
    let now = with_side(window.position(ply + 1), us);
    let (mv, reply) = (window.mv(ply), window.reply(ply));
    for v in victims {
        for a in threateners(&now, v, Weighing::PLAIN) {
            let a_before = if mv.to() == a { mv.from() } else { a };
            let v_after = if reply.from() == v { reply.to() } else { v };
            if !is_threat(window.position(ply), a_before, v, Weighing::BEFORE)
                && !is_threat(window.after_reply(ply), a, v_after, Weighing::PLAIN)
            {
                found(a, v);
            }
        }
    }
}

/// Chases as program competitions have them, victim by victim: the man is threatened after the
/// move and was not before it, by whomever.
pub(super) fn by_victims(
    window: &Window<'_>,
    ply: usize,
    victims: Bitboard,
    found: &mut dyn FnMut(Square, Square),
) {
    let now = with_side(window.position(ply + 1), window.mover(ply));
    for v in victims {
        let threateners_now = threateners(&now, v, Weighing::PLAIN);
        if threateners_now.any() && threateners(window.position(ply), v, Weighing::PLAIN).is_empty()
        {
            threateners_now.into_iter().for_each(|a| found(a, v));
        }
    }
}

/// Men of `side` that its every move in the window chases, by their origins.
pub(super) fn chased_throughout(window: &Window<'_>, side: Color, rule: ChaseRule) -> Bitboard {
    let mut origins = targets(window.position(0), !side);
    // Nearly all loops end here: nobody is even attacked all the time.
    for ply in window.own_plies(side).rev() {
        let attacked = reached(window.position(ply + 1), side);
        origins &= window.origins(ply + 1, window.places(ply + 1, origins) & attacked);
        if origins.is_empty() {
            return origins;
        }
    }
    for ply in window.own_plies(side).rev() {
        let mut victims = Bitboard::EMPTY;
        let places = window.places(ply + 1, origins);
        rule(window, ply, places, &mut |_, v| victims |= Bitboard::from(v));
        origins = window.origins(ply + 1, victims);
        if origins.is_empty() {
            break;
        }
    }
    origins
}

/// The chases of one move with their grounds.
pub(super) fn describe(window: &Window<'_>, ply: usize, rule: ChaseRule) -> Vec<Chase> {
    let us = window.mover(ply);
    let now = with_side(window.position(ply + 1), us);
    let mut chases = Vec::new();
    rule(window, ply, targets(&now, !us), &mut |a, v| {
        if let (Some(attacker), Some(victim)) = (window.man(ply + 1, a), window.man(ply + 1, v)) {
            let grounds = grounds(&now, Move::new(a, v));
            chases.push(Chase { attacker, victim, grounds, joint: false });
        }
    });
    chases
}

/// Why a capture that is a threat is one; the attacker's side is to move.
pub(super) fn grounds(pos: &Position, capture: Move) -> Grounds {
    let v = capture.to();
    let after = pos.make(capture);
    let defenders = pos.color(after.side());
    let before_capture = pos.attackers_to(v, pos.occupied()) & defenders;
    let after_capture = after.attackers_to(v, after.occupied()) & defenders;
    let man = |square: Square| pos.piece_on(square).map(|piece| Man { piece, square });
    let takes_back = |guard: &Square| after.is_legal(Move::new(*guard, v));
    let real = after_capture.into_iter().find(takes_back).and_then(man);
    let kind = |sq: Square| pos.piece_on(sq).map(|piece| piece.kind());
    let outranked = kind(capture.from()).zip(kind(v)).is_some_and(|(a, v)| outranks(a, v));
    if outranked || real.is_some() {
        return Grounds::Stronger { guard: real };
    }
    let guards: Vec<FalseGuard> = (before_capture | after_capture)
        .into_iter()
        .filter_map(|sq| {
            let why = why_false(&after, sq, v, after_capture.has(sq));
            man(sq).map(|guard| FalseGuard { guard, why })
        })
        .collect();
    if guards.is_empty() { Grounds::Unguarded } else { Grounds::FalseRoot { guards } }
}

/// Why the man on `guard` cannot take back on `v`; `after` is the position after the capture.
fn why_false(after: &Position, guard: Square, v: Square, bears: bool) -> FalseRoot {
    if !bears {
        return FalseRoot::ScreenGone;
    }
    if after.kind(PieceType::King).has(guard) {
        return FalseRoot::KingIntoAttack;
    }
    let unanswered = after.make(Move::new(guard, v)).make_null().checkers() & after.checkers();
    if unanswered.any() { FalseRoot::DiscoveredCheck } else { FalseRoot::Pinned }
}
