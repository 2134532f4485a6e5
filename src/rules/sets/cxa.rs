//! Chinese Xiangqi Association (2011, 2020): any mixture of check, threat of mate and chase is
//! forbidden.
//!
//! Finished records are judged in full. The search cannot afford to ask what can be won by force:
//! there a chase is one as the federation has it, a threat of mate one of mate on the next move, and
//! two forbidden loops weigh the same unless one is pure check.

use crate::rules::chase::by_pairs;
use crate::rules::graded::threatens_mate;
use crate::rules::judge::{Checks, Judge};
use crate::rules::ruleset::Definition;
use crate::rules::{Ruling, Window, chase, cxa};
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
}

impl Judge for Mixture {
    fn judge(&self, window: &Window<'_>) -> Ruling {
        cxa::judge(window)
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
