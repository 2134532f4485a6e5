//! The fourfold rule of old handbooks as played in Hong Kong and abroad.

use crate::rules::chase::by_pairs;
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "hk4",
    aliases: &["hongkong"],
    summary: "old fourfold rule, Hong Kong: perpetual check, check with mate threat, and chase lose",
    occurrences: Some(4),
    natural_limit: None,
    counted_checks: None,
    judge: &Graded { kills: true, ..Graded::chasing(by_pairs) },
    series: None,
};
