//! The fourfold rule of old handbooks as played on the mainland decades ago.

use crate::rules::chase::by_pairs;
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "prc4",
    aliases: &["mainland4"],
    summary: "old fourfold rule, mainland: perpetual check and check with mate threat lose",
    occurrences: Some(4),
    natural_limit: None,
    counted_checks: None,
    judge: &Graded { kills: true, chase_loses: false, ..Graded::chasing(by_pairs) },
    series: None,
};
