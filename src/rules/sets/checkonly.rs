//! Only perpetual check is an offence.

use crate::rules::graded::{Graded, Voids};
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "checkonly",
    aliases: &["checkban", "allowchase"],
    summary: "one-sided perpetual check loses, every other repetition is a draw",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: Some(10),
    judge: &Graded {
        checks: true,
        chase: None,
        voids: Voids::Own,
        kills: false,
        chase_loses: false,
    },
    series: None,
};
