//! The rules of the Chinese Xiangqi Association (2011, 2020) for repetition.
//!
//! Every move of the loop gets a class ([`classify`]). A loop of one side in which every move is
//! check, kill or chase is *forbidden*, any other *allowed*:
//!
//! 1. perpetual check by one side alone loses in every circumstance;
//! 2. a forbidden loop loses against an allowed one;
//! 3. two allowed loops draw;
//! 4. of two forbidden loops the *heavy* one loses, equal weights draw. A loop is light when at
//!    least one of its moves is only a joint chase or the chase of an under-protected man.
//!
//! What a chase is cannot be read off the board: it is a win of material by force were the opponent
//! to pass, so a small search ([`solve`]) looks for it, and looks again in the position before the
//! move, because a chase must be the move's own work. Where the printed rules leave room, the
//! following is done:
//!
//! - *After* the move the opponent has passed, so what it attacks elsewhere does not save it.
//!   *Before* the move all its answers count: a gain that would have cost a man left hanging was
//!   none, and the move that saves the man makes it one. If that man has no part in the gain,
//!   the gain counts as old.
//! - A line fails when it makes new captures possible that lose more than it wins, or when it
//!   allows a mate by checks.
//! - Men of one kind that attack each other offer an exchange, unless one of the captures would
//!   lose. A guarded man that is so offered is not under-protected either.
//! - Pawns and kings count only when they take back.
//! - Lines are bounded: three checks by the attacker, two by the defender, eight for a kill (a
//!   printed kill takes seven).

mod classify;
mod kill;
mod material;
mod solve;
mod threats;

use std::collections::HashMap;
use std::rc::Rc;

use classify::{Classified, NewThreat, classify};

use super::chase::{grounds, outranks};
use super::{Chase, Grounds, Man, MoveClass, MoveKind, Reason, Ruling, Window};
use crate::position::Position;
use crate::types::{Color, Move};

/// Judges the loop of a window.
pub(super) fn judge(window: &Window<'_>) -> Ruling {
    // The second round is mostly the first again.
    let mut known: HashMap<(u64, u64, Move), Rc<Classified>> = HashMap::new();
    let classes: Vec<Rc<Classified>> = (0..window.plies())
        .map(|ply| {
            let (before, mv) = (window.position(ply), window.mv(ply));
            // the loop goes round
            let earlier = window.position(if ply > 0 { ply - 1 } else { window.plies() - 1 });
            let class = known.entry((earlier.key(), before.key(), mv));
            Rc::clone(class.or_insert_with(|| Rc::new(classify(earlier, before, mv))))
        })
        .collect();
    let loops = Color::ALL.map(|side| {
        window.own_plies(side).map(|ply| classes[ply].as_ref()).collect::<Vec<&Classified>>()
    });
    let grades = [Grade::of(&loops[0]), Grade::of(&loops[1])];
    let at_fault = match grades[0].cmp(&grades[1]) {
        std::cmp::Ordering::Greater => Some(Color::Red),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    };
    let reason = match at_fault {
        None => match grades[0] {
            Grade::Allowed => Reason::Repetition,
            Grade::PerpetualCheck => Reason::MutualPerpetualCheck,
            Grade::Light | Grade::Heavy => Reason::MutualFault,
        },
        Some(side) => {
            let (own, other) = (side.index(), side.flip().index());
            fault(&loops[own], grades[own], grades[other])
        }
    };
    let classes = (0..window.plies()).map(|ply| facts(window, ply, &classes[ply])).collect();
    Ruling { at_fault, reason, classes, victims: Vec::new() }
}

/// How much of an offence a loop is; the greater one loses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Grade {
    Allowed,
    Light,
    Heavy,
    PerpetualCheck,
}

impl Grade {
    fn of(moves: &[&Classified]) -> Grade {
        if moves.iter().all(|class| class.kind == MoveKind::Check) {
            Grade::PerpetualCheck
        } else if moves.iter().all(|class| class.is_heavy()) {
            Grade::Heavy
        } else if moves.iter().all(|class| class.is_forbidden()) {
            Grade::Light
        } else {
            Grade::Allowed
        }
    }
}

/// What the moves of the losing side have in common.
fn fault(moves: &[&Classified], own: Grade, other: Grade) -> Reason {
    if own == Grade::PerpetualCheck {
        Reason::PerpetualCheck
    } else if other != Grade::Allowed {
        Reason::HeavierLoop
    } else if moves.iter().all(|class| class.kind == MoveKind::Chase) {
        Reason::PerpetualChase
    } else if moves.iter().all(|class| class.kind != MoveKind::Chase) {
        Reason::CheckAndMateThreat
    } else {
        Reason::ForbiddenLoop
    }
}

/// The class of a move as plain data.
fn facts(window: &Window<'_>, ply: usize, class: &Classified) -> MoveClass {
    let after = window.position(ply + 1);
    let man = |sq| window.man(ply + 1, sq);
    let passed = after.make_null();
    let chase = |threat: &NewThreat| {
        let victim = man(threat.victim?)?;
        let attacker = man(threat.mv.from())?;
        let grounds = ground(&passed, threat.mv, attacker, victim);
        let joint = !threat.heavy && !outranks(attacker.piece.kind(), victim.piece.kind());
        Some(Chase { attacker, victim, grounds, joint })
    };
    let checkers =
        if class.kind == MoveKind::Check { after.checkers() } else { Default::default() };
    MoveClass {
        kind: class.kind,
        checkers: checkers.into_iter().filter_map(man).collect(),
        chases: class.threats.iter().filter_map(chase).collect(),
    }
}

fn ground(passed: &Position, mv: Move, attacker: Man, victim: Man) -> Grounds {
    if passed.captured(mv).is_none() {
        return Grounds::Combination;
    }
    match grounds(passed, mv) {
        Grounds::Stronger { .. } if !outranks(attacker.piece.kind(), victim.piece.kind()) => {
            Grounds::Outnumbered
        }
        grounds => grounds,
    }
}
