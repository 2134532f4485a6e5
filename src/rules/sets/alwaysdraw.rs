//! Every repetition is a draw: for analysis and for interfaces that judge themselves.

use crate::rules::graded::{Graded, Voids};
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "alwaysdraw",
    aliases: &["nojudgement", "nojudgment"],
    summary: "every repetition is a draw",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: Some(10),
    judge: &Graded {
        checks: false,
        chase: None,
        voids: Voids::Own,
        kills: false,
        chase_loses: false,
    },
    series: None,
};
