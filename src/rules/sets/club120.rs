//! A game server's rule: third occurrence, 120 plies without exception. It does not say what a
//! chase is; the federation's notion is used.

use crate::rules::chase::by_pairs;
use crate::rules::graded::Graded;
use crate::rules::ruleset::Definition;

pub(super) static SET: Definition = Definition {
    name: "club120",
    aliases: &["club"],
    summary: "server rule: as wxf, and 120 plies without capture are a draw whatever was played",
    occurrences: Some(3),
    natural_limit: Some(120),
    counted_checks: None,
    judge: &Graded::chasing(by_pairs),
    series: None,
};
