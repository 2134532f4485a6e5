//! World Xiangqi Federation, and the Asian federation before it.

use crate::rules::chase::by_pairs;
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;

/// Some events count 100 plies; at most ten checks of a side count in both traditions.
pub(super) static SET: Definition = Definition {
    name: "wxf",
    aliases: &["asianrule", "asian", "axf"],
    summary: "World Xiangqi Federation: perpetual check loses, perpetual chase of one man loses",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: Some(10),
    judge: &Graded::chasing(by_pairs),
    series: None,
};
