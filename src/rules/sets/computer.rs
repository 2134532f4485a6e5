//! Program competitions (2023): like the federation's rules, but any check in the loop excuses
//! every chase, and what counts is the man attacked, not the pair.

use crate::rules::chase::by_victims;
use crate::rules::graded::{Graded, Voids};
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "computer",
    aliases: &["computerrule"],
    summary: "program competitions: as wxf, but a check by anybody excuses every chase",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: Some(10),
    judge: &Graded { voids: Voids::Any, ..Graded::chasing(by_victims) },
    series: None,
};
