//! Chinese Xiangqi Association (2011, 2020): any mixture of check, threat of mate and chase is
//! forbidden.
//!
//! This judge knows the mixture but not the finer points of the association's notion of a chase,
//! which asks what can be won by force: a chase is one as the federation has it, a threat of mate
//! one of mate on the next move, and two forbidden loops weigh the same unless one is pure check.

use crate::rules::chase::{by_pairs, describe};
use crate::rules::facts::{Man, MoveClass, MoveKind};
use crate::rules::graded::threatens_mate;
use crate::rules::judge::{Checks, Judge};
use crate::rules::ruleset::Definition;
use crate::rules::{Reason, Ruling, Window, chase};
use crate::types::Color;

pub(super) static SET: Definition = Definition {
    name: "cxa",
    aliases: &["chineserule", "chinese"],
    summary: "Chinese Xiangqi Association: perpetual check, mate threat, chase and mixtures lose",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: None,
    judge: &Mixture,
    series: None,
};

struct Mixture;

impl Mixture {
    fn is_forbidden(window: &Window<'_>, ply: usize) -> bool {
        let after = window.position(ply + 1);
        if window.gives_check(ply) {
            return true;
        }
        let mut chased = false;
        by_pairs(window, ply, chase::targets(after, after.side()), &mut |_, _| chased = true);
        chased || threatens_mate(after)
    }

    fn classify(window: &Window<'_>, ply: usize) -> MoveClass {
        let after = window.position(ply + 1);
        let checkers: Vec<Man> =
            after.checkers().into_iter().filter_map(|sq| window.man(ply + 1, sq)).collect();
        let chases = describe(window, ply, by_pairs);
        let kind = if !checkers.is_empty() {
            MoveKind::Check
        } else if threatens_mate(after) {
            MoveKind::Kill
        } else if !chases.is_empty() {
            MoveKind::Chase
        } else {
            MoveKind::Idle
        };
        MoveClass { kind, checkers, chases }
    }
}

impl Judge for Mixture {
    fn judge(&self, window: &Window<'_>) -> Ruling {
        let classes: Vec<MoveClass> =
            (0..window.plies()).map(|ply| Mixture::classify(window, ply)).collect();
        let forbidden = Color::ALL
            .map(|side| window.own_plies(side).all(|ply| classes[ply].kind != MoveKind::Idle));
        let checks = Checks::of(window).map(|checks| checks.all);
        let at_fault = weigh(checks, forbidden);
        let reason = match at_fault {
            Some(side) if checks[side.index()] => Reason::PerpetualCheck,
            Some(side) => {
                let mut own = window.own_plies(side);
                let chases = own.all(|ply| classes[ply].kind == MoveKind::Chase);
                if chases { Reason::PerpetualChase } else { Reason::ForbiddenLoop }
            }
            None if checks == [true; 2] => Reason::MutualPerpetualCheck,
            None if forbidden == [true; 2] => Reason::MutualFault,
            None => Reason::Repetition,
        };
        Ruling { at_fault, reason, classes, victims: Vec::new() }
    }

    fn fault(&self, window: &Window<'_>, matters: Option<Color>) -> Option<Color> {
        let checks = Checks::of(window).map(|checks| checks.all);
        if checks[0] || checks[1] {
            return weigh(checks, [true; 2]);
        }
        let forbidden = |side: Color| {
            window.own_plies(side).rev().all(|ply| Mixture::is_forbidden(window, ply))
        };
        if let Some(side) = matters {
            return (forbidden(side) && !forbidden(!side)).then_some(side);
        }
        weigh(checks, Color::ALL.map(forbidden))
    }

    fn by_checks(&self, checks: [Checks; 2], _: Option<Color>) -> Option<Option<Color>> {
        let all = checks.map(|checks| checks.all);
        (all[0] || all[1]).then(|| weigh(all, [true; 2]))
    }
}

/// One-sided perpetual check is at fault in every circumstance, then the one forbidden loop.
fn weigh(checks: [bool; 2], forbidden: [bool; 2]) -> Option<Color> {
    let only = |guilty: [bool; 2]| match guilty {
        [true, false] => Some(Color::Red),
        [false, true] => Some(Color::Black),
        _ => None,
    };
    only(checks).or_else(|| if checks == [true; 2] { None } else { only(forbidden) })
}
